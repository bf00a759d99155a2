"""A result typed just after its round ended never lands in the next round."""

from datetime import timedelta

import pytest

from bot.league.errors import WrongPhase
from bot.league.season.phases import MatchState
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView, RoundView
from bot.services.play import decisions, reporting
from bot.services.play.reporting import Reported
from tests.files import do
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, World


async def current(world: World, number: int | None = None) -> RoundView:
    return await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=number)


async def report(
    world: World,
    name: str,
    result: str,
    match: str | int | None = None,
    score: str | None = None,
    agreed: str | None = "",
) -> Reported:
    said = {"match": match, "result": result, "score": score, "agreed": agreed}
    return await do(
        reporting.report, db=world.db, actor=world.player(name), league_id=world.league_id, now=world.now, **said
    )


async def asked_about(world: World, name: str, result: str, new: MatchView) -> None:
    """Type a result that is asked about, with nothing changed, and counts for the new round once that is agreed to."""
    side = next(side for side in new.sides if side.name == name)
    opponent = new.opponent_of(side).name
    with pytest.raises(ConfirmationNeeded, match=rf"This is for round 2, against {opponent}\. Right\?") as asked:
        await report(world, name, result)
    assert await untouched(world)
    done = await report(world, name, result, agreed=asked.value.token)
    assert (done.match.match.id, done.repeated) == (new.match.id, False)


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


@pytest.mark.parametrize("result", ["won", "lost"])
async def test_what_the_winner_types_after_the_loser_is_asked_about_first(world: World, result: str) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    await asked_about(world, match.upper.name, result, await mine(world, match))


async def test_the_winner_who_types_before_the_loser_is_confirmed_by_them(world: World) -> None:
    match = await last_open(world)
    await report(world, match.upper.name, "won")
    done = await report(world, match.lower.name, "lost")
    assert (done.match.match.id, done.repeated) == (match.match.id, False)
    assert done.match.match.state is MatchState.CONFIRMED
    assert await untouched(world)


@pytest.mark.parametrize("later", [0, 119])
async def test_a_loss_typed_twice_does_not_lose_the_next_match(world: World, later: int) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    world.later(seconds=later)
    with pytest.raises(ConfirmationNeeded, match="This is for round 2"):
        await report(world, match.lower.name, "lost")
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


async def test_confirming_the_round_before_is_ones_own_word_too(world: World) -> None:
    match = await last_open(world)
    await report(world, match.upper.name, "won")
    order = Order(actor=world.player(match.lower.name), now=world.now)
    await world.db.write(reporting.confirm, order, match=match.match.id)
    done = await report(world, match.lower.name, "lost")
    assert (done.match.round.number, done.repeated) == (2, False)


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
    done = [await do(reporting.confirm, db=world.db, **asked) for _ in range(2)]
    assert [(one.match.match.id, one.repeated) for one in done] == [(match.match.id, False), (match.match.id, True)]
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


async def test_what_is_typed_after_the_moderators_set_a_result_is_asked_about(world: World) -> None:
    match = await last_open(world)
    await world.db.write(
        decisions.decide,
        Order(actor=MODERATOR, now=world.now),
        match=match.match.id,
        outcome=Outcome.UPPER,
        reason="seen it",
    )
    with pytest.raises(ConfirmationNeeded, match="This is for round 2"):
        await report(world, match.lower.name, "lost")
    assert await untouched(world)


async def test_a_typed_confirmation_or_dispute_after_the_round_is_not_about_the_next_unasked(world: World) -> None:
    match = await last_open(world)
    await report(world, match.lower.name, "lost")
    asked = {"actor": world.player(match.upper.name), "now": world.now, "league_id": world.league_id, "agreed": ""}
    assert (await do(reporting.confirm, db=world.db, **asked)).match.match.id == match.match.id
    with pytest.raises(WrongPhase, match="nothing to dispute"):
        await do(reporting.dispute, db=world.db, reason="no", **asked)
    new = await mine(world, match)
    await report(world, next(side.name for side in new.sides if side.name != match.upper.name), "won", new.code)
    with pytest.raises(ConfirmationNeeded, match="This is for round 2"):
        await do(reporting.dispute, db=world.db, reason="no", **asked)
    with pytest.raises(ConfirmationNeeded, match="This is for round 2") as first:
        await do(reporting.confirm, db=world.db, **asked)
    confirmed = await do(reporting.confirm, db=world.db, **{**asked, "agreed": first.value.token})
    assert confirmed.match.match.state is MatchState.CONFIRMED


async def test_the_final_is_asked_about_with_its_article(world: World) -> None:
    await world.begin(4, "single-elimination")
    first, last = (await current(world)).matches
    await world.lose(first.lower.name)
    await report(world, last.lower.name, "lost")
    with pytest.raises(ConfirmationNeeded, match=r"This is for the final, against ") as asked:
        await report(world, last.upper.name, "won")
    assert "Right? Your match of semi-final " in asked.value.cost


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
