"""Coming back into a season, asked or not, and undoing a departure."""

from dataclasses import replace
from typing import Any

import pytest

from bot.league.checking.verify import verify
from bot.league.errors import Conflict, LeagueError, NotAllowed, WrongPhase
from bot.league.season.model import DepartureKind, Kind, Status
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.matches.outcome import Outcome
from bot.services.organising import rounds_by_hand
from bot.services.people import banning, rejoining, removing
from bot.services.play import clearing, decisions
from bot.services.reads import tables
from bot.services.seasons import lifecycle
from tests.files import do, see
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, ORGANISER, World
from tests.services.people.acting import by_organiser, pinged, rejoin, season_file

# -- coming back -------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(("accept", "words"), [(True, "dok is back"), (False, "an organiser refused the request")])
async def test_a_player_who_asks_to_come_back_is_told_the_answer(world: World, accept: bool, words: str) -> None:
    await world.begin(6)
    await world.drop("dok")
    await rejoin(world, "dok")
    (post,) = await world.posts("rejoin")
    answer: Any = {"actor": ORGANISER, "now": world.now, "request_id": int(post.facts["request_id"])}
    await do(rejoining.answer_rejoin, db=world.db, **answer, accept=accept)
    assert await pinged(world, words) == ["dok"]
    await world.play_out()
    assert not [post for post in await world.posts("notice") if "no organiser" in str(post.facts["text"])]


@pytest.mark.parametrize("kind", DepartureKind)
async def test_leaving_again_before_the_comeback_undoes_the_comeback(world: World, kind: DepartureKind) -> None:
    await world.begin(6, rejoin="free")
    await world.drop("dok")
    await world.play_round()
    assert (await rejoin(world, "dok")).round == 3
    if kind is DepartureKind.DROP:
        await world.drop("dok")
    else:
        await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    (gone,) = (await season_file(world)).departures
    assert (gone.round, gone.rejoined, gone.kind) == (1, None, kind)
    await world.play_round()
    assert verify(await season_file(world)).agrees


@pytest.mark.long
async def test_coming_back_is_asked_and_each_missed_round_is_a_loss(world: World) -> None:
    await world.begin(6)
    await world.drop("dok")
    await world.play_round()
    asked = await rejoin(world, "dok")
    assert asked.round is None
    with pytest.raises(Conflict, match="already asked"):
        await rejoin(world, "dok")
    (post,) = await world.posts("rejoin")
    assert post.target == "moderation"
    request_id = int(post.facts["request_id"])
    with pytest.raises(NotAllowed):
        await world.db.write(
            rejoining.answer_rejoin, Order(actor=MODERATOR, now=world.now), request_id=request_id, accept=True
        )
    answer = await world.db.write(
        rejoining.answer_rejoin, Order(actor=ORGANISER, now=world.now), request_id=request_id, accept=True
    )
    assert answer.round == 3
    with pytest.raises(Conflict, match="already accepted"):
        await world.db.write(
            rejoining.answer_rejoin, Order(actor=ORGANISER, now=world.now), request_id=request_id, accept=False
        )
    await world.play_round()
    table = {
        row.standing.name: row.standing
        for row in (
            await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
        ).rows
    }
    assert (table["dok"].losses, table["dok"].status) == (2, "active")
    (gone,) = (await season_file(world)).departures
    assert (gone.round, gone.after_pairing, gone.rejoined) == (1, True, 3)
    await world.play_out()
    assert verify(await season_file(world)).agrees


async def test_a_refused_wish_can_be_asked_again(world: World) -> None:
    await world.begin(6)
    await world.drop("dok")
    for _ in range(2):
        await rejoin(world, "dok")
        request_id = max(int(post.facts["request_id"]) for post in await world.posts("rejoin"))
        answer = await world.db.write(
            rejoining.answer_rejoin, Order(actor=ORGANISER, now=world.now), request_id=request_id, accept=False
        )
        assert answer.round is None
    assert [who.name for who in (await world.status()).entrants if not who.active] == ["dok"]


async def test_coming_back_before_a_round_was_missed_leaves_no_trace_in_the_table(world: World) -> None:
    await world.begin(6, rejoin="free", advance="manual")
    await world.play_round()
    await world.db.write(rounds_by_hand.close, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    await world.drop("dok")
    assert (await rejoin(world, "dok")).round == 2
    assert (await season_file(world)).departures == ()


@pytest.mark.long
async def test_one_can_leave_and_come_back_more_than_once(world: World) -> None:
    await world.begin(7, rejoin="free", rounds=5)
    for _ in range(2):
        await world.drop("dok")
        await world.play_round()
        assert (await rejoin(world, "dok")).round is not None
        await world.play_round()
    assert len((await season_file(world)).departures) == 2
    await world.play_out()
    assert verify(await season_file(world)).agrees


async def test_there_are_seasons_and_times_without_a_way_back(world: World) -> None:
    with pytest.raises(WrongPhase):
        await rejoin(world, "dok")
    await world.begin(6, rejoin="never")
    with pytest.raises(Conflict, match="already in season 1"):
        await rejoin(world, "dok")
    await world.drop("dok")
    with pytest.raises(NotAllowed, match="can't come back"):
        await rejoin(world, "dok")


@pytest.mark.parametrize("format", ["two-loss-out", "single-elimination"])
async def test_formats_that_eliminate_have_no_way_back(world: World, format: str) -> None:
    await world.begin(6, format)
    await world.drop("dok")
    with pytest.raises(LeagueError, match=r"can't come back|finals"):
        await rejoin(world, "dok")


async def test_no_way_back_into_the_finals(world: World) -> None:
    await world.begin(6, rounds=1, rejoin="free")
    await world.drop("dok")
    with pytest.raises(WrongPhase, match="no round left to join"):
        await rejoin(world, "dok")
    await world.play_round()
    with pytest.raises(WrongPhase, match="finals"):
        await rejoin(world, "dok")


async def test_a_disqualification_is_taken_back_before_the_next_round(world: World) -> None:
    await world.begin(6)
    await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    back = await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"))
    assert back.forfeited is not None
    assert (await season_file(world)).departures == ()
    await world.db.write(
        clearing.clear,
        Order(actor=MODERATOR, now=world.now, league_id=world.league_id),
        match=back.forfeited.match.id,
        reason="x",
    )
    assert await world.match_of("dok") is not None


async def test_a_forfeit_that_is_cleared_once_its_player_is_back_is_theirs_to_play(world: World) -> None:
    await world.begin(6, rejoin="free")
    match = await world.match_of("dok")
    assert match is not None
    await world.drop("dok")
    assert (await rejoin(world, "dok")).round == 2
    cleared: Any = {"actor": MODERATOR, "now": world.now, "match": match.match.id, "reason": "x"}
    await do(clearing.clear, db=world.db, **cleared)
    season = await season_file(world)
    assert [each.kind for each in season.rounds[0].matches] == [Kind.OPEN] * 3
    assert season.departures == ()


async def test_clearing_a_later_result_does_not_undo_that_its_player_was_away(world: World) -> None:
    await world.begin(6, rejoin="free")
    await world.drop("dok")
    await world.play_round()
    assert (await rejoin(world, "dok")).round == 3
    await world.play_round()
    await world.lose("dok")
    match, before = await world.match_of("dok"), (await season_file(world)).departures
    assert match is not None
    cleared: Any = {"actor": MODERATOR, "now": world.now, "match": match.match.id, "reason": "x"}
    await do(clearing.clear, db=world.db, **cleared)
    assert [left.name for left in before] == ["dok"]
    assert (await season_file(world)).departures == before


async def test_a_disqualification_between_rounds_stands_once_the_next_is_paired(world: World) -> None:
    await world.begin(6, advance="manual")
    await world.play_round()
    await world.db.write(rounds_by_hand.close, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    await world.db.write(rounds_by_hand.post, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    with pytest.raises(Conflict, match="The next round was paired without dok"):
        await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"))


async def test_a_request_to_come_back_into_a_season_that_is_over_is_not_accepted(world: World) -> None:
    await world.begin(6, rejoin="ask")
    await world.drop("dok")
    await rejoin(world, "dok")
    await do(lifecycle.cancel, db=world.db, **by_organiser(world))
    with pytest.raises(WrongPhase, match=r"Season 1 is over\. dok can join the next one"):
        await world.db.write(rejoining.answer_rejoin, Order(actor=ORGANISER, now=world.now), request_id=1, accept=True)


@pytest.mark.parametrize("end", [lifecycle.cancel, lifecycle.finish])
async def test_who_asked_to_come_back_is_told_that_the_season_is_over(world: World, end: Any) -> None:
    await world.begin(6, advance="manual")
    await world.drop("dok")
    await rejoin(world, "dok")
    await world.play_round()
    await do(end, db=world.db, **by_organiser(world))
    assert await pinged(world, "no organiser had answered") == ["dok"]
    (refused,) = [row for row in await world.audit() if row.action == "entrant.answer_rejoin"]
    assert (refused.subject, refused.after) == ("dok", {"accepted": False})


async def test_a_request_to_come_back_waits_again_once_the_round_that_refused_it_is_undone(world: World) -> None:
    await world.begin(8, rejoin="ask", rounds=3, cut=0)
    await world.play_round()
    for name in ("dok", "Ann"):
        await world.drop(name)
        await rejoin(world, name)
    await world.play_round()
    await world.announce()
    world.later(minutes=5)
    await do(banning.ban, db=world.db, **by_organiser(world, player="Ann"))
    await do(rounds_by_hand.undo, db=world.db, **by_organiser(world))
    assert await pinged(world, "Round 3 was undone, so organisers can still let dok back into season 1.") == ["dok"]
    (post,) = [post for post in await world.posts("rejoin") if not post.removed]
    answer: Any = {"actor": ORGANISER, "now": world.now, "request_id": int(post.facts["request_id"])}
    assert (await do(rejoining.answer_rejoin, db=world.db, **answer, accept=True)).round == 3


@pytest.mark.parametrize("rounds", [0, 1], ids=["in the round", "in the round before"])
async def test_who_left_and_is_back_plays_in_a_round_that_is_undone_and_paired_once_more(
    world: World, rounds: int
) -> None:
    await world.begin(7, rejoin="free", rounds=3, cut=0)
    organiser: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    (bye,) = (await see(posted_round, db=world.db, **organiser)).byes
    await world.drop(bye.name)
    for _ in range(rounds):
        await world.play_round()
    assert (await rejoin(world, bye.name)).round == rounds + 2
    await do(rounds_by_hand.undo, db=world.db, **by_organiser(world))
    left = (await season_file(world)).departures
    assert [(gone.round, gone.rejoined) for gone in left] == [(1, 2)] * rounds
    await do(rounds_by_hand.post, db=world.db, **organiser)
    posted = await see(posted_round, db=world.db, **organiser)
    there = {side.name for match in posted.matches for side in match.sides} | {one.name for one in posted.byes}
    assert bye.name in there
    await world.play_out()
    assert verify(await season_file(world)).agrees


async def test_who_left_twice_is_gone_once_where_both_rounds_are_undone(world: World) -> None:
    await world.begin(7, rejoin="free", rounds=3, cut=0)
    organiser: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}

    async def undone() -> None:
        for view in (await see(posted_round, db=world.db, **organiser)).matches:
            if view.match.state != "open":
                order: Any = {"actor": MODERATOR, "now": world.now, "match": view.match.id}
                await do(clearing.clear, db=world.db, **order, reason="a slip")
        await do(rounds_by_hand.undo, db=world.db, **by_organiser(world))

    (bye,) = (await see(posted_round, db=world.db, **organiser)).byes
    await world.drop(bye.name)
    await undone()
    await do(rounds_by_hand.post, db=world.db, **organiser)
    await rejoin(world, bye.name)
    await world.play_round()
    await world.drop(bye.name)
    for _ in range(2):
        await undone()
    (left,) = (await season_file(world)).departures
    assert (left.name, left.round, left.after_pairing, left.rejoined) == (bye.name, 1, False, None)
    await do(rounds_by_hand.post, db=world.db, **organiser)
    await world.play_out()
    assert verify(await season_file(world)).agrees


async def test_the_match_a_player_won_by_forfeit_is_not_told_as_their_forfeit(world: World) -> None:
    await world.begin(6)
    match = await world.match_of("dok")
    assert match is not None
    await world.drop(next(side.name for side in match.sides if side.name != "dok"))
    await do(removing.remove, db=world.db, **by_organiser(world, player="dok"))
    back = await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"))
    assert back.forfeited is None


async def test_an_organiser_drops_and_brings_back(world: World) -> None:
    await world.begin(6)
    await do(removing.remove, db=world.db, **by_organiser(world, player="dok"))
    await world.play_round()
    back = await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"))
    assert back.round == 3
    with pytest.raises(Conflict, match="nothing to undo"):
        await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"))
    noted = {row.action: row for row in await world.audit()}
    assert (noted["entrant.drop"].actor_id, noted["entrant.drop"].reason) == (ORGANISER.user_id, "asked for it")


async def test_whoever_reinstates_a_player_whose_place_is_taken_is_told_that_the_places_are_not_enough(
    world: World,
) -> None:
    await world.opened(format="ohs", settings={"max_players": 4})
    await world.sign_up("dok", "Xorlof", "Zoë", "Kinseth")
    await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    with pytest.raises(ConfirmationNeeded) as asked:
        await world.db.write(rejoining.reinstate, order, player="dok", reason="a mistake", agreed="")
    assert "players for" not in str(asked.value)
    await world.sign_up("Ann")
    with pytest.raises(ConfirmationNeeded, match="That makes 5 players for 4 places"):
        await world.db.write(rejoining.reinstate, order, player="dok", reason="a mistake", agreed="")
    await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"))
    assert [row.active for row in (await world.status()).entrants] == [True] * 5


async def test_a_request_that_a_disqualification_refuses_is_in_the_audit_log(world: World) -> None:
    await world.begin(8)
    await world.drop("Kinseth")
    await rejoin(world, "Kinseth")
    await do(removing.disqualify, db=world.db, **by_organiser(world, player="Kinseth"))
    (refused,) = [row for row in await world.audit() if row.action == "entrant.answer_rejoin"]
    assert (refused.subject, refused.after) == ("Kinseth", {"accepted": False})


@pytest.mark.long
async def test_someone_who_was_knocked_out_hears_that_and_not_that_they_are_still_in(world: World) -> None:
    """With 8 players two loss out is one round, then the finals: one loss there puts a player out."""
    await world.begin(8, format="two-loss-out")
    await world.play_round()
    await world.play_round()
    table = await world.db.read(tables.standings, Order(actor=BOT, now=world.now, league_id=world.league_id))
    out = next(row.called for row in table.rows if row.standing.status is Status.ELIMINATED)
    with pytest.raises(Conflict, match=r"out of season 1 since the quarter-finals, so you can't come back"):
        await rejoin(world, out)
    inside = next(row.called for row in table.rows if row.standing.status is Status.QUALIFIED)
    with pytest.raises(Conflict, match="already in season 1"):
        await rejoin(world, inside)


@pytest.mark.parametrize("accept", [True, False])
async def test_a_request_to_come_back_can_not_be_answered_once_the_season_is_over(world: World, accept: bool) -> None:
    await world.begin(6)
    await world.drop("dok")
    await rejoin(world, "dok")
    (post,) = await world.posts("rejoin")
    await do(lifecycle.cancel, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id)
    assert await pinged(world, "can't come back") == ["dok"]
    answer: Any = {"actor": ORGANISER, "now": world.now, "request_id": int(post.facts["request_id"])}
    with pytest.raises(WrongPhase, match="is over"):
        await do(rejoining.answer_rejoin, db=world.db, **answer, accept=accept)
    assert not [told for told in await world.posts("own-place") if "refused" in str(told.facts["text"])]


async def drop_for_not_coming(world: World, name: str) -> None:
    """Let a moderator decide that a player forfeits their match, which also drops them."""
    view = await world.match_of(name)
    assert view is not None
    wins = Outcome.LOWER if view.upper.name == name else Outcome.UPPER
    decision: Any = {"match": view.match.id, "outcome": wins, "kind": Kind.FORFEIT, "reason": "never came"}
    await do(decisions.decide, db=world.db, actor=MODERATOR, now=world.now, **decision)


async def test_a_moderator_does_not_decide_about_their_own_place(world: World) -> None:
    await world.begin(4)
    await drop_for_not_coming(world, "dok")
    dok = replace(world.player("dok"), role_ids=MODERATOR.role_ids)
    who: Any = {"db": world.db, "now": world.now, "league_id": world.league_id, "player": "dok", "reason": "I'm here"}
    with pytest.raises(NotAllowed, match="your own place"):
        await do(rejoining.reinstate, **who, actor=dok)
    assert (await do(rejoining.reinstate, **who, actor=MODERATOR)).name == "dok"


@pytest.mark.parametrize("how", ["after the drop", "after the comeback was agreed"])
async def test_a_moderator_does_not_undo_what_an_organiser_made_of_their_drop(world: World, how: str) -> None:
    await world.begin(8, rejoin="free")
    await drop_for_not_coming(world, "dok")
    if how == "after the comeback was agreed":
        await world.play_round()
        await rejoin(world, "dok")
        await do(removing.remove, db=world.db, **by_organiser(world, player="dok"))
    else:
        await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    who: Any = {"db": world.db, "now": world.now, "league_id": world.league_id, "player": "dok", "reason": "I'm sure"}
    with pytest.raises(NotAllowed, match="Only organisers"):
        await do(rejoining.reinstate, **who, actor=MODERATOR)
    assert (await do(rejoining.reinstate, **who, actor=ORGANISER)).name == "dok"


async def test_a_disqualification_of_who_dropped_earlier_is_undone_and_leaves_them_dropped(world: World) -> None:
    await world.begin(8, rejoin="free")
    await drop_for_not_coming(world, "dok")
    await world.play_round()
    before = (await season_file(world)).departures
    await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    assert (await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"))).dropped
    assert (await season_file(world)).departures == before
    text = "dok's disqualification from season 1 is undone. They've left the season, as before."
    assert text in await world.notices()
    who: Any = {"db": world.db, "now": world.now, "league_id": world.league_id, "player": "dok", "reason": "late"}
    assert (await do(rejoining.reinstate, **who, actor=MODERATOR)).round == 3, "a moderator's drop, as before"


async def test_a_disqualification_of_who_dropped_earlier_stands_once_the_next_round_is_paired(world: World) -> None:
    await world.begin(8, rejoin="free")
    await world.drop("dok")
    await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    await world.play_round()
    with pytest.raises(Conflict, match="The next round was paired without dok"):
        await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"))


async def test_a_disqualification_of_who_comes_back_in_the_next_round_is_undone(world: World) -> None:
    await world.begin(8, rejoin="free")
    await world.drop("dok")
    await world.play_round()
    await rejoin(world, "dok")
    before = (await season_file(world)).departures
    await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    assert (await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"))).round == 3
    assert (await season_file(world)).departures == before
    await world.play_round()
    assert await world.match_of("dok") is not None
    assert verify(await season_file(world)).agrees


async def test_a_disqualification_of_who_dropped_from_groups_is_undone_and_opens_no_match(world: World) -> None:
    await world.begin(4, "round-robin")
    await world.drop("dok")
    await world.play_round()
    before = await season_file(world)
    await do(removing.disqualify, db=world.db, **by_organiser(world, player="dok"))
    await do(rejoining.reinstate, db=world.db, **by_organiser(world, player="dok"))
    after = await season_file(world)
    assert (after.departures, after.rounds) == (before.departures, before.rounds)
