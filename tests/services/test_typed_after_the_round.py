"""A result typed just after its round ended never lands in the next round."""

from datetime import timedelta

import pytest

from bot.league.errors import Conflict
from bot.league.phases import MatchState
from bot.services.matches.views import MatchView, RoundView
from bot.services.permissions import BOT
from bot.services.results import decisions, reporting
from bot.services.results.outcome import Outcome
from bot.services.results.reporting import Reported
from bot.services.rounds import questions
from tests.services.conftest import MODERATOR, World


async def current(world: World, number: int | None = None) -> RoundView:
    return await questions.current(world.db, actor=BOT, league_id=world.league_id, number=number)


async def report(world: World, name: str, result: str, match: str | int | None = None) -> Reported:
    return await reporting.report(
        world.db, actor=world.player(name), now=world.now, league_id=world.league_id, match=match, result=result
    )


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
    assert (done.match.match.id, done.repeated, done.confirmed) == (match.match.id, True, True)
    assert await untouched(world)


async def test_the_winner_who_types_before_the_loser_is_confirmed_by_them(world: World) -> None:
    match = await last_open(world)
    await report(world, match.upper.name, "won")
    done = await report(world, match.lower.name, "lost")
    assert (done.match.match.id, done.repeated, done.confirmed) == (match.match.id, False, True)
    assert await untouched(world)


async def test_another_result_typed_after_the_round_is_refused_naming_both_matches(world: World) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    (mine,) = [one for one in (await current(world)).matches if match.upper.name in {s.name for s in one.sides}]
    with pytest.raises(Conflict, match=rf"{match.label}.*{mine.label}.*/report match:{mine.code}"):
        await report(world, match.upper.name, "lost")
    assert await untouched(world)


async def test_a_loss_typed_twice_does_not_lose_the_next_match(world: World) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    done = await report(world, match.lower.name, "lost")
    assert (done.match.match.id, done.repeated) == (match.match.id, True)
    with pytest.raises(Conflict, match="Which match"):
        await report(world, match.lower.name, "won")
    assert await untouched(world)


async def test_a_result_the_moderators_set_is_confirmed_for_those_who_type_it_then(world: World) -> None:
    match = await last_open(world)
    await decisions.decide(
        world.db, actor=MODERATOR, now=world.now, match=match.match.id, outcome=Outcome.UPPER, reason="seen it"
    )
    assert (await report(world, match.lower.name, "lost")).match.match.id == match.match.id
    with pytest.raises(Conflict, match="Which match"):
        await report(world, match.lower.name, "won")
    assert await untouched(world)


async def test_a_typed_confirmation_or_dispute_after_the_round_is_not_about_the_next(world: World) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    asked = {"actor": world.player(match.upper.name), "now": world.now, "league_id": world.league_id}
    assert (await reporting.confirm(world.db, **asked)).match.id == match.match.id
    with pytest.raises(Conflict, match=r"Which match.*/dispute match:R2"):
        await reporting.dispute(world.db, reason="no", **asked)
    (mine,) = [one for one in (await current(world)).matches if match.upper.name in {s.name for s in one.sides}]
    await report(world, next(side.name for side in mine.sides if side.name != match.upper.name), "won", mine.code)
    with pytest.raises(Conflict, match=r"Which match.*/confirm match:R2"):
        await reporting.confirm(world.db, **asked)
    confirmed = await reporting.confirm(world.db, match=mine.code, **asked)
    assert confirmed.match.state is MatchState.CONFIRMED


@pytest.mark.parametrize("how", ["later", "code", "button", "said before"])
async def test_the_open_match_is_meant_after_ten_minutes_or_once_it_was_named(world: World, how: str) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    (mine,) = [one for one in (await current(world)).matches if match.upper.name in {s.name for s in one.sides}]
    said: str | int | None = None
    if how == "later":
        world.now += timedelta(minutes=10)
    elif how == "code":
        said = mine.code
    elif how == "button":
        said = mine.match.id
    else:
        await report(world, match.upper.name, "won", mine.match.id)
    done = await report(world, match.upper.name, "lost", said)
    assert (done.match.match.id, done.confirmed) == (mine.match.id, True)
