"""Leaving a season: drops, disqualifications, and what they cost."""

from typing import Any

import pytest

from bot.league.checking.verify import verify
from bot.league.errors import Conflict, Invalid, NotAllowed, NotFound
from bot.league.season.model import DepartureKind
from bot.league.season.phases import SeasonPhase
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.organising import rounds_by_hand
from bot.services.people import forgetting, rejoining, removing, renaming
from bot.services.reads import tables
from bot.services.signups import signing_up
from tests.files import do
from tests.looked_up import posted_round
from tests.services.conftest import FOREIGNER, MODERATOR, NAMES, ORGANISER, STRANGER, World, missing
from tests.services.people.acting import by_organiser, enter, pinged, rejoin, season_file

# -- leaving -----------------------------------------------------------------------------------------------------------


async def test_leaving_before_the_start_is_a_withdrawal(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Xorlof")
    assert (await world.drop("dok", agreed="")).withdrew, "nothing is lost, so nothing is asked"
    assert [who.name for who in (await world.status()).entrants] == ["Xorlof"]
    with pytest.raises(NotFound, match="You're not in season 1"):
        await world.drop("dok")
    assert (await enter(world, "dok")).count == 2


async def test_who_is_taken_off_the_sign_up_list_is_told_and_who_leaves_it_is_not(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Xorlof")
    await world.drop("Xorlof")
    assert await world.notices() == []
    with pytest.raises(ConfirmationNeeded, match="A post in the league's channel tells them"):
        await do(removing.remove, db=world.db, **by_organiser(world, player="dok"), agreed="")
    await do(removing.remove, db=world.db, **by_organiser(world, player="dok"))
    assert await pinged(world, "an organiser took them off") == ["dok"]


async def test_of_someone_who_is_forgotten_before_the_start_nothing_is_posted(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Xorlof")
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(forgetting.forget, db=world.db, **who, player="dok")
    assert await world.notices() == []


async def test_an_open_match_is_lost_only_when_that_is_confirmed(world: World) -> None:
    await world.begin(4)
    match = await world.match_of("dok")
    assert match is not None
    opponent = next(side.name for side in match.sides if side.name != "dok")
    with pytest.raises(ConfirmationNeeded, match="forfeit your open match") as asked:
        await world.drop("dok", agreed="")
    assert f"your open match against {opponent}, who wins it" in asked.value.cost
    assert missing(await world.status()) == 2
    dropped = await world.drop("dok", agreed=asked.value.token)
    assert [(lost.match.kind, lost.winner) for lost in dropped.forfeited] == [("forfeit", opponent)]
    season = await season_file(world)
    (gone,) = season.departures
    assert (gone.name, gone.kind, gone.round, gone.after_pairing) == ("dok", DepartureKind.DROP, 1, True)
    assert f"dok has left season 1. {opponent} wins {match.label} by forfeit." in await world.notices()


async def test_a_confirmed_result_stands_when_a_player_leaves(world: World) -> None:
    await world.begin(4)
    match = await world.match_of("dok")
    assert match is not None
    loser = next(side.name for side in match.sides if side.name != "dok")
    await world.lose(loser)
    assert not (await world.drop("dok")).forfeited
    shown = await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
    table = {row.standing.name: row.standing for row in shown.rows}
    assert (table["dok"].wins, table["dok"].losses, table["dok"].status) == (1, 0, "dropped")


async def test_who_left_is_not_paired_any_more(world: World) -> None:
    await world.begin(5)
    await world.drop("dok")
    await world.play_round()
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert view.round.number == 2
    assert "dok" not in {side.name for match in view.matches for side in match.sides}
    with pytest.raises(Conflict, match="has already left"):
        await world.drop("dok")
    with pytest.raises(Conflict, match="/rejoin"):
        await enter(world, "dok")


async def test_leaving_between_rounds_counts_from_the_next(world: World) -> None:
    await world.begin(6, advance="manual")
    await world.play_round()
    await world.db.write(rounds_by_hand.close, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    await world.drop("dok")
    (gone,) = (await season_file(world)).departures
    assert (gone.round, gone.after_pairing) == (2, False)


async def test_everybody_may_leave(world: World) -> None:
    await world.begin(4)
    for name in NAMES[:4]:
        if (await world.status()).season.phase is SeasonPhase.FINISHED:
            break
        await world.drop(name)
    over = await world.status()
    assert over.season.phase is SeasonPhase.FINISHED
    assert verify(await season_file(world)).agrees


async def test_the_last_one_left_is_champion(world: World) -> None:
    await world.begin(2)
    await world.drop("dok")
    over = await world.status()
    assert (over.season.phase, over.champion) == (SeasonPhase.FINISHED, "Xorlof")


@pytest.mark.long
async def test_before_the_first_result_of_the_finals_somebody_moves_up(world: World) -> None:
    await world.begin(8, rounds=2, cut=4)
    await world.play_round()
    await world.play_round()
    before = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    seats = {side.name for match in before.matches for side in match.sides}
    assert (before.round.number, len(seats)) == (3, 4)
    leaver = before.matches[0].upper.name
    dropped = await world.drop(leaver)
    assert not dropped.forfeited
    await world.move_up()
    after = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    now_seated = {side.name for match in after.matches for side in match.sides}
    assert leaver not in now_seated
    assert len(now_seated) == 4
    assert len(now_seated & seats) == 3
    assert verify(await season_file(world)).agrees
    await world.play_out()
    assert verify(await season_file(world)).agrees


@pytest.mark.long
async def test_after_a_result_in_the_finals_the_opponent_goes_on(world: World) -> None:
    await world.begin(8, rounds=2, cut=4)
    await world.play_round()
    await world.play_round()
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    await world.lose(view.matches[0].lower.name)
    dropped = await world.drop(view.matches[1].upper.name)
    assert [lost.winner for lost in dropped.forfeited] == [view.matches[1].lower.name]
    assert (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    ).round.number == 4
    assert verify(await season_file(world)).agrees


async def test_a_drop_asked_about_an_earlier_match_forfeits_no_later_one(world: World) -> None:
    await world.begin(4)
    with pytest.raises(ConfirmationNeeded) as asked:
        await world.drop("dok", agreed="")
    await world.play_round()
    later = await world.match_of("dok")
    assert later is not None
    opponent = next(side.name for side in later.sides if side.name != "dok")
    with pytest.raises(ConfirmationNeeded, match=f"forfeit your open match against {opponent}"):
        await world.drop("dok", agreed=asked.value.token)
    assert missing(await world.status()) == 2


async def test_acting_for_a_player_says_what_it_does_and_who_is_told_before_it_is_done(world: World) -> None:
    await world.begin(4, rejoin="ask")
    match = await world.match_of("dok")
    assert match is not None
    other = next(side.name for side in match.sides if side.name != "dok")
    lost, told = f"forfeits the open match against {other}, who wins it", f"tells dok and {other}"
    for act, words in (
        (removing.remove, ("dok leaves season 1", lost, told, "They can come back with /rejoin")),
        (removing.disqualify, ("dok is disqualified from season 1", lost, told, "They can't come back.")),
    ):
        with pytest.raises(ConfirmationNeeded) as asked:
            await do(act, db=world.db, **by_organiser(world, player="dok"), agreed="")
        assert all(word in asked.value.cost for word in words), asked.value.cost
    assert missing(await world.status()) == 2
    await do(removing.remove, db=world.db, **by_organiser(world, player="dok"))
    with pytest.raises(ConfirmationNeeded, match="stays lost; /result clear lets it be played") as asked:
        await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"), agreed="")
    await world.play_round()
    for words in (r"from round 3 on\. Round 2 counts as a loss", r"from round 4 on\. Rounds 2 to 3 count as losses"):
        with pytest.raises(ConfirmationNeeded, match=words):
            await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"), agreed=asked.value.token)
        await world.play_round()


async def test_nobody_is_asked_what_removing_a_player_costs_who_has_left_already(world: World) -> None:
    await world.begin(4)
    await world.drop("dok")
    with pytest.raises(Conflict, match="dok has already left season 1"):
        await do(removing.remove, db=world.db, **by_organiser(world, player="dok"), agreed="")


async def test_the_disqualified_player_and_their_opponent_are_mentioned(world: World) -> None:
    await world.begin(4)
    match = await world.match_of("dok")
    assert match is not None
    await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    assert await pinged(world, "dok was disqualified from season 1.") == sorted(side.name for side in match.sides)


# -- what organisers do for players ------------------------------------------------------------------------------------


async def test_a_disqualified_player_is_out_for_good(world: World) -> None:
    await world.begin(6, rejoin="free")
    done = await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    assert done.forfeited is not None
    with pytest.raises(NotAllowed, match="disqualified"):
        await rejoin(world, "dok")
    with pytest.raises(NotAllowed, match="disqualified"):
        await enter(world, "dok")
    await world.play_round()
    with pytest.raises(Conflict, match="can't be undone any more"):
        await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"))
    shown = await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
    table = {row.standing.name: row.standing.status for row in shown.rows}
    assert table["dok"] == "disqualified"


async def test_who_is_disqualified_before_the_start_cannot_sign_up_again(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Xorlof", "Zoë")
    await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    with pytest.raises(NotAllowed):
        await enter(world, "dok")
    await world.start()
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert {side.name for match in view.matches for side in match.sides} == {"Xorlof", "Zoë"}


async def test_who_has_dropped_can_still_be_disqualified(world: World) -> None:
    await world.begin(6, rejoin="free")
    await world.drop("dok")
    await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    with pytest.raises(NotAllowed, match="disqualified"):
        await rejoin(world, "dok")


async def test_a_player_who_has_left_is_not_dropped_or_disqualified_once_more(world: World) -> None:
    await world.begin(6)
    await world.drop("dok")
    with pytest.raises(Conflict, match="dok has already left season 1"):
        await world.drop("dok")
    with pytest.raises(Conflict, match="dok has already left season 1"):
        await do(removing.remove, db=world.db, **by_organiser(world, player="dok"))
    await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    with pytest.raises(Conflict, match="dok has already left season 1"):
        await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))


@pytest.mark.parametrize("reason", [None, "", " \n "])
async def test_acting_for_a_player_needs_a_reason(world: World, reason: str | None) -> None:
    await world.begin(4)
    for act in (removing.remove, removing.disqualify, rejoining.reinstate):
        with pytest.raises(Invalid, match="reason"):
            await do(act, db=world.db, **{**by_organiser(world, player="dok"), "reason": reason})


@pytest.mark.parametrize("actor", [STRANGER, MODERATOR, FOREIGNER])
async def test_only_organisers_act_for_players(world: World, actor: Any) -> None:
    await world.begin(4)
    given = {**by_organiser(world), "actor": actor}
    for refused in (
        do(removing.remove, db=world.db, **given, player="dok"),
        do(removing.disqualify, db=world.db, **given, player="dok"),
        do(rejoining.reinstate, db=world.db, **given, player="dok"),
        do(renaming.rename, db=world.db, **given, player="dok", new_name="doc"),
        do(signing_up.add, db=world.db, **given, discord_id=77, display_name="New"),
    ):
        with pytest.raises((NotAllowed, NotFound)):
            await refused
    assert [who.name for who in (await world.status()).entrants] == list(NAMES[:4])
