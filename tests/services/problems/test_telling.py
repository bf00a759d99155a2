"""A problem with a match: told by a player, answered or not, settled by moderators; deadlines wait meanwhile."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, Invalid, NotAllowed, NotFound, WrongPhase
from bot.league.season.model import Kind
from bot.league.season.phases import MatchState
from bot.services.base.order import Order
from bot.services.base.outbox import ROUND
from bot.services.base.permissions import BOT, Actor
from bot.services.base.post_kinds import PostKind
from bot.services.delivery.delivery import Delivery
from bot.services.matches.decision_posts import DECISION
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.organising import rounds_by_hand, swapping
from bot.services.play import clearing, reporting
from bot.services.play.round_posts import OVERDUE
from bot.services.problems import answering, judging, telling
from bot.services.problems.evidence import ANSWERED, PROBLEM, SETTLE_PROBLEM, ProblemPost
from bot.services.reads import details, inbox
from bot.services.seasons import lifecycle
from storage.posts import Target
from storage.tables import matches, problems
from storage.tables.people import players
from storage.tables.problems import ProblemEnd, ProblemId, ProblemKind
from tests.files import change_by_hand, do, look_into, see
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, ORGANISER, STRANGER, Watched, World

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


@pytest.fixture
async def match(world: World) -> MatchView:
    """The first match of round 1, a day after it was posted."""
    await world.begin(4)
    await world.announce()
    world.later(hours=25)
    return await now(world)


async def now(world: World, number: int | None = 1) -> MatchView:
    return (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=number)
    ).matches[0]


def sides(world: World, match: MatchView) -> tuple[Actor, Actor]:
    upper, lower = (world.player(side.name) for side in match.sides)
    return upper, lower


async def problem(world: World, match: MatchView, who: Actor | None = None, **more: Any) -> MatchView:
    said: Any = {"kind": ProblemKind.NO_ANSWER, "text": "I wrote twice", **more}
    actor = who or sides(world, match)[0]
    return await do(telling.tell_problem, db=world.db, actor=actor, now=world.now, match=match.match.id, **said)


def about(world: World, view: MatchView) -> dict[str, Any]:
    assert view.problem is not None
    return {"now": world.now, "match": view.match.id, "problem": view.problem.id}


async def answer(world: World, view: MatchView, text: str = "I was ill") -> MatchView:
    return await do(answering.answer, db=world.db, actor=sides(world, view)[1], **about(world, view), text=text)


async def award(world: World, view: MatchView, outcome: Outcome, *, only: bool = False) -> MatchView:
    settled: Any = {"outcome": outcome, "only_this_match": only, "reason": "asked twice"}
    return await do(judging.award, db=world.db, actor=MODERATOR, **about(world, view), **settled)


async def tick(world: World) -> list[Delivery]:
    await steps.tick(world.db, world.now)
    return await world.announce()


def of(made: list[Delivery], kind: PostKind) -> list[Delivery]:
    return [one for one in made if one.row.kind == kind]


async def waiting(world: World) -> inbox.Inbox:
    return await world.db.read(inbox.inbox, Order(actor=MODERATOR, now=world.now, league_id=world.league_id))


async def test_the_opponent_is_asked_once_and_has_their_time_from_when_they_were(
    world: World, match: MatchView
) -> None:
    await problem(world, match)
    world.later(hours=3)
    (asked,) = of(await world.announce(), PROBLEM)
    assert (asked.row.target, asked.row.person_id) == (Target.PERSON, match.lower.discord_id)
    told = (await now(world)).problem
    assert told is not None
    assert told.answer_until == world.now + timedelta(hours=24)
    assert (await waiting(world)).rows("problems") == ()


async def test_an_answer_hands_it_to_the_moderators_and_tells_the_player_who_asked(
    world: World, match: MatchView
) -> None:
    view = await problem(world, match)
    await world.announce()
    await answer(world, view)
    assert [post.removed for post in await world.posts(PROBLEM)] == [True]
    made = await world.announce()
    (told,), (decide,) = of(made, ANSWERED), of(made, SETTLE_PROBLEM)
    assert told.mention.people == (match.upper.discord_id,)
    assert decide.mention.roles
    facts = decide.post
    assert isinstance(facts, ProblemPost)
    assert (facts.problem.text, facts.problem.answer) == ("I wrote twice", "I was ill")
    assert facts.evidence is not None
    assert [called for called, _ in facts.evidence.sent] == [ROUND.called, PROBLEM.called, ANSWERED.called]
    assert [one.label for one in (await waiting(world)).rows("problems")] == [match.label]


@pytest.mark.long
async def test_silence_hands_it_to_the_moderators_once_and_decides_nothing(world: World, match: MatchView) -> None:
    await problem(world, match)
    await world.announce()
    world.later(hours=23, minutes=59)
    assert of(await tick(world), SETTLE_PROBLEM) == []
    world.later(minutes=1)
    done = await asyncio.gather(*(steps.tick(world.db, world.now) for _ in range(2)))
    assert sorted(done) == [0, 1]
    (decide,) = of(await world.announce(), SETTLE_PROBLEM)
    assert isinstance(decide.post, ProblemPost)
    assert decide.post.problem.answer is None
    world.later(days=2)
    assert of(await tick(world), SETTLE_PROBLEM) == []
    assert (await now(world)).match.state is MatchState.OPEN


async def test_an_answer_after_the_time_still_reaches_the_moderators(world: World, match: MatchView) -> None:
    view = await problem(world, match)
    await world.announce()
    world.later(hours=24)
    await tick(world)
    await answer(world, view)
    (post,) = await world.posts(SETTLE_PROBLEM)
    facts = await world.shown(post)
    assert isinstance(facts, ProblemPost)
    assert facts.problem.answer == "I was ill"


async def test_an_opponent_without_an_account_is_not_waited_for(world: World, match: MatchView) -> None:
    with change_by_hand(world.db) as conn:
        players.change(conn, match.lower.player_id, discord_id=None)
    await problem(world, match)
    kinds = [post.kind for post in await world.posts()]
    assert [kind for kind in kinds if kind in ("problem", "settle-problem")] == ["settle-problem"]


async def test_no_answer_is_too_early_on_the_first_day_and_in_short_rounds_before_half_of_them(world: World) -> None:
    await world.begin(4, round_days=1)
    match = await now(world)
    upper, _ = sides(world, match)
    asks: Any = {"db": world.db, "actor": upper, "match": match.match.id}
    begins = world.now + timedelta(hours=12)
    world.later(hours=11)
    early = await see(telling.tellable, **asks, now=world.now)
    assert (early.kinds, early.no_answer_from) == ((ProblemKind.TOO_LATE,), begins)
    with pytest.raises(Conflict, match=r"give .* a day"):
        await problem(world, match)
    world.later(hours=1)
    ready = await see(telling.tellable, **asks, now=world.now)
    assert (ready.kinds, ready.no_answer_from) == ((ProblemKind.NO_ANSWER, ProblemKind.TOO_LATE), None)
    await problem(world, match)


async def test_what_has_not_happened_cannot_be_told(world: World, match: MatchView) -> None:
    with pytest.raises(Conflict, match="no agreed time"):
        await problem(world, match, kind=ProblemKind.ABSENT)
    with pytest.raises(NotAllowed):
        await problem(world, match, STRANGER)
    await world.lose(match.lower.name)
    with pytest.raises(WrongPhase):
        await problem(world, match)


async def test_a_second_problem_is_refused_and_the_opponents_is_their_answer(world: World, match: MatchView) -> None:
    upper, lower = sides(world, match)
    await problem(world, match)
    with pytest.raises(Conflict, match="already"):
        await problem(world, match, upper)
    both = await problem(world, match, lower, kind=ProblemKind.TOO_LATE, text="on holiday")
    assert both.problem is not None
    assert both.problem.answer == "can't before the deadline: on holiday"
    with pytest.raises(Conflict, match="answered already"):
        await problem(world, match, lower)


async def test_in_a_cancelled_season_no_problem_is_told_nor_answered_by_another(world: World, match: MatchView) -> None:
    upper, lower = sides(world, match)
    await problem(world, match, upper)
    await do(lifecycle.cancel, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, reason="over")
    with pytest.raises(Conflict, match="The season was cancelled"):
        await see(telling.tellable, db=world.db, actor=lower, now=world.now, match=match.match.id)
    with pytest.raises(Conflict, match="The season was cancelled"):
        await problem(world, match, lower, kind=ProblemKind.TOO_LATE)


async def test_two_problems_at_once_are_one_problem_and_its_answer(world: World, match: MatchView) -> None:
    await asyncio.gather(*(problem(world, match, who) for who in sides(world, match)))
    view = await now(world)
    assert view.problem is not None
    assert view.problem.answer == "no answer: I wrote twice"
    with look_into(world.db) as conn:
        assert len(problems.of_match(conn, match.match.id)) == 1


@pytest.mark.long
@pytest.mark.parametrize("how", ["reported", "conceded", "cleared", "left", "withdrawn", "undone", "cancelled"])
async def test_a_problem_ends_with_what_settles_it_and_nothing_waits_any_more(
    world: World, match: MatchView, how: str
) -> None:
    upper, lower = sides(world, match)
    view = await problem(world, match)
    await world.announce()
    world.later(hours=24)
    await tick(world)
    says: Any = {"db": world.db, "now": world.now, "match": match.match.id}
    organiser: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    match how:
        case "reported":
            await do(reporting.report, actor=upper, result="won", **says)
        case "conceded":
            await do(reporting.report, actor=lower, result="lost", **says)
        case "cleared":
            await do(reporting.report, actor=upper, result="won", **says)
            await do(clearing.clear, actor=MODERATOR, reason="no", **says)
        case "left":
            await world.drop(view.lower.name)
        case "withdrawn":
            await do(telling.withdraw, db=world.db, actor=upper, **about(world, view))
        case "undone":
            await do(rounds_by_hand.undo, db=world.db, **organiser)
        case _:
            await do(lifecycle.cancel, db=world.db, **organiser)
    if how != "cancelled":
        with look_into(world.db) as conn:
            assert all(problem.ended_at for problem in problems.of_match(conn, view.match.id))
    assert [post.removed for post in await world.posts(PROBLEM)] in ([True], [])
    await world.announce()
    world.later(days=30)
    assert of(await tick(world), SETTLE_PROBLEM) == []
    with pytest.raises((Conflict, NotFound)):
        await award(world, view, Outcome.UPPER)
    assert (await waiting(world)).rows("problems") == ()


@pytest.mark.long
@pytest.mark.parametrize("overdue", ["moderators", "double_loss", "extend"])
async def test_an_open_problem_stops_the_deadline_and_it_counts_again_afterwards(world: World, overdue: str) -> None:
    await world.begin(2, overdue=overdue)
    await world.announce()
    world.later(days=6, hours=20)
    view = await problem(world, await now(world))
    world.later(hours=10)
    made = await tick(world)
    after = await now(world)
    assert of(made, OVERDUE) == of(made, DECISION) == []
    assert (after.match.overdue_at, after.match.state, after.deadline) == (None, MatchState.OPEN, view.deadline)
    assert (await waiting(world)).rows("overdue") == ()
    await do(judging.let_play, db=world.db, actor=MODERATOR, **about(world, after))
    await tick(world)
    late = await now(world)
    assert late.match.overdue_at or late.match.kind is Kind.DOUBLE_LOSS or late.deadline != view.deadline


async def test_a_moderator_gives_the_win_and_the_season_is_lost_with_it_unless_it_is_only_this_match(
    world: World, match: MatchView
) -> None:
    view = await award(world, await problem(world, match), Outcome.UPPER)
    assert (view.match.kind, view.winner, view.lower.active) == (Kind.FORFEIT, match.upper.name, False)
    (told,) = await world.posts(DECISION)
    assert told.facts["why"] == "asked twice"
    assert told.facts["text"] == f"{match.upper.name} won by forfeit. {match.lower.name} has left season 1."


@pytest.mark.parametrize("no_show", ["drop", "forfeit"])
async def test_only_this_match_keeps_the_player_in_the_season(world: World, no_show: str) -> None:
    await world.begin(4, no_show=no_show)
    world.later(hours=24)
    view = await problem(world, await now(world))
    assert judging.would_drop(view, view.lower) is (no_show == "drop")
    assert (await award(world, view, Outcome.LOWER, only=no_show == "drop")).upper.active


@pytest.mark.long
async def test_a_double_loss_is_a_decision_in_the_rounds_and_none_in_a_bracket(world: World, match: MatchView) -> None:
    assert (await award(world, await problem(world, match), Outcome.DOUBLE_LOSS)).match.kind is Kind.DOUBLE_LOSS
    await world.play_out()
    await world.begin(4, format="single-elimination")
    world.later(hours=24)
    view = await problem(
        world,
        (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[0],
    )
    with pytest.raises(Invalid, match="needs a winner"):
        await award(world, view, Outcome.DOUBLE_LOSS)


async def test_more_time_moves_this_match_alone_and_tells_both(world: World, match: MatchView) -> None:
    world.later(days=5)
    view = await problem(world, match, kind=ProblemKind.TOO_LATE)
    more: Any = {**about(world, view), "days": 3}
    after = await do(judging.give_time, db=world.db, actor=MODERATOR, **more)
    assert match.deadline is not None
    assert after.deadline == match.deadline + timedelta(days=3)
    assert (await now(world)).round.deadline == match.deadline
    (told,) = of(await world.announce(), DECISION)
    assert set(told.mention.people) == {side.discord_id for side in match.sides}
    with pytest.raises(Conflict, match="settled"):
        await do(judging.give_time, db=world.db, actor=MODERATOR, **more)


async def test_of_two_decisions_at_once_one_counts(world: World, match: MatchView) -> None:
    view = await problem(world, match)
    pressed = (award(world, view, Outcome.UPPER), award(world, view, Outcome.LOWER), award(world, view, Outcome.UPPER))
    done = await asyncio.gather(*pressed, return_exceptions=True)
    assert [isinstance(one, Conflict) for one in done].count(True) == 2
    assert (await now(world)).winner == match.upper.name


async def test_only_moderators_who_do_not_play_in_it_decide(world: World, match: MatchView) -> None:
    view = await problem(world, match)
    for who in (sides(world, match)[0], STRANGER):
        with pytest.raises(NotAllowed):
            await do(judging.let_play, db=world.db, actor=who, **about(world, view))
        with pytest.raises(NotAllowed):
            await world.db.read(
                judging.case, Order(actor=who, now=world.now), match=view.match.id, problem=ProblemId(1)
            )


async def test_only_the_two_and_the_moderators_read_the_words(world: World, match: MatchView) -> None:
    await answer(world, await problem(world, match))

    async def read(actor: Actor) -> list[Any]:
        found = await world.db.read(details.details, Order(actor=actor, now=world.now), match=match.match.id)
        return [(one.text, one.answer) for one in found.statements if isinstance(one, problems.ProblemRow)]

    for who in (*sides(world, match), MODERATOR):
        assert await read(who) == [("I wrote twice", "I was ill")]
    assert await read(STRANGER) == [("", None)]


@pytest.mark.long
async def test_a_problem_survives_a_crash(world: World, match: MatchView) -> None:
    await problem(world, match)
    await world.announce()
    path = world.db.path
    await world.db.close()
    world.db = await Watched.open(path)
    world.later(hours=24)
    await steps.tick(world.db, world.now)
    (post,) = await world.posts(SETTLE_PROBLEM)
    facts = await world.shown(post)
    assert isinstance(facts, ProblemPost)
    await award(world, await now(world), Outcome.UPPER)
    with look_into(world.db) as conn:
        (ended,) = problems.of_match(conn, match.match.id)
        assert ended.how is ProblemEnd.RESULT
    await world.db.close()


async def test_not_turning_up_can_be_told_once_the_agreed_time_is_over(world: World, match: MatchView) -> None:
    with change_by_hand(world.db) as conn:
        matches.change(conn, match.match.id, agreed_at=world.now + timedelta(hours=1))
    with pytest.raises(Conflict, match="no agreed time in the past"):
        await problem(world, match, kind=ProblemKind.ABSENT)
    world.later(hours=1)
    asked: Any = {"actor": sides(world, match)[0], "now": world.now, "match": match.match.id}
    assert ProblemKind.ABSENT in (await see(telling.tellable, db=world.db, **asked)).kinds
    assert (await problem(world, match, kind=ProblemKind.ABSENT)).problem is not None


async def test_a_match_that_gets_another_player_forgets_what_was_said(world: World, match: MatchView) -> None:
    await answer(world, await problem(world, match))
    await world.announce()
    other = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[1]
    swapped: Any = {"first": match.upper.name, "second": other.upper.name}
    await do(swapping.swap, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, **swapped)
    assert (await now(world)).problem is None
    assert [post.removed for post in await world.posts(SETTLE_PROBLEM)] == [True]
