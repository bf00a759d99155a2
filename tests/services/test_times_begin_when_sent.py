"""A time that decides begins when its message was sent, for every kind that has one; in a pause it stands still."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.season.phases import SeasonPhase
from bot.services import wiring
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.base.post_kinds import PostKind
from bot.services.play import possible_results, reporting
from bot.services.play.field.moving_up import MOVING_UP
from bot.services.play.round_posts import QUESTION
from bot.services.problems import telling
from bot.services.problems.evidence import PROBLEM
from bot.services.problems.patience import FIRST_MATCH
from bot.services.seasons import pausing
from bot.services.signups import signing_up
from bot.services.signups.check_in import CHECK_IN
from bot.services.signups.free_places import PLACE
from bot.services.ties.tie_posts import TIE, TIE_QUESTION
from storage.query import column
from storage.tables.problems import ProblemKind
from tests.examples import mostly_long
from tests.files import do, look_into, see
from tests.looked_up import posted_round
from tests.services.conftest import NAMES, ORGANISER, World
from tests.services.people.test_moving_up import finals, leave, move_to_a_new_account
from tests.services.ties.test_tie_match_reports import called, say
from tests.services.ties.test_ties import tied


@dataclass(frozen=True)
class Question:
    """How a question comes to be queued, how the file tells that silence decided it, and how long that takes."""

    enqueue: Callable[[World], Awaitable[Any]]
    decided: str
    time: timedelta = timedelta(hours=24)
    pauses: bool = True


async def report(world: World) -> None:
    await world.begin(4)
    view = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[0]
    who = world.player(view.upper.name)
    await world.db.write(reporting.report, Order(actor=who, now=world.now), match=view.match.id, result="won")


async def problem(world: World) -> None:
    await world.begin(4, round_days=365)
    view = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[0]
    said: Any = {"match": view.match.id, "kind": ProblemKind.TOO_LATE, "text": "away"}
    await do(telling.tell_problem, db=world.db, actor=world.player(view.upper.name), now=world.now, **said)


async def waits(world: World, *names: str) -> None:
    for name in names:
        who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
        await do(signing_up.sign_up, db=world.db, **who, display_name=name)


async def place(world: World) -> None:
    await world.create(max_players=2)
    await world.sign_up("dok", "Xorlof")
    await waits(world, "Ann")
    await world.drop("dok")


async def check_in(world: World) -> None:
    """Two days before sign-ups close players are asked; the clock does both."""
    await world.opened(
        format="ohs",
        settings={"max_players": 4, "check_in_hours": 24, "late_entry": 1},
        signups_close=world.now + timedelta(hours=24),
    )
    await world.sign_up(*NAMES[:4])
    await waits(world, "Eve", "Flo")
    await steps.tick(world.db, world.now)


async def moves_up(world: World) -> None:
    first = (await finals(world))[0]
    await leave(world, first)


async def not_begun(world: World) -> None:
    await world.begin(4, "round-robin", schedule="open", first_match_days=1, round_days=100)
    world.later(days=1)
    await steps.tick(world.db, world.now)


async def tie_match(world: World) -> None:
    tie = await called(world)
    await say(world, tie, tie.names[0], won=True)


QUESTIONS = {
    QUESTION: Question(report, "SELECT id FROM matches WHERE state = 'confirmed'", pauses=False),
    PROBLEM: Question(problem, "SELECT id FROM problems WHERE handed_at IS NOT NULL"),
    PLACE: Question(place, "SELECT id FROM audit WHERE action = 'waitlist.lapse'", pauses=False),
    MOVING_UP: Question(moves_up, "SELECT id FROM finals_places WHERE how = 'silent'"),
    TIE: Question(tied, "SELECT id FROM ties WHERE how = 'silence'"),
    TIE_QUESTION: Question(tie_match, "SELECT id FROM ties WHERE how = 'match'"),
    FIRST_MATCH: Question(not_begun, "SELECT id FROM first_matches WHERE silent_at IS NOT NULL"),
    CHECK_IN: Question(check_in, "SELECT id FROM audit WHERE action = 'entrant.no-check-in'", pauses=False),
}


async def decided(world: World, kind: PostKind) -> bool:
    with look_into(world.db) as conn:
        return bool(column(conn, QUESTIONS[kind].decided))


def test_every_kind_with_a_time_is_here() -> None:
    assert {question.kind for question in wiring.QUESTIONS} == set(QUESTIONS)


@pytest.mark.parametrize("kind", QUESTIONS)
async def test_silence_decides_nothing_while_no_one_was_asked(world: World, kind: PostKind) -> None:
    """The channel is closed, or the bot was off."""
    await QUESTIONS[kind].enqueue(world)
    for _ in range(5):
        world.later(days=3)
        await steps.tick(world.db, world.now)
        assert not await decided(world, kind)


@pytest.mark.parametrize("kind", QUESTIONS)
async def test_silence_decides_once_the_time_since_the_message_is_over(world: World, kind: PostKind) -> None:
    await QUESTIONS[kind].enqueue(world)
    if kind not in (CHECK_IN, MOVING_UP):  # these have a last moment, too
        world.later(days=3)
        await steps.tick(world.db, world.now)
    await world.announce()
    world.later(seconds=QUESTIONS[kind].time.total_seconds() - 1)
    await steps.tick(world.db, world.now)
    assert not await decided(world, kind)
    world.later(seconds=1)
    await steps.tick(world.db, world.now)
    assert await decided(world, kind)


async def test_players_asked_shortly_before_sign_ups_close_keep_their_places(world: World) -> None:
    await check_in(world)
    world.later(hours=13)
    await world.announce()
    world.later(hours=11)
    await steps.tick(world.db, world.now)
    status = await world.status()
    assert status.season.phase is SeasonPhase.RUNNING
    assert {who.name for who in status.entrants} == set(NAMES[:4])


async def test_a_new_account_that_is_asked_about_a_problem_has_the_whole_time(world: World) -> None:
    await problem(world)
    await world.announce()
    world.later(hours=20)
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    await move_to_a_new_account(world, view.matches[0].lower.name)
    await world.announce()
    await steps.tick(world.db, world.later(hours=24, seconds=-1))
    assert not await decided(world, PROBLEM)
    await steps.tick(world.db, world.later(seconds=1))
    assert await decided(world, PROBLEM)


async def pause(world: World, days: int) -> None:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(pausing.pause, db=world.db, **who, until=world.now + timedelta(days=days))


async def end_pause(world: World) -> None:
    await world.db.write(pausing.end, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))


PAUSING = [kind for kind, question in QUESTIONS.items() if question.pauses]


@pytest.mark.parametrize("sent", ["before", "in it"])
@pytest.mark.parametrize("kind", mostly_long(PAUSING, quick=2))
async def test_the_time_to_answer_stands_still_in_a_pause(world: World, kind: PostKind, sent: str) -> None:
    """Half of it is left, and stays left; it begins with the end of a pause in which the message was sent."""
    await QUESTIONS[kind].enqueue(world)
    left = 24
    if sent == "before":
        await world.announce()
        world.later(hours=12)
        left = 12
    await pause(world, 10)
    await world.announce()
    world.later(days=9)
    await steps.tick(world.db, world.now)
    assert not await decided(world, kind)
    world.later(days=1)
    await steps.tick(world.db, world.now)
    world.later(hours=left, seconds=-1)
    await steps.tick(world.db, world.now)
    assert not await decided(world, kind)
    world.later(seconds=1)
    await steps.tick(world.db, world.now)
    assert await decided(world, kind)


@pytest.mark.parametrize("kind", PAUSING)
async def test_the_message_that_asks_is_edited_where_a_pause_moves_its_end(world: World, kind: PostKind) -> None:
    await QUESTIONS[kind].enqueue(world)
    await world.announce()
    await pause(world, 10)
    assert kind in {post.kind for post in await world.posts() if post.message_id is not None}


@pytest.mark.parametrize("kind", PAUSING)
async def test_a_pause_that_ends_early_leaves_what_was_left_of_the_time(world: World, kind: PostKind) -> None:
    await QUESTIONS[kind].enqueue(world)
    await world.announce()
    world.later(hours=12)
    await pause(world, 10)
    world.later(days=2)
    await end_pause(world)
    world.later(hours=12, seconds=-1)
    await steps.tick(world.db, world.now)
    assert not await decided(world, kind)
    world.later(seconds=1)
    await steps.tick(world.db, world.now)
    assert await decided(world, kind)


@pytest.mark.parametrize("overdue", ["double_loss", "moderators", "extend"])
async def test_a_deadline_that_passed_while_the_bot_was_off_is_not_punished_in_a_pause(
    world: World, overdue: str
) -> None:
    await world.begin(4, overdue=overdue, round_days=7)
    world.later(days=8)
    await pause(world, 10)
    before = await world.audit()
    for _ in range(3):
        world.later(days=3)
        await steps.tick(world.db, world.now)
    assert await world.audit() == before
    assert await world.posts("overdue") == ()
    world.later(days=2)
    await steps.tick(world.db, world.now)
    assert await world.audit() != before


@pytest.mark.parametrize("paused", [False, True])
async def test_the_last_result_promises_the_next_round_only_where_it_comes(world: World, paused: bool) -> None:
    await world.begin(4, rounds=3)
    last, other = (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    ).matches
    await world.lose(other.lower.name)
    if paused:
        await pause(world, 10)
    who: Any = {"actor": world.player(last.lower.name), "now": world.now}
    found = await see(possible_results.choices, db=world.db, **who, match=last.match.id)
    promised = any("starts round 2" in one.follows for one in found.results)
    await world.lose(last.lower.name)
    current = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    assert promised is not paused
    assert promised is (current.round.number == 2)
