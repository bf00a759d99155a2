"""Bans: no way into a season lets a banned person in, until the ban ends or is lifted."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, Invalid, LeagueError, NotAllowed, NotFound
from bot.services.base.accounts import Newcomer
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.leagues import exporting, set_up
from bot.services.people import banning, forgetting, linking, merging, rejoining, removing, renaming
from bot.services.people.banning import BanFirst, Member
from bot.services.people.linking import LINK, Account
from bot.services.seasons import lifecycle, planning
from bot.services.seats import substitutes
from bot.services.signups import check_in, signing_up
from bot.worker import Worker
from cogs.posting.renderings import render
from cogs.ui.cards import texts_of
from storage.query import records
from storage.tables.people import bans, players
from storage.tables.people.bans import BanId
from storage.tables.people.players import LinkId
from tests.files import change_by_hand, do, look_into, see
from tests.services.conftest import ADMIN, FOREIGNER, GUILD, MODERATOR, NAMES, ORGANISER, STRANGER, World, person
from tests.services.meeting.scene import Scene, bring_people


def there(world: World, actor: Actor = ORGANISER) -> dict[str, Any]:
    return {"db": world.db, "actor": actor, "now": world.now, "league_id": world.league_id}


async def ban(world: World, player: str | Member, *, until: datetime | None = None, **more: Any) -> str:
    """Ban someone, agreed to beforehand; `actor` by default is an organiser."""
    who = there(world, more.pop("actor", ORGANISER))
    return await do(banning.ban, **who, player=player, until=until, reason=more.pop("reason", "cheated"), **more)


async def unban(world: World, player: str | Member) -> str:
    return await do(banning.unban, **there(world), ban=await ban_of(world, player), reason="sorry")


async def ban_of(world: World, player: str | Member) -> BanId:
    """Return the ban that holds for someone, or one there isn't."""
    with look_into(world.db) as conn:
        row = None if isinstance(player, Member) else players.by_name(conn, world.league_id, player)
        account = player.discord_id if isinstance(player, Member) else None
        named = row and row.id
        held = bans.holding(conn, world.league_id, account=account, player_id=named, now=world.now)
        return BanId(0) if held is None else held.id


def member(world: World, name: str) -> Member:
    account = world.player(name).user_id
    assert account is not None
    return Member(discord_id=account, name=name)


async def listed(world: World, actor: Actor = ORGANISER) -> list[tuple[str | None, str | None]]:
    return [(one.name, one.reason) for one in await see(banning.listed, **there(world, actor))]


async def test_it_says_what_it_does_and_asks_first(world: World) -> None:
    await world.create()
    await world.sign_up("Ann", "Bo")
    until = world.now + timedelta(days=30)
    with pytest.raises(BanFirst) as asked:
        await ban(world, "Ann", until=until, agreed="")
    assert not asked.value.in_season
    assert asked.value.cost == (
        "Ann is banned from Online HeroScape until 2026-12-21 12:00 (UTC). They can't sign up, substitute or come back,"
        " and no one can add them. They aren't told of the ban: they read it, and until when, if they try to join."
        " Only organisers and moderators can read the reason."
        " They're taken off the sign-up list of season 1, and told so, but not why."
    )
    assert await listed(world) == []
    await ban(world, "Ann", until=until, agreed=asked.value.token)
    assert await listed(world) == [("Ann", "cheated")]
    assert [who.name for who in (await world.status()).entrants] == ["Bo"]
    noted = {row.action: (row.subject, row.reason) for row in await world.audit()}
    assert noted["player.ban"] == ("Ann", "cheated")
    assert "entrant.withdraw" in noted
    assert await world.notices() == ["Ann is off the sign-up list of season 1: an organiser took them off."]


@pytest.mark.parametrize("running", [True, False], ids=["in a season", "between two"])
async def test_no_account_is_asked_any_more_if_it_is_someone_who_is_banned(world: World, running: bool) -> None:
    await world.create()
    await world.sign_up("Ann", "Bo")
    if not running:
        await do(lifecycle.cancel, **there(world))
    await do(linking.propose, **there(world), player="Ann", account=Account(discord_id=5000, name="Ann2"))
    await world.announce()
    await ban(world, "Ann")
    with look_into(world.db) as conn:
        assert list(records(conn, "SELECT accepted FROM links WHERE ended_at IS NOT NULL")) == [(None,)]
    assert [post.kind for post in await world.posts() if post.kind == LINK] == [LINK], "the question says so"


@pytest.mark.parametrize("approval", [True, False], ids=["asks to join", "waits for a place"])
async def test_who_turns_out_to_be_someone_banned_is_banned_before_the_merge(world: World, approval: bool) -> None:
    await world.create(approval=approval, max_players=2)
    await world.sign_up(*(() if approval else ("Bo", "Cy")), "Ann")
    await bring_people(Scene(world=world, stage="sign-ups"), "Old Rival")
    await ban(world, "Old Rival")
    one: Any = {"player": "Old Rival", "into": "Ann", "reason": "one person"}
    with pytest.raises(Conflict, match="but Old Rival is banned"):
        await do(merging.merge, **there(world), **one)
    await ban(world, "Ann")
    await do(merging.merge, **there(world), **one)
    await do(planning.change_settings, **there(world), settings={"approval": False, "max_players": None})
    assert "Ann" not in [who.name for who in (await world.status()).entrants]
    with look_into(world.db) as conn:
        waits = "SELECT id FROM waitlist UNION ALL SELECT id FROM join_requests WHERE answered_at IS NULL"
        assert list(records(conn, waits)) == []


@pytest.mark.long
async def test_a_ban_in_a_running_season_drops_now_or_lets_them_play_it_out(world: World) -> None:
    await world.begin(6)
    with pytest.raises(BanFirst) as asked:
        await ban(world, "dok", agreed="")
    assert asked.value.in_season
    assert "Choose what happens in season 1. Drop now: they leave season 1 now and forfeit the open match against" in (
        asked.value.cost
    )
    await ban(world, "dok", agreed=asked.value.token)
    await ban(world, "Zoë", plays_out=True)
    view = await world.status()
    assert {who.name: who.active for who in view.entrants if who.name in ("dok", "Zoë")} == {"dok": False, "Zoë": True}
    out = {one.name: one.plays_out for one in await see(banning.listed, **there(world))}
    assert out == {"dok": None, "Zoë": 1}
    assert any("dok has left season 1" in text for text in await world.notices())
    await world.play_out()
    await world.create()
    for name in ("dok", "Zoë"):
        with pytest.raises(NotAllowed, match="You're banned from Online HeroScape for good"):
            await world.sign_up(name)


async def doors(world: World, name: str) -> dict[str, LeagueError | None]:
    """Return what each way into a season answers a player and their account; None where it lets them in."""
    actor, account = world.player(name), member(world, name)
    newcomer: dict[str, Any] = {"discord_id": account.discord_id, "display_name": name}
    tries: dict[str, tuple[Any, dict[str, Any]]] = {
        "sign up": (signing_up.sign_up, {**there(world, actor), "display_name": name, "agreed": 99}),
        "add": (signing_up.add, {**there(world), **newcomer}),
        "check in": (check_in.check_in, there(world, actor)),
        "substitute": (
            substitutes.substitute,
            {**there(world), "old": "Bo", "newcomer": Newcomer(**newcomer, wanted=None, by_organiser=True)},
        ),
        "link": (
            linking.propose,
            {**there(world), "player": "Bo", "account": Account(discord_id=account.discord_id, name=name)},
        ),
        "rejoin": (rejoining.rejoin, there(world, actor)),
        "reinstate": (rejoining.reinstate, {**there(world), "player": name, "reason": "a mistake"}),
    }
    found: dict[str, LeagueError | None] = {}
    for door, (use_case, given) in tries.items():
        try:
            await do(use_case, **given)
            found[door] = None
        except LeagueError as refused:
            found[door] = refused
    return found


async def test_no_door_of_a_running_season_lets_them_in(world: World) -> None:
    await world.begin(6, rejoin="free", late_entry=3)
    await ban(world, "dok")
    told = await doors(world, "dok")
    for door in ("sign up", "rejoin"):
        assert str(told[door]) == (
            "You're banned from Online HeroScape for good. If that's a mistake, ask an organiser."
        ), door
    for door in ("add", "substitute", "link", "reinstate"):
        assert str(told[door]) == (
            "dok is banned from Online HeroScape for good. /league settings lets them in again."
        ), door
    await unban(world, "dok")
    await do(rejoining.rejoin, **there(world, world.player("dok")))
    assert [who.active for who in (await world.status()).entrants if who.name == "dok"] == [True]


async def test_a_member_who_never_played_is_banned_by_their_account(world: World) -> None:
    await world.begin(6, late_entry=3)
    await ban(world, member(world, "Wes"))
    told = await doors(world, "Wes")
    assert all(told[door] is not None for door in told)
    assert all("banned" in str(told[door]) for door in ("sign up", "add", "substitute", "link"))
    assert await listed(world) == [("Wes", "cheated")]
    await unban(world, member(world, "Wes"))
    await world.sign_up("Wes")


async def test_who_waits_or_is_offered_a_place_loses_it_and_the_next_is_asked(world: World) -> None:
    await world.create(max_players=2)
    await world.sign_up("Ann", "Bo", "Cy", "Dee")
    await world.drop("Ann")
    (asked,) = await world.posts("place")
    await ban(world, "Cy")
    with pytest.raises(LeagueError):
        await do(signing_up.take_place, **there(world, world.player("Cy")), waiting_id=asked.facts["waiting_id"])
    with look_into(world.db) as conn:
        rows = records(conn, "SELECT p.name, w.asked_at FROM waitlist w JOIN players p ON p.id = w.player_id")
    assert [(name, at is not None) for name, at in rows] == [("Dee", True)]


async def test_a_new_ban_replaces_the_one_before(world: World) -> None:
    await world.create()
    await ban(world, member(world, "Ann"))
    with pytest.raises(Conflict, match="Ann is banned for good already"):
        await ban(world, member(world, "Ann"))
    await ban(world, member(world, "Ann"), until=world.now + timedelta(days=1))
    assert len(await listed(world)) == 1
    with pytest.raises(BanFirst, match=re.escape("That replaces the ban until 2026-11-22 12:00 (UTC).")):
        await ban(world, member(world, "Ann"), agreed="")


async def test_a_ban_ends_by_itself_at_its_moment(world: World) -> None:
    await world.create()
    until = world.now + timedelta(days=2)
    await ban(world, member(world, "Ann"), until=until)
    world.later(days=2, seconds=-1)
    with pytest.raises(NotAllowed, match=re.escape("until 2026-11-23 12:00 (UTC)")):
        await world.sign_up("Ann")
    world.later(seconds=1)
    await world.sign_up("Ann")  # also where the clock hasn't looked yet
    assert await listed(world) == []
    await steps.tick(world.db, world.now)
    with look_into(world.db) as conn:
        assert records(conn, "SELECT * FROM bans") == ()
    assert "player.ban-end" in {row.action for row in await world.audit()}


async def test_dates_are_of_the_leagues_time_zone(world: World) -> None:
    await do(set_up.change, **there(world), changes={"time_zone": "America/New_York"})
    await world.create()
    await ban(world, member(world, "Ann"), until=world.now + timedelta(days=2))
    with pytest.raises(NotAllowed, match=re.escape("until 2026-11-23 07:00 (America/New_York)")):
        await world.sign_up("Ann")


async def test_only_organisers_ban_and_moderators_read_why(world: World) -> None:
    await world.create()
    await world.sign_up("Ann")
    for actor in (STRANGER, MODERATOR, world.player("Ann")):
        with pytest.raises(NotAllowed):
            await ban(world, "Ann", actor=actor)
        with pytest.raises(NotAllowed):
            await do(banning.unban, **there(world, actor), ban=BanId(1), reason="x")
    with pytest.raises(NotFound):
        await ban(world, "Ann", actor=FOREIGNER)
    with pytest.raises(Invalid, match="Give a reason"):
        await ban(world, "Ann", reason=" ")
    await ban(world, "Ann", reason="an *awful* thing")
    assert await listed(world, STRANGER) == []
    assert await listed(world, world.player("Ann")) == []
    assert await listed(world, MODERATOR) == [("Ann", "an *awful* thing")]
    with pytest.raises(NotAllowed) as own:
        await world.sign_up("Ann")
    assert "awful" not in str(own.value)
    with pytest.raises(Conflict, match="That ban from Online HeroScape is over"):
        await unban(world, member(world, "Bo"))


async def test_a_ban_is_of_one_league_and_one_server(world: World) -> None:
    other = await do(
        set_up.create, db=world.db, actor=ADMIN, now=world.now, name="Other", channel_id=55, organiser_role_id=904
    )
    abroad = person(9, "chief", manage_guild=True, guild_id=GUILD + 1)
    foreign = await do(set_up.create, db=world.db, actor=abroad, now=world.now, name="Abroad", channel_id=56)
    await ban(world, member(world, "Ann"))
    for league, organiser in ((other, ORGANISER), (foreign, abroad)):
        who: Any = {"db": world.db, "now": world.now, "league_id": league.id}
        await do(planning.prepare, **who, actor=organiser, format="ohs")
        await do(planning.open_signups, **who, actor=organiser)
        ann = person(member(world, "Ann").discord_id, "Ann", guild_id=league.guild_id)
        done: Any = await do(signing_up.sign_up, **who, actor=ann, display_name="Ann")
        assert done.entrant.name == "Ann"


async def test_a_player_without_an_account_is_banned_by_name_and_with_the_account_they_get(world: World) -> None:
    await world.create()
    await world.sign_up("Ann", "Bo")
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE players SET discord_id = NULL WHERE name = 'Ann'")
    await ban(world, "Ann")
    ann = member(world, "Ann")
    with pytest.raises(NotAllowed, match="Ann is banned"):
        await do(signing_up.add, **there(world), discord_id=ann.discord_id, display_name="Annie", name="Ann")
    account = Account(discord_id=ann.discord_id, name="Ann")
    await do(linking.propose, **there(world), player="Ann", account=account)
    order = Order(actor=world.player("Ann"), now=world.now)
    await world.db.write(linking.answer, order, link=LinkId(1), accept=True)
    with pytest.raises(NotAllowed, match="You're banned"):
        await world.sign_up("Ann")
    with pytest.raises(NotAllowed, match="Ann is banned"):
        await do(linking.propose, **there(world), player="Ann", account=Account(discord_id=7777, name="another"))


async def link(world: World, player: str, account: int, *, accept: bool = False) -> None:
    """Ask an account if it is a player, and let it say so if it does."""
    await do(linking.propose, **there(world), player=player, account=Account(discord_id=account, name="new"))
    await world.announce()
    if accept:
        with look_into(world.db) as conn:
            ((id_,),) = records(conn, "SELECT max(id) FROM links")
        await world.db.write(linking.answer, Order(actor=person(account, "new"), now=world.now), link=id_, accept=True)


@pytest.mark.parametrize("running", [True, False], ids=["in a season", "between two"])
async def test_an_account_that_is_banned_is_not_asked_any_more_if_it_is_someone(world: World, running: bool) -> None:
    await world.create()
    await world.sign_up("Ann", "Bo")
    if not running:
        await do(lifecycle.cancel, **there(world))
    wes = member(world, "Wes")
    await link(world, "Ann", wes.discord_id)
    await link(world, "Bo", wes.discord_id)
    await ban(world, wes)
    with look_into(world.db) as conn:
        assert list(records(conn, "SELECT accepted FROM links WHERE ended_at IS NOT NULL")) == [(None,), (None,)]
    said = ["\n".join(texts_of(render(LINK, await world.shown(post)).parts)) for post in await world.posts(LINK)]
    assert ["This isn't asked any more." in text for text in said] == [True, True]
    with pytest.raises(Conflict, match="settled"):
        await world.db.write(
            linking.answer, Order(actor=world.player("Wes"), now=world.now), link=LinkId(1), accept=True
        )
    await link(world, "Ann", 5001)


async def test_an_earlier_account_of_someone_who_is_banned_is_not_asked_any_more_if_it_is_another(world: World) -> None:
    await world.create()
    await world.sign_up("Ann", "Bo")
    before = member(world, "Ann").discord_id
    await link(world, "Ann", 5000, accept=True)
    await link(world, "Bo", before)
    await ban(world, "Ann")
    with look_into(world.db) as conn:
        assert list(records(conn, "SELECT discord_id FROM links WHERE ended_at IS NULL")) == []


async def test_a_new_name_keeps_the_ban(world: World) -> None:
    await world.create()
    await world.sign_up("Ann")
    await ban(world, "Ann")
    await do(renaming.rename, **there(world), player="Ann", new_name="Anna", reason="asked to")
    assert await listed(world) == [("Anna", "cheated")]
    assert await unban(world, "Anna") == "Anna"


async def test_what_is_left_of_a_forgotten_banned_person_is_a_keyed_hash_and_the_end(world: World) -> None:
    await world.create()
    await world.sign_up("Ann", "Bo")
    until = world.now + timedelta(days=9)
    await ban(world, "Ann", until=until)
    ann = world.player("Ann")
    with pytest.raises(ConfirmationNeeded) as asked:
        await do(forgetting.forget, **there(world, ann), player="Ann", agreed="")
    assert asked.value.cost.endswith(
        "They stay banned until 2026-11-30 12:00 (UTC): a keyed hash of their Discord account and that end are kept,"
        " nothing else."
    )
    await do(forgetting.forget, **there(world, ann), player="Ann")
    with look_into(world.db) as conn:
        ((*row, fingerprint),) = records(
            conn, "SELECT player_id, discord_id, name, reason, until, fingerprint FROM bans"
        )
        log = [str(one) for row_ in records(conn, "SELECT * FROM audit") for one in row_]
    assert row == [None, None, None, None, int(until.timestamp())]
    assert len(fingerprint) == 64
    assert not [text for text in log if "cheated" in text or str(ann.user_id) in text]
    assert await listed(world) == [(None, None)]
    with pytest.raises(NotAllowed, match="You're banned"):
        await world.sign_up("Ann")
    with pytest.raises(NotAllowed, match="is banned"):
        await do(signing_up.add, **there(world), discord_id=ann.user_id or 0, display_name="Ann", name="Nobody")
    await unban(world, member(world, "Ann"))
    await world.sign_up("Ann")


async def test_each_account_a_forgotten_person_had_stays_banned(world: World) -> None:
    await world.create()
    await world.sign_up("Ann", "Bo")
    new = person(7777, "Ann again")
    await do(linking.propose, **there(world), player="Ann", account=Account(discord_id=7777, name="Ann again"))
    await world.db.write(linking.answer, Order(actor=new, now=world.now), link=LinkId(1), accept=True)
    await ban(world, "Ann")
    await do(forgetting.forget, **there(world), player="Ann")
    for actor in (new, world.player("Ann")):
        with pytest.raises(NotAllowed, match="You're banned"):
            await do(signing_up.sign_up, **there(world, actor), display_name="Fresh")


async def test_a_name_alone_leaves_nothing_when_it_is_forgotten(world: World) -> None:
    await world.create()
    await world.sign_up("Ann", "Bo")
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE players SET discord_id = NULL WHERE name = 'Ann'")
    await ban(world, "Ann")
    with pytest.raises(ConfirmationNeeded, match="Their ban ends, because no Discord account is known"):
        await do(forgetting.forget, **there(world), player="Ann", agreed="")
    await do(forgetting.forget, **there(world), player="Ann")
    with look_into(world.db) as conn:
        assert records(conn, "SELECT * FROM bans") == ()


async def test_who_asked_to_come_back_is_answered_by_the_ban(world: World) -> None:
    await world.begin(6, rejoin="ask")
    await world.drop("dok")
    await do(rejoining.rejoin, **there(world, world.player("dok")))
    await ban(world, "dok")
    with look_into(world.db) as conn:
        assert records(conn, "SELECT accepted FROM rejoin_requests") == ((0,),)
    with pytest.raises(LeagueError):
        await do(rejoining.answer_rejoin, db=world.db, actor=ORGANISER, now=world.now, request_id=1, accept=True)


async def test_who_plays_the_season_out_cannot_come_back_once_they_left(world: World) -> None:
    await world.begin(6, rejoin="free")
    await ban(world, "dok", plays_out=True)
    await world.drop("dok")
    with pytest.raises(NotAllowed, match="You're banned"):
        await do(rejoining.rejoin, **there(world, world.player("dok")))


async def hand_over(world: World) -> Newcomer:
    """Let Wes take over the place of dok with the next round."""
    newcomer = Newcomer(discord_id=member(world, "Wes").discord_id, wanted=None, display_name="Wes", by_organiser=True)
    await do(substitutes.substitute, **there(world), old="dok", newcomer=newcomer)
    return newcomer


async def test_a_substitute_who_is_banned_before_they_take_over_leaves_the_place_to_its_player(world: World) -> None:
    await world.begin(6)
    newcomer = await hand_over(world)
    with pytest.raises(BanFirst, match="Drop now: they don't take over from dok, who plays on"):
        await ban(world, "Wes", agreed="")
    await ban(world, "Wes")
    assert any("dok plays on in season 1" in text for text in await world.notices())
    assert "entrant.no_substitute" in {line.action for line in await world.audit()}
    with pytest.raises(NotAllowed, match="is banned"):
        await do(substitutes.substitute, **there(world), old="dok", newcomer=newcomer)
    await world.play_round()
    assert "dok" in {who.called for who in (await world.status()).entrants}


async def test_who_was_to_hand_over_and_is_banned_gets_no_place_back_when_the_substitute_is_forgotten(
    world: World,
) -> None:
    await world.begin(6)
    await hand_over(world)
    await ban(world, "dok")
    with pytest.raises(ConfirmationNeeded, match="They don't take over from dok, who is banned and leaves the season"):
        await do(forgetting.forget, **there(world), player="Wes", agreed="")
    await do(forgetting.forget, **there(world), player="Wes")
    assert [who.active for who in (await world.status()).entrants if who.name == "dok"] == [False]


async def test_who_hands_over_has_played_their_match_and_is_banned_loses_nothing_more(world: World) -> None:
    await world.begin(6)
    await world.lose("dok")
    await hand_over(world)
    await ban(world, "dok")
    assert not [text for text in await world.notices() if "forfeit" in text]
    await world.play_round()
    assert "Wes (for dok)" in {who.called for who in (await world.status()).entrants}


async def test_a_banned_substitute_forfeits_to_the_player_who_has_the_place_from_the_next_round_on(
    world: World,
) -> None:
    await world.begin(6)
    newcomer = await hand_over(world)
    await world.play_round()
    own = replace(newcomer, discord_id=world.player("dok").user_id or 0, display_name="dok")
    await do(substitutes.substitute, **there(world), old="dok", newcomer=own)
    await ban(world, "Wes")
    (told,) = [text for text in await world.notices() if "forfeit" in text]
    assert told.endswith("because Wes (for dok) doesn't play any more. From the next round on dok plays.")


async def test_the_check_in_of_someone_banned_by_hand_is_refused(world: World) -> None:
    """No ban leaves someone in sign-ups, but the gate is asked all the same."""
    closes = world.now + timedelta(hours=24)
    await world.opened(format="ohs", settings={"check_in_hours": 24}, signups_close=closes)
    await world.sign_up(*NAMES[:4])
    await steps.tick(world.db, world.now)
    with change_by_hand(world.db) as conn:
        sql = "INSERT INTO bans (league_id, player_id) SELECT league_id, id FROM players WHERE name = 'dok'"
        conn.execute(sql)
    with pytest.raises(NotAllowed, match="You're banned"):
        await do(check_in.check_in, **there(world, world.player("dok")))


def test_a_member_is_known_by_a_mention() -> None:
    assert banning.mentioned(" <@123456789012345678> ") == 123456789012345678
    assert banning.mentioned("<@!123456789012345678>") == 123456789012345678
    assert banning.mentioned("Ann") is None
    assert banning.mentioned("<@&123456789012345678>") is None


@pytest.mark.long
async def test_a_season_that_goes_on_is_not_imported_with_a_banned_player(world: World) -> None:
    await world.begin(4)
    made = await see(exporting.export, **there(world), season_number=1)
    await do(removing.remove, **there(world), player="dok", reason="x")
    other = await do(set_up.create, db=world.db, actor=ADMIN, now=world.now, name="Other", channel_id=55)
    elsewhere: Any = {"db": world.db, "actor": ADMIN, "now": world.now, "league_id": other.id}
    with change_by_hand(world.db) as conn:
        conn.execute("INSERT INTO players (league_id, name) VALUES (?, 'dok')", (other.id,))
        conn.execute(
            "INSERT INTO player_names (league_id, player_id, name, name_key, skeleton)"
            " SELECT league_id, id, name, 'dok', 'dok' FROM players WHERE league_id = ?",
            (other.id,),
        )
    await do(banning.ban, **elsewhere, player="dok", reason="x")
    order = Order(actor=ADMIN, now=world.now, league_id=other.id)
    worker = Worker()
    try:
        with pytest.raises(NotAllowed, match="dok is banned from Other"):
            await steps.import_file(world.db, order, data=made.text.encode(), worker=worker)
    finally:
        await worker.close()
