"""A result typed just after its round ended never lands in the next round."""

import re
from datetime import timedelta

import pytest

from bot.league.errors import Conflict
from bot.league.season.phases import MatchState
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView, RoundView
from bot.services.play import decisions, reporting
from bot.services.play.reporting import Reported
from bot.services.reads import questions
from tests.files import do
from tests.services.conftest import MODERATOR, World


async def current(world: World, number: int | None = None) -> RoundView:
    return await world.db.read(
        questions.current, Order(actor=BOT, now=world.now, league_id=world.league_id), number=number
    )


async def report(
    world: World, name: str, result: str, match: str | int | None = None, score: str | None = None
) -> Reported:
    who = {"actor": world.player(name), "league_id": world.league_id}
    return await do(reporting.report, db=world.db, **who, now=world.now, match=match, result=result, score=score)


async def mine(world: World, match: MatchView) -> MatchView:
    """Return the match of the new round of the player who was the upper one."""
    found = [one for one in (await current(world)).matches if match.upper.id in {side.id for side in one.sides}]
    return found[0]


async def last_open(world: World) -> MatchView:
    """Play a round of four to its last match."""
    await world.begin(4)
    first, last = (await current(world)).matches
    await world.lose(first.lower.name)
    return last


async def untouched(world: World) -> bool:
    view = await current(world)
    assert view.round.number == 2
    return all(match.match.state is MatchState.OPEN and not match.reports for match in view.matches)


async def test_the_winner_who_types_after_the_loser_hears_that_it_is_confirmed_already(world: World) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    done = await report(world, match.upper.name, "won")
    assert (done.match.match.id, done.repeated, done.still_open) == (match.match.id, True, await mine(world, match))
    assert await untouched(world)


async def test_the_winner_who_types_before_the_loser_is_confirmed_by_them(world: World) -> None:
    match = await last_open(world)
    await report(world, match.upper.name, "won")
    done = await report(world, match.lower.name, "lost")
    assert (done.match.match.id, done.repeated, done.still_open) == (match.match.id, False, None)
    assert done.match.match.state is MatchState.CONFIRMED
    assert await untouched(world)


async def test_another_result_typed_after_the_round_is_refused_naming_both_matches(world: World) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    new = await mine(world, match)
    first, second = re.escape(match.label), re.escape(new.label)
    told = rf"{first} is already confirmed.*{second}.*/report result:lost match:{new.code}"
    with pytest.raises(Conflict, match=told):
        await report(world, match.upper.name, "lost")
    assert await untouched(world)


@pytest.mark.parametrize("later", [0, 119])
async def test_a_loss_typed_twice_does_not_lose_the_next_match(world: World, later: int) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    world.later(seconds=later)
    done = await report(world, match.lower.name, "lost")
    assert (done.match.match.id, done.repeated) == (match.match.id, True)
    with pytest.raises(Conflict, match="Which match"):
        await report(world, match.lower.name, "lost", score="0-1")
    assert await untouched(world)


@pytest.mark.parametrize(("later", "result"), [(0, "won"), (120, "lost")])
async def test_a_player_who_gave_their_word_on_the_round_before_reports_the_next_as_usual(
    world: World, later: int, result: str
) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    world.later(seconds=later)
    done = await report(world, match.lower.name, result)
    assert (done.match.round.number, done.repeated) == (2, False)


@pytest.mark.parametrize(("later", "result", "counts"), [(0, "lost", False), (0, "won", True), (120, "lost", True)])
async def test_confirming_the_round_before_is_ones_own_word_too(
    world: World, later: int, result: str, counts: bool
) -> None:
    match = await last_open(world)
    await report(world, match.upper.name, "won")
    await world.db.write(
        reporting.confirm, Order(actor=world.player(match.lower.name), now=world.now), match=match.match.id
    )
    world.later(seconds=later)
    done = await report(world, match.lower.name, result)
    assert (done.match.round.number == 2, done.repeated) == (counts, not counts)


async def test_a_winner_whose_report_was_confirmed_reports_the_next_win_at_once(world: World) -> None:
    match = await last_open(world)
    await report(world, match.upper.name, "won")
    world.later(minutes=30)
    await world.db.write(
        reporting.confirm, Order(actor=world.player(match.lower.name), now=world.now), match=match.match.id
    )
    done = await report(world, match.upper.name, "won")
    assert (done.match.match.id, done.repeated) == ((await mine(world, match)).match.id, False)


async def test_a_confirmation_typed_twice_is_answered_twice_and_confirms_nothing_new(world: World) -> None:
    match = await last_open(world)
    await report(world, match.upper.name, "won")
    asked = {"actor": world.player(match.lower.name), "now": world.now, "league_id": world.league_id}
    assert (await do(reporting.confirm, db=world.db, **asked)).match.match.id == match.match.id
    assert (await do(reporting.confirm, db=world.db, **asked)).match.match.id == match.match.id
    assert await untouched(world)


async def test_a_player_who_gave_their_word_on_the_round_before_disputes_the_next_at_once(world: World) -> None:
    match = await last_open(world)
    await report(world, match.upper.name, "won")
    await world.db.write(
        reporting.confirm, Order(actor=world.player(match.lower.name), now=world.now), match=match.match.id
    )
    new = await mine(world, match)
    await report(world, next(side.name for side in new.sides if side.name != match.upper.name), "won", new.code)
    asked = {"actor": world.player(match.upper.name), "now": world.now, "league_id": world.league_id}
    disputed = await do(reporting.dispute, db=world.db, reason="I won", **asked)
    assert (disputed.match.id, disputed.match.state) == (new.match.id, MatchState.DISPUTED)


async def test_a_result_the_moderators_set_is_confirmed_for_those_who_type_it_then(world: World) -> None:
    match = await last_open(world)
    await world.db.write(
        decisions.decide,
        Order(actor=MODERATOR, now=world.now),
        match=match.match.id,
        outcome=Outcome.UPPER,
        reason="seen it",
    )
    assert (await report(world, match.lower.name, "lost")).match.match.id == match.match.id
    with pytest.raises(Conflict, match="Which match"):
        await report(world, match.lower.name, "won")
    assert await untouched(world)


async def test_a_typed_confirmation_or_dispute_after_the_round_is_not_about_the_next(world: World) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    asked = {"actor": world.player(match.upper.name), "now": world.now, "league_id": world.league_id}
    assert (await do(reporting.confirm, db=world.db, **asked)).match.match.id == match.match.id
    with pytest.raises(Conflict, match=r"Which match.*/dispute match:R2"):
        await do(reporting.dispute, db=world.db, reason="no", **asked)
    new = await mine(world, match)
    await report(world, next(side.name for side in new.sides if side.name != match.upper.name), "won", new.code)
    with pytest.raises(Conflict, match=r"Which match.*/confirm match:R2"):
        await do(reporting.confirm, db=world.db, **asked)
    confirmed = await do(reporting.confirm, db=world.db, match=new.code, **asked)
    assert confirmed.match.match.state is MatchState.CONFIRMED


@pytest.mark.parametrize("how", ["later", "code", "button", "said before"])
async def test_the_open_match_is_meant_after_ten_minutes_or_once_it_was_named(world: World, how: str) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    new = await mine(world, match)
    said: str | int | None = None
    if how == "later":
        world.now += timedelta(minutes=10)
    elif how == "code":
        said = new.code
    elif how == "button":
        said = new.match.id
    else:
        await report(world, match.upper.name, "won", new.match.id)
    done = await report(world, match.upper.name, "lost", said)
    assert (done.match.match.id, done.match.match.state) == (new.match.id, MatchState.CONFIRMED)
