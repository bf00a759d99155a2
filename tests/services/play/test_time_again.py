"""A match that is open again gets time: no one loses it moments after reading "Play your match"."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import steps
from bot.league.errors import Invalid
from bot.league.season.phases import MatchState, RoundPhase
from bot.league.season.round_end import end_after_reopening
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.matches.decision_posts import Decided, MatchPost
from bot.services.matches.views import MatchView
from bot.services.organising import rounds_by_hand, swapping
from bot.services.play import clearing, reporting
from bot.services.problems import judging, telling
from bot.services.seasons import pausing
from storage.tables.problems import ProblemId, ProblemKind
from tests.files import do
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, ORGANISER, World

DAY = timedelta(days=1)
MOMENTS = st.integers(0, 10_000_000).map(lambda seconds: datetime.fromtimestamp(1_800_000_000 + seconds, UTC))
LENGTHS = st.integers(1, 10_000_000).map(lambda seconds: timedelta(seconds=seconds))


@given(end=MOMENTS, start=MOMENTS, length=LENGTHS)
def test_a_match_open_again_has_a_day_or_half_of_a_short_round_and_never_less_than_before(
    end: datetime, start: datetime, length: timedelta
) -> None:
    until = end_after_reopening(end, start, length)
    assert until >= end
    assert until - start >= min(DAY, length / 2)
    assert until == end or until - start <= DAY


async def tick(world: World, **passed: float) -> int:
    world.later(**passed)
    return await steps.tick(world.db, world.now)


async def first(world: World) -> MatchView:
    return (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=1)
    ).matches[0]


async def report(world: World, name: str, result: str) -> None:
    said: Any = {"match": (await first(world)).match.id, "result": result}
    await do(reporting.report, db=world.db, actor=world.player(name), now=world.now, **said)


async def cleared(world: World) -> None:
    """A dispute held the deadline until moderators cleared the match."""
    view = await first(world)
    await report(world, view.upper.name, "won")
    await report(world, view.lower.name, "won")
    await tick(world, days=8)
    await world.db.write(
        clearing.clear, Order(actor=MODERATOR, now=world.now), match=view.match.id, reason="play it again"
    )


async def told_problem(world: World) -> ProblemId:
    view = await first(world)
    said: Any = {"match": view.match.id, "kind": ProblemKind.TOO_LATE, "text": "moving house"}
    who: Any = {"actor": world.player(view.upper.name), "now": world.now}
    problem = (await do(telling.tell_problem, db=world.db, **who, **said)).problem
    assert problem is not None
    await world.announce()
    await tick(world, days=8)
    return problem.id


async def let_play(world: World) -> None:
    problem = await told_problem(world)
    match = (await first(world)).match.id
    await world.db.write(judging.let_play, Order(actor=MODERATOR, now=world.now), match=match, problem=problem)


async def withdrawn(world: World) -> None:
    problem, view = await told_problem(world), await first(world)
    actor = world.player(view.upper.name)
    await world.db.write(telling.withdraw, Order(actor=actor, now=world.now), match=view.match.id, problem=problem)


async def taken_back(world: World) -> None:
    """A result of the last minute is taken back after the deadline."""
    view = await first(world)
    await tick(world, days=6, hours=23, minutes=58)
    await report(world, view.lower.name, "lost")
    await tick(world, minutes=4)
    now = await first(world)
    actor = world.player(view.lower.name)
    await do(reporting.take_back, db=world.db, actor=actor, now=world.now, **now.seen)


OPENED: dict[str, Callable[[World], Awaitable[None]]] = {
    "cleared": cleared,
    "let play": let_play,
    "withdrawn": withdrawn,
    "taken back": taken_back,
}


async def told(world: World) -> list[tuple[Decided, tuple[int, ...]]]:
    """Return what players are told of their matches now, with those each message mentions."""
    made = [(one.post, one.mention.people) for one in await world.announce() if isinstance(one.post, MatchPost)]
    return [(facts.decided, people) for facts, people in made if facts.decided is not None]


@pytest.mark.long
@pytest.mark.parametrize("overdue", ["double_loss", "moderators", "extend"])
@pytest.mark.parametrize("how", OPENED)
async def test_a_match_open_again_after_its_deadline_gets_a_day_and_both_are_told(
    world: World, how: str, overdue: str
) -> None:
    await world.begin(4, overdue=overdue, round_days=7, advance="manual")
    await world.lose(
        (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id)))
        .matches[1]
        .lower.name
    )
    await OPENED[how](world)
    view = await first(world)
    players = {side.discord_id for side in view.sides}
    assert view.match.state is MatchState.OPEN
    assert view.deadline is not None
    assert view.deadline >= world.now + DAY
    (decision,) = [one for one in await told(world) if one[0].until is not None]
    assert (decision[0].until, set(decision[1])) == (view.deadline, players)
    await tick(world, seconds=30)
    await tick(world, hours=23)
    view = await first(world)
    assert (view.match.state, view.round.phase, view.match.overdue_at) == (MatchState.OPEN, RoundPhase.OPEN, None)
    assert await world.posts("reminder") == (), "the message was the reminder"
    await tick(world, hours=2)
    after = await first(world)
    assert (after.match.state, after.match.overdue_at) != (MatchState.OPEN, None) or overdue == "extend"


@pytest.mark.parametrize("how", ["cleared", "let play", "withdrawn"])
async def test_in_a_pause_the_time_of_a_match_open_again_counts_from_the_end_of_the_pause(
    world: World, how: str
) -> None:
    await world.begin(4, overdue="double_loss", round_days=7)
    problem = ProblemId(0)
    if how == "cleared":
        view = await first(world)
        await report(world, view.upper.name, "won")
        await report(world, view.lower.name, "won")
        await tick(world, days=8)
    else:
        problem = await told_problem(world)
    until = world.now + 10 * DAY
    await world.db.write(pausing.pause, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), until=until)
    view = await first(world)
    match, now = view.match.id, world.now
    if how == "cleared":
        await world.db.write(clearing.clear, Order(actor=MODERATOR, now=now), match=match, reason="again")
    elif how == "let play":
        await world.db.write(judging.let_play, Order(actor=MODERATOR, now=now), match=match, problem=problem)
    else:
        await world.db.write(
            telling.withdraw, Order(actor=world.player(view.upper.name), now=now), match=match, problem=problem
        )
    assert (await first(world)).deadline == until + DAY


@pytest.mark.long
async def test_with_results_in_and_an_organiser_who_leads_a_cleared_typo_is_no_double_loss(world: World) -> None:
    await world.begin(8, advance="manual", overdue="double_loss")
    await world.play_round()
    await tick(world, days=8)
    who: Any = {"actor": MODERATOR, "now": world.now, "match": (await first(world)).match.id}
    await do(clearing.clear, db=world.db, **who, reason="typo")
    await tick(world, seconds=30)
    assert (await first(world)).match.state is MatchState.OPEN


async def test_a_short_round_gives_half_of_its_length(world: World) -> None:
    await world.begin(4, overdue="double_loss", round_days=1)
    view = await first(world)
    await report(world, view.upper.name, "won")
    await report(world, view.lower.name, "won")
    await tick(world, days=2)
    await world.db.write(clearing.clear, Order(actor=MODERATOR, now=world.now), match=view.match.id, reason="again")
    assert (await first(world)).deadline == world.now + DAY / 2


async def test_a_deadline_that_lies_further_off_stays(world: World) -> None:
    await world.begin(4, overdue="double_loss", round_days=7)
    view = await first(world)
    await report(world, view.lower.name, "lost")
    await world.db.write(clearing.clear, Order(actor=MODERATOR, now=world.now), match=view.match.id, reason="typo")
    assert (await first(world)).deadline == view.deadline


@pytest.mark.long
async def test_what_players_bring_about_gives_time_once_and_says_so_when_it_is_over(world: World) -> None:
    """Else a problem told and withdrawn again and again would hold a round for ever."""
    await world.begin(4, overdue="double_loss", round_days=7)
    await withdrawn(world)
    view = await first(world)
    assert view.deadline == world.now + DAY
    await told(world)
    await tick(world, hours=23)
    said: Any = {"kind": ProblemKind.TOO_LATE, "text": "still"}
    who: Any = {"actor": world.player(view.upper.name), "match": view.match.id}
    again = (await do(telling.tell_problem, db=world.db, **who, now=world.now, **said)).problem
    assert again is not None
    await tick(world, hours=2)
    await do(telling.withdraw, db=world.db, **who, now=world.now, problem=again.id)
    assert (await first(world)).deadline == view.deadline
    (decision,) = await told(world)
    assert decision[0].text.endswith("The time to play it is over.")
    assert "Play your match" not in decision[0].text
    assert set(decision[1]) == {side.discord_id for side in view.sides}
    await tick(world, seconds=30)
    assert (await first(world)).match.state is MatchState.CONFIRMED


async def test_a_result_taken_back_twice_gives_time_once(world: World) -> None:
    await world.begin(4, overdue="double_loss", round_days=7, advance="manual")
    await taken_back(world)
    view = await first(world)
    assert view.deadline == world.now + DAY
    await tick(world, hours=23)
    await report(world, view.lower.name, "lost")
    lost = await first(world)
    who: Any = {"actor": world.player(view.lower.name), "now": world.now}
    await do(reporting.take_back, db=world.db, **who, **lost.seen)
    assert (await first(world)).deadline == view.deadline


async def test_a_problem_withdrawn_while_there_is_time_is_told_to_the_opponent_alone(world: World) -> None:
    await world.begin(4, round_days=7)
    view = await first(world)
    said: Any = {"kind": ProblemKind.TOO_LATE, "text": "ill"}
    who: Any = {"actor": world.player(view.upper.name), "match": view.match.id, "now": world.now}
    problem = (await do(telling.tell_problem, db=world.db, **who, **said)).problem
    assert problem is not None
    await do(telling.withdraw, db=world.db, **who, problem=problem.id)
    (decision,) = await told(world)
    assert decision[1] == (view.lower.discord_id,)


async def test_what_moderators_decide_gives_time_each_time(world: World) -> None:
    await world.begin(4, overdue="double_loss", round_days=7)
    for _ in range(2):
        await cleared(world)
        assert (await first(world)).deadline == world.now + DAY


async def test_players_paired_by_hand_after_the_deadline_have_time_to_play(world: World) -> None:
    """The problems that held the matches are forgotten with the opponents they were about."""
    await world.begin(4, overdue="double_loss", round_days=7)
    one, two = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches
    for view in (one, two):
        who: Any = {"actor": world.player(view.upper.name), "now": world.now, "match": view.match.id}
        await do(telling.tell_problem, db=world.db, **who, kind=ProblemKind.TOO_LATE, text="ill")
    await tick(world, days=8)
    pair: Any = {"first": one.upper.name, "second": two.upper.name}
    await do(swapping.swap, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, **pair)
    assert len([one for one in await told(world) if one[0].until == world.now + DAY]) == 2
    await tick(world, seconds=30)
    after = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches
    assert {match.match.state for match in after} == {MatchState.OPEN}


@pytest.mark.long
async def test_a_press_that_arrives_twice_gives_time_once(world: World) -> None:
    await world.begin(4, overdue="double_loss", round_days=7)
    problem, view = await told_problem(world), await first(world)
    who: Any = {"actor": MODERATOR, "now": world.now, "match": view.match.id, "problem": problem}
    done = await asyncio.gather(*(do(judging.let_play, db=world.db, **who) for _ in range(2)), return_exceptions=True)
    assert len([one for one in done if isinstance(one, Exception)]) == 1
    assert len([one for one in await told(world) if one[0].until is not None]) == 1


@pytest.mark.long
async def test_more_days_given_in_a_pause_count_from_its_end(world: World) -> None:
    """Moderators and organisers move a deadline in the same way."""
    await world.begin(4, overdue="double_loss", round_days=7)
    problem, view = await told_problem(world), await first(world)
    until = world.now + 14 * DAY
    await world.db.write(pausing.pause, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), until=until)
    who: Any = {"actor": MODERATOR, "now": world.now, "match": view.match.id, "problem": problem}
    for days in (-400, 0, 366):
        with pytest.raises(Invalid, match="1 to 365 days"):
            await do(judging.give_time, db=world.db, **who, days=days)
    await do(judging.give_time, db=world.db, **who, days=3)
    assert (await first(world)).deadline == until + 3 * DAY
    by: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "match": view.match.id}
    await world.announce()
    await do(rounds_by_hand.extend, db=world.db, **by, days=2)
    assert (await first(world)).deadline == until + 5 * DAY
    assert "round" in {post.kind for post in await world.posts() if post.message_id is not None}, "it shows that"


async def test_a_live_match_cleared_before_its_clock_starts_has_no_deadline(world: World) -> None:
    await world.begin(4, pace="live")
    view = await first(world)
    await report(world, view.lower.name, "lost")
    cleared: Any = {"match": view.match.id, "reason": "the wrong table"}
    await world.db.write(clearing.clear, Order(actor=MODERATOR, now=world.later(minutes=5)), **cleared)
    again = await first(world)
    assert (again.match.state, again.deadline) == (MatchState.OPEN, None)
