"""Joining a season: sign-up, late entry, names, and players an organiser adds."""

from typing import Any

import pytest

from bot import steps
from bot.league.checking.verify import verify
from bot.league.errors import Conflict, Invalid, LeagueError, NotFound, WrongPhase
from bot.league.season.model import Name
from bot.league.season.phases import SeasonPhase
from bot.services.base import find
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.organising import rounds_by_hand
from bot.services.people import removing, renaming
from bot.services.reads import tables
from bot.services.signups import signing_up
from bot.services.signups.recognising import PerhapsYou
from tests.files import do
from tests.looked_up import history, posted_round
from tests.services.conftest import FOREIGNER, NAMES, ORGANISER, STRANGER, World, person
from tests.services.people.acting import by_organiser, enter, pinged, season_file

# -- signing up --------------------------------------------------------------------------------------------------------


async def test_signing_up_fixes_the_name_once(world: World) -> None:
    await world.create()
    first = await enter(world, "dok", name="  The Doc  ")
    assert (first.entrant.name, first.first_time, first.already, first.count) == ("The Doc", True, False, 1)
    again = await enter(world, "dok")
    assert (again.entrant.id, again.first_time, again.already) == (first.entrant.id, False, True)
    with pytest.raises(Conflict, match=r"already registered as The Doc.*ask an organiser"):
        await enter(world, "dok", name="Other")


async def test_a_season_takes_as_many_as_discord_can_bear(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signing_up, "MOST_PLAYERS", 4)
    await world.create()
    for name in NAMES[:4]:
        await enter(world, name)
    with pytest.raises(Conflict, match=r"^Season 1 is full: a season on Discord can have 4 players\.$"):
        await enter(world, NAMES[4])
    assert len((await world.status()).entrants) == 4
    await enter(world, NAMES[0])  # who is in it stays in it


async def test_a_name_is_kept_for_the_next_season(world: World) -> None:
    await world.create(rounds=1, cut=2)
    await enter(world, "dok", name="The Doc")
    await enter(world, "Xorlof")
    await world.start()
    await world.play_round()
    await world.play_round()
    await world.create()
    again = await enter(world, "dok")
    assert (again.entrant.name, again.first_time) == ("The Doc", False)


@pytest.mark.parametrize("name", ["", "   ", "x" * 33, "dra\u200bw", "draw", "DRAW", "\x07"])
async def test_names_that_cannot_be_are_refused_with_the_way_out(world: World, name: str) -> None:
    await world.create()
    with pytest.raises(Invalid):
        await enter(world, "dok", name=name)
    with pytest.raises(Invalid, match="Use /signup with another name"):
        await world.db.write(
            signing_up.sign_up, Order(actor=STRANGER, now=world.now, league_id=world.league_id), display_name=name
        )
    assert (await world.status()).entrants == ()


@pytest.mark.parametrize("name", ["dok", "DOK", "dоk", "ｄｏｋ"])
async def test_a_name_like_another_is_taken(world: World, name: str) -> None:
    await world.create()
    await enter(world, "dok")
    with pytest.raises(Conflict, match="dok"):
        await enter(world, "somebody", name=name)
    with pytest.raises(Conflict, match="Use /signup with another name"):
        await world.db.write(
            signing_up.sign_up, Order(actor=STRANGER, now=world.now, league_id=world.league_id), display_name=name
        )


@pytest.mark.parametrize("name", ["me@home", "*bold*", "`code`", "🐉", "مرحبا", "a|b"])
async def test_odd_but_visible_names_are_taken_as_they_are(world: World, name: str) -> None:
    await world.create()
    assert (await enter(world, "dok", name=name)).entrant.name == name


async def test_there_must_be_a_season_to_join(world: World) -> None:
    with pytest.raises(WrongPhase, match="no season running"):
        await enter(world, "dok")


async def test_people_of_other_servers_cannot_join(world: World) -> None:
    await world.create()
    with pytest.raises(NotFound):
        await world.db.write(
            signing_up.sign_up,
            Order(actor=FOREIGNER, now=world.now, league_id=world.league_id),
            display_name="foreigner",
        )


async def test_sign_ups_close_at_their_moment(world: World) -> None:
    await world.opened(
        format="ohs",
        signups_close=world.now.replace(hour=13),
    )
    await world.sign_up("dok")
    world.later(hours=1)
    with pytest.raises(WrongPhase, match="have closed"):
        await world.sign_up("Xorlof")


async def test_each_sign_up_is_counted_in_the_sign_up_post_and_noted(world: World) -> None:
    await world.create()
    (before,) = await world.posts("board")
    await world.sign_up("dok")
    (after,) = await world.posts("board")
    assert after.wanted == before.wanted + 1
    noted = (await world.audit())[0]
    assert (noted.action, noted.subject, noted.actor_id) == ("entrant.sign_up", "dok", world.player("dok").user_id)


# -- late entry --------------------------------------------------------------------------------------------------------


async def test_late_entry_begins_with_the_next_round_and_costs_the_missed_one(world: World) -> None:
    await world.begin(4)
    late = await enter(world, "Late", agreed=2)
    assert late.entrant.entered == 2
    assert (late.entrant.mu, late.entrant.sigma) == (25.0, 25.0 / 3)
    assert "Late joins season 1 from round 2 on. Round 1 counts as a loss." in await world.notices()
    await world.play_round()
    round_two = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    seated = {side.name for match in round_two.matches for side in match.sides} | {bye.name for bye in round_two.byes}
    assert "Late" in seated
    table = {
        row.standing.name: row.standing
        for row in (
            await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
        ).rows
    }
    assert table[Name("Late")].losses >= 1
    with pytest.raises(WrongPhase, match="up to round 2, and round 3 is next"):
        await enter(world, "TooLate")


async def test_a_late_entry_is_not_counted_before_its_cost_is_agreed_to(world: World) -> None:
    await world.begin(4, late_entry=3)
    with pytest.raises(signing_up.LateEntry, match=r"You missed round 1: it counts as a loss. Join anyway\?") as asked:
        await enter(world, "Late")
    assert asked.value.first == 2
    await world.play_round()
    with pytest.raises(signing_up.LateEntry, match="You missed rounds 1 to 2: they count as losses"):
        await enter(world, "Late", agreed=2)
    assert len((await world.status()).entrants) == 4
    assert not await world.notices()
    assert (await enter(world, "Late", agreed=3)).entrant.entered == 3


async def test_nobody_enters_when_only_finals_are_left(world: World) -> None:
    await world.begin(4, rounds=1)
    with pytest.raises(WrongPhase, match="no round left to join"):
        await enter(world, "Late")
    await world.play_round()
    assert (await world.status()).season.phase is SeasonPhase.FINALS
    with pytest.raises(WrongPhase, match="in its finals"):
        await enter(world, "Late")
    assert len((await world.status()).entrants) == 4


async def test_a_bracket_takes_nobody_late(world: World) -> None:
    await world.begin(4, "single-elimination")
    with pytest.raises(WrongPhase):
        await enter(world, "Late")


async def test_a_late_entry_changes_a_draft(world: World) -> None:
    await world.begin(4, advance="manual")
    await world.play_round()
    draft = await world.db.write(
        rounds_by_hand.preview, Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    )
    assert not draft.byes
    await enter(world, "Late", agreed=2)
    posted = await world.db.write(rounds_by_hand.post, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    assert len(posted.byes) == 1
    assert verify(await season_file(world)).agrees


async def test_a_player_who_joins_late_is_told_once_what_it_costs(world: World) -> None:
    await world.begin(4, late_entry=3)
    await world.play_round()
    done = await enter(world, "Late", agreed=3)
    assert done.cost == "Rounds 1 to 2 count as losses."
    assert await pinged(world, "Late joins season 1 from round 3 on. Rounds 1 to 2 count as losses.") == []


async def test_a_bot_account_cannot_be_added(world: World) -> None:
    await world.create()
    with pytest.raises(Invalid, match="Helper is a bot, and bots can't play"):
        await do(signing_up.add, db=world.db, **by_organiser(world, discord_id=77, display_name="Helper", is_bot=True))
    assert (await world.status()).entrants == ()


async def test_adding_a_player_is_signing_them_up(world: World) -> None:
    await world.create()
    added = await do(signing_up.add, db=world.db, **by_organiser(world, discord_id=77, display_name="Newcomer"))
    assert (added.entrant.name, added.entrant.discord_id, added.first_time) == ("Newcomer", 77, True)
    noted = (await world.audit())[0]
    assert (noted.action, noted.reason, noted.actor_id) == ("entrant.add", "asked for it", ORGANISER.user_id)
    (told,) = await world.posts("own-place")
    assert str(told.facts["text"]).startswith("Newcomer, you're in season 1: an organiser added you.")
    assert told.facts["pings"] == [77]


async def test_an_organiser_who_adds_themselves_is_told_nothing_by_post(world: World) -> None:
    await world.create()
    await do(signing_up.add, db=world.db, **by_organiser(world, discord_id=ORGANISER.user_id or 0, display_name="Olga"))
    assert await world.notices() == []


@pytest.mark.parametrize(
    ("said", "step"),
    [
        ({"display_name": "dra\u200bw"}, "Their display name can't be.*Fill in the option name with another name"),
        ({"display_name": "DOK"}, "Fill in the option name with another name.*the same person with a new account, use"),
        ({"display_name": "New", "name": "DOK"}, "the same person with a new account, use /player link"),
        ({"display_name": "New", "discord_id": 1000, "name": "Other"}, "This person is dok.*Leave the name empty"),
    ],
)
async def test_an_organiser_who_adds_someone_reads_their_own_next_step(
    world: World, said: dict[str, Any], step: str
) -> None:
    await world.create()
    await enter(world, "dok")
    assert world.player("dok").user_id == 1000
    with pytest.raises(LeagueError, match=step):
        await do(signing_up.add, db=world.db, **by_organiser(world, **{"discord_id": 77, **said}))


async def test_only_an_organiser_says_who_an_imported_player_is(world: World) -> None:
    text = '{"fairpair": 1, "league": "x", "season": 1, "format": "record", "players": [{"name": "Champ"}]}'
    await steps.import_file(
        world.db, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), data=text.encode()
    )
    await world.create()
    with pytest.raises(PerhapsYou, match="Are you the Champ"):
        await enter(world, "Champ")
    with pytest.raises(PerhapsYou, match="Are you the Champ"):
        await enter(world, "thief", name="Champ")
    thief = person(66, "Champ")
    with pytest.raises(Conflict):
        await world.db.write(
            signing_up.sign_up,
            Order(actor=thief, now=world.now, league_id=world.league_id),
            display_name="Champ",
            name="ＣＨＡＭＰ",
        )
    await enter(world, "dok")
    with pytest.raises(PerhapsYou) as asked:
        await enter(world, "dok", name="Champ")
    assert asked.value.own == "dok"
    dok: Any = by_organiser(world, discord_id=world.player("dok").user_id, display_name="dok", name="Champ")
    with pytest.raises(Conflict, match=r"This person is dok.*If they are Champ too, use /player merge"):
        await do(signing_up.add, db=world.db, **dok)
    with pytest.raises(Conflict, match="fill in that name"):
        await do(signing_up.add, db=world.db, **by_organiser(world, discord_id=77, display_name="Champ"))
    added = await do(
        signing_up.add, db=world.db, **by_organiser(world, discord_id=77, display_name="Somebody", name="Champ")
    )
    assert (added.entrant.name, added.entrant.discord_id) == ("Champ", 77)
    entry, link = (await world.audit())[:2]
    assert (entry.action, link.action, link.after) == ("entrant.add", "player.link", {"discord_id": 77})
    career = await world.db.read(history, Order(actor=BOT, now=world.now, league_id=world.league_id), player="Champ")
    assert len(career.seasons) == 0  # neither season has a round
    with pytest.raises(Conflict):
        await do(signing_up.add, db=world.db, **by_organiser(world, discord_id=78, display_name="Other", name="Champ"))


async def test_names_change_between_seasons_and_stay_taken(world: World) -> None:
    await world.begin(2, rounds=1, cut=2)
    change = by_organiser(world, player="dok", new_name="doc")
    await world.play_out()
    looks: dict[str, Any] = {**change, "new_name": "XORLOF"}
    with pytest.raises(Conflict):
        await do(renaming.rename, db=world.db, **looks)
    assert (await do(renaming.rename, db=world.db, **change)).player.name == "doc"
    noted = (await world.audit())[0]
    assert (noted.action, noted.before, noted.after) == ("player.rename", {"name": "dok"}, {"name": "doc"})
    assert [who.name for who in (await world.status(1)).entrants] == ["dok", "Xorlof"]
    await world.create()
    with pytest.raises(Conflict):
        await enter(world, "thief", name="dok")
    assert (await enter(world, "dok")).entrant.former_names == ("dok",)
    back: dict[str, Any] = {**change, "player": "doc", "new_name": "dok"}
    assert (await do(renaming.rename, db=world.db, **back)).player.name == "dok"
    assert (await world.status()).entrants[0].name == "dok"


async def test_names_are_suggested_the_fitting_ones_first(world: World) -> None:
    await world.create()
    await world.sign_up(*NAMES)

    async def names(typed: str) -> tuple[str, ...]:
        return await world.db.read(
            find.player_names, Order(actor=STRANGER, now=world.now, league_id=world.league_id), typed=typed
        )

    assert await names("k") == ("Kim", "Kinseth", "dok")
    assert await names("d") == ("Dee", "dok", "Ida")
    assert len(await names("")) == len(NAMES)
    assert await names("nobody") == ()


async def test_players_are_found_by_former_and_similar_names_but_not_by_chance(world: World) -> None:
    await world.begin(4)
    assert (await do(removing.remove, db=world.db, **by_organiser(world, player=" DOK "))).name == "dok"
    with pytest.raises(NotFound, match="No one in Online HeroScape"):
        await do(removing.remove, db=world.db, **by_organiser(world, player="'; DROP TABLE players; --"))


@pytest.mark.parametrize(
    ("format", "cut", "told"), [("two-loss-out", 6, True), ("two-loss-out", 1, False), ("ohs", 6, False)]
)
async def test_a_late_player_of_two_loss_out_can_bring_one_more_round_about(
    world: World, format: str, cut: int, told: bool
) -> None:
    await world.begin(8, format, cut=cut, advance="manual")
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    done = await do(signing_up.add, db=world.db, **who, discord_id=4711, display_name="Zed")
    also = "counts when it's worked out whether one more round comes before the finals"
    assert done.cost.startswith("Round 1 counts as a loss.")
    assert (also in done.cost) == told
    assert any(also in text for text in await world.notices()) == told
