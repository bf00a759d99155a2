"""What happens by itself, once, however late and however often the clock looks."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.season.model import Kind
from bot.league.season.phases import MatchState, RoundPhase, SeasonPhase
from bot.services import clock
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Delivery
from bot.services.leagues import set_up
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import RoundView
from bot.services.organising import rounds_by_hand, timer
from bot.services.play import deadlines, decisions, reporting
from bot.services.play.round_posts import REMINDER, RoundPost
from cogs.posting.renderings import render
from storage.database import Database
from storage.query import run
from storage.tables import matches
from storage.tables.outbox import outbox_rows
from tests.files import change_by_hand, do, look_into
from tests.looked_up import posted_round
from tests.services.conftest import ADMIN, MODERATOR, MODERATOR_ROLE, NAMES, ORGANISER, ORGANISER_ROLE, World
from tests.services.people.acting import rejoin


async def tick(world: World) -> int:
    return await steps.tick(world.db, world.now)


async def current(world: World) -> RoundView:
    return await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))


async def opened(world: World, *names: str) -> None:
    await world.opened(
        format="ohs",
        signups_close=world.now + timedelta(days=2),
    )
    await world.sign_up(*names)


async def test_sign_ups_close_and_the_season_starts(world: World) -> None:
    await opened(world, *NAMES[:4])
    world.later(hours=23)
    assert await tick(world) == 0
    world.later(days=5)
    assert await asyncio.gather(tick(world), tick(world)) in ([1, 0], [0, 1])
    assert await tick(world) == 0
    assert (await world.status()).season.phase is SeasonPhase.RUNNING
    assert (await current(world)).round.number == 1


async def another_league(world: World, name: str, channel_id: int) -> World:
    """Return a second league of the same server, on the same file."""
    at = {"channel_id": channel_id, "moderator_role_id": MODERATOR_ROLE, "organiser_role_id": ORGANISER_ROLE}
    league = await do(set_up.create, db=world.db, actor=ADMIN, now=world.now, name=name, **at)
    return World(db=world.db, league=league, now=world.now)


@pytest.mark.long
async def test_one_season_that_cannot_be_read_stops_no_other(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """Its settings are of another version: everything the clock has to ask of it fails, and no one else notices."""
    await world.begin(4, overdue="double_loss", lists={"due_hours": 1})
    other = await another_league(world, "Second", 77)
    await other.begin(4, overdue="double_loss")
    await other.lose((await current(other)).matches[0].lower.name)
    with change_by_hand(world.db) as conn:
        broken = '{"gone_setting": 1}'
        run(conn, "UPDATE seasons SET settings = ? WHERE league_id = ?", broken, world.league_id)
        run(conn, "UPDATE rounds SET deadline = ?", world.now)
    now = world.later(minutes=1)
    unwatched = await Database.open(world.db.path)
    assert await steps.tick(unwatched, now) > 0
    assert (await current(other)).round.number == 2, "both lost there, and the next round is posted"
    said = [record for record in caplog.records if record.name == "bot.services.clock"]
    assert said
    assert all("gone_setting" in record.getMessage() and record.exc_info is None for record in said)
    assert len({record.getMessage() for record in said}) == len(said), "one line about each question"
    assert await steps.tick(unwatched, now) == 0
    await unwatched.close()


async def test_too_few_players_leave_sign_ups_open_with_a_notice(world: World) -> None:
    await opened(world, "dok")
    world.later(days=3)
    assert await tick(world) == 1
    assert await tick(world) == 0
    (text,) = await world.notices()
    assert "at least 2 players and has 1" in text
    assert "/season start" in text
    view = await world.status()
    assert (view.season.phase, view.season.signups_close) == (SeasonPhase.SIGNUP, None)
    await world.sign_up("Xorlof")
    await world.start()


async def test_reminders_go_to_those_who_have_to_say_something_and_say_what_is_missing(world: World) -> None:
    await world.begin(8)
    first, second, *rest = (await current(world)).matches
    await world.lose(first.lower.name)
    await world.announce()
    world.later(days=3, hours=12, seconds=-1)
    await tick(world)
    assert await world.posts("reminder") == ()
    world.later(seconds=1)
    assert await tick(world) == 1
    assert await tick(world) == 0
    await world.db.write(
        reporting.report,
        Order(actor=world.player(second.upper.name), now=world.now),
        match=second.match.id,
        result="won",
    )
    (post,) = await world.posts("reminder")
    shown = await world.shown(post)
    assert isinstance(shown, RoundPost)
    both = {side.discord_id for match in rest for side in match.sides}
    assert set(shown.ping_ids) == {second.lower.discord_id, *both}
    text = str(render(REMINDER, shown).parts[0])
    assert text.count("not reported yet") == len(rest)
    assert f"waiting for {second.lower.name}'s answer" in text
    await world.lose(rest[0].lower.name)
    later = await world.shown(post)
    assert isinstance(later, RoundPost)
    assert [match.label for match in later.view.matches] == [second.label, rest[1].label]


async def waiting(world: World) -> list[Delivery]:
    return [made for made in await world.announce() if made.row.kind == "waiting"]


async def test_what_waits_is_mentioned_daily_and_from_the_third_day_to_organisers_too(world: World) -> None:
    await world.begin(4)
    (match, *_) = (await current(world)).matches
    for side in match.sides:
        await world.db.write(
            reporting.report, Order(actor=world.player(side.name), now=world.now), match=match.match.id, result="won"
        )
    assert await waiting(world) == []
    told = []
    for _ in range(3):
        world.later(hours=24, seconds=-1)
        await tick(world)
        assert await waiting(world) == []
        world.later(seconds=1)
        await tick(world)
        (message,) = await waiting(world)
        told.append(message.mention.roles)
    organisers = (MODERATOR_ROLE, ORGANISER_ROLE)
    assert told == [(MODERATOR_ROLE,), organisers, organisers]
    with look_into(world.db) as conn:
        assert len(outbox_rows.about_waiting(conn)) == 1, "each replaces the one before"
    await world.db.write(
        decisions.decide,
        Order(actor=MODERATOR, now=world.now),
        match=match.match.id,
        outcome=Outcome.UPPER,
        reason="seen",
    )
    await tick(world)
    assert [post.removed for post in await world.posts("waiting")] == [True]
    await world.announce()
    assert await tick(world) == 0


async def test_what_only_organisers_settle_mentions_them_alone_every_day_and_both_where_something_else_waits(
    world: World,
) -> None:
    await world.begin(6)
    await world.drop("dok")
    await rejoin(world, "dok")
    await world.announce()
    told = []
    for day in range(2):
        if day == 1:
            (match, *_) = (await current(world)).missing
            for side in match.sides:
                order = Order(actor=world.player(side.name), now=world.now)
                await world.db.write(reporting.report, order, match=match.match.id, result="won")
            await world.announce()
        world.later(hours=25)
        await tick(world)
        told += [made.mention.roles for made in await waiting(world)]
    assert told == [(ORGANISER_ROLE,), (MODERATOR_ROLE, ORGANISER_ROLE)]


@pytest.mark.parametrize("ahead", ["report", "reminder"])
async def test_what_waits_is_mentioned_daily_though_the_clock_was_ahead(world: World, ahead: str) -> None:
    await world.begin(4, round_days=14)
    (match, *_) = (await current(world)).matches
    right = world.now
    if ahead == "report":
        world.later(days=10)
    for side in match.sides:
        await world.db.write(
            reporting.report, Order(actor=world.player(side.name), now=world.now), match=match.match.id, result="won"
        )
    if ahead == "reminder":
        world.later(days=10)
        await tick(world)
    await world.announce()
    world.now = right
    told = []
    for _ in range(3):
        world.later(days=1, hours=1)
        await tick(world)
        told.append(len(await waiting(world)))
    assert told == [1, 1, 1]


async def test_an_old_post_whose_edit_fails_once_is_not_mentioned_to_moderators_as_late(world: World) -> None:
    await world.begin(4, round_days=10)
    await world.announce()
    world.later(days=3)
    await tick(world)
    await world.announce()
    lower = (await current(world)).matches[0].lower
    await world.lose(lower.name)
    (card,) = await world.posts("round")

    async def fails(**wait: float) -> None:
        busy: Any = {"problem": "Discord didn't answer.", "retry_at": world.now + timedelta(**wait)}
        await world.db.write(delivery.failed, card.id, now=world.now, **busy)
        await tick(world)

    await fails(seconds=30)
    assert await world.posts("waiting") == (), "it's tried again in a moment"
    world.later(hours=23)
    await fails(hours=1)
    assert await world.posts("waiting") == ()
    world.later(hours=1)
    await fails(hours=1)
    assert len(await world.posts("waiting")) == 1, "it has failed for a day"


async def test_two_ticks_at_once_remind_once(world: World) -> None:
    await world.begin(4)
    world.later(days=6)
    assert sum(await asyncio.gather(tick(world), tick(world))) == 1
    made = [message.row.kind for message in await world.announce()]
    assert made.count("reminder") == 1


async def test_a_short_round_reminds_at_half_time(world: World) -> None:
    await world.begin(4, round_days=1)
    world.later(hours=12, seconds=-1)
    assert await tick(world) == 0
    world.later(seconds=1)
    assert await tick(world) == 1
    assert len(await world.posts("reminder")) == 1


async def test_after_downtime_a_reminder_that_came_too_late_is_left_out(world: World) -> None:
    await world.begin(4)
    world.later(days=30)
    assert await tick(world) == 1
    assert await world.posts("reminder") == ()
    assert len(await world.posts("overdue")) == 1
    assert await tick(world) == 0


@pytest.mark.long
async def test_the_deadline_hands_unreported_matches_to_the_moderators(world: World) -> None:
    await world.begin(8, confirm_hours=200)
    first, second, *rest = (await current(world)).matches
    await world.lose(first.lower.name)
    await world.db.write(
        reporting.report,
        Order(actor=world.player(second.upper.name), now=world.now),
        match=second.match.id,
        result="won",
    )
    await world.announce()
    world.later(days=7)
    assert await tick(world) == 2, "the report is asked about again, too"
    (post,) = await world.posts("overdue")
    shown = await world.shown(post)
    assert isinstance(shown, RoundPost)
    assert [match.label for match in shown.view.matches] == [match.label for match in rest]
    assert post.target == "moderation"
    assert (await current(world)).matches[1].match.state is MatchState.REPORTED
    await world.db.write(delivery.sent, post.id, now=world.now, channel_id=1, message_id=1, version=post.wanted)
    await world.lose(rest[0].lower.name)
    assert [queued.id for queued in await world.posts("overdue")] == [post.id]


async def test_the_deadline_lets_both_lose_where_the_season_says_so(world: World) -> None:
    await world.begin(4, overdue="double_loss", rounds=2)
    first, second = (await current(world)).matches
    await world.lose(first.lower.name)
    world.later(days=7)
    assert await tick(world) == 1
    view = await current(world)
    assert view.round.number == 2
    former = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=1)
    assert former.matches[1].match.kind == "double_loss"
    assert former.matches[1].match.id == second.match.id
    assert await world.posts("counted") == (), "the next round mentions them"


async def test_in_a_bracket_nobody_loses_twice_at_once(world: World) -> None:
    await world.begin(4, overdue="double_loss", rounds=1)
    await world.play_round()
    assert (await current(world)).round.stage == "finals"
    world.later(days=7)
    await tick(world)
    assert all(match.match.state is MatchState.OPEN for match in (await current(world)).matches)
    assert len(await world.posts("overdue")) == 1


async def test_the_deadline_moves_where_the_season_says_so(world: World) -> None:
    await world.begin(4, overdue="extend")
    before = (await current(world)).round.deadline
    assert before is not None
    world.later(days=7, minutes=3)
    assert await tick(world) == 1
    assert (await current(world)).round.deadline == before + timedelta(days=7)
    await tick(world)
    assert await tick(world) == 0
    world.later(days=30)
    await tick(world)
    assert (await current(world)).round.deadline == world.now + timedelta(days=7)


async def test_a_deadline_season_goes_on_at_the_deadline_and_later_when_results_come(world: World) -> None:
    await world.begin(4, advance="deadline")
    first, second = (await current(world)).matches
    await world.lose(first.lower.name)
    world.later(days=7)
    await tick(world)
    assert (await current(world)).round.number == 1
    await world.lose(second.lower.name)
    assert (await current(world)).round.number == 2


async def test_one_failure_keeps_nothing_else_from_being_done(world: World, caplog: pytest.LogCaptureFixture) -> None:
    await opened(world, *NAMES[:4])
    broken = (await world.status()).season
    with change_by_hand(world.db) as conn:
        conn.execute(
            "CREATE TRIGGER broken BEFORE UPDATE ON seasons WHEN NEW.id = 1 AND NEW.phase = 'running'"
            " BEGIN SELECT RAISE(ABORT, 'this season cannot be written'); END"
        )
    world.league = await world.db.write(
        set_up.create, Order(actor=ADMIN, now=world.now), name="Other", channel_id=9, organiser_role_id=ORGANISER_ROLE
    )
    await opened(world, *NAMES[:4])
    world.later(days=3)
    with caplog.at_level(logging.ERROR):
        assert await tick(world) == 1
    assert (await world.status()).season.phase is SeasonPhase.RUNNING
    assert f"start season {broken.id}" in caplog.text
    with change_by_hand(world.db) as conn:
        conn.execute("DROP TRIGGER broken")
    assert await tick(world) == 1
    assert await tick(world) == 0


async def test_a_round_that_cannot_be_paired_keeps_its_results(world: World) -> None:
    await world.begin(4)
    first = (await current(world)).matches[0]
    await world.play_round()
    with change_by_hand(world.db) as conn:
        # What no service writes: a round that is over with a result missing.
        matches.save(conn, replace(first.match, version=9, state=MatchState.OPEN, kind=Kind.OPEN, winner_id=None))
    await world.play_round()
    view = await current(world)
    assert (view.round.number, view.round.phase, view.missing) == (2, RoundPhase.CLOSED, ())
    (text,) = await world.notices()
    assert "Couldn't pair the next round" in text
    assert "/round post" in text
    (asked,) = [made.mention.roles for made in await world.announce() if made.row.kind == "stuck"]
    assert asked == (ORGANISER_ROLE,)
    assert await tick(world) == 0
    await world.db.write(
        decisions.decide,
        Order(actor=MODERATOR, now=world.now),
        match=first.match.id,
        outcome=Outcome.UPPER,
        reason="it was so",
    )
    after = await world.db.write(rounds_by_hand.post, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    assert after.round.number == 3


async def idle(world: World) -> bool:
    """Whether a tick does nothing at all and asks for no write transaction."""
    before = world.db.writes
    return await tick(world) == 0 and world.db.writes == before


def refused(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == clock.log.name]


async def finish_round(world: World) -> None:
    await world.begin(4, advance="manual")
    await world.play_round()


async def answer_no_tie(world: World) -> None:
    await world.begin(6, "lightseekers-swiss", rounds=1, cut=2, best_of=3)
    for match in (await current(world)).matches:
        await world.db.write(
            reporting.report,
            Order(actor=world.player(match.lower.name), now=world.now),
            match=match.match.id,
            result="lost",
            score="0-2",
        )
    assert await world.posts("tie")


async def wait_for_deadline(world: World) -> None:
    await world.begin(4, advance="deadline")
    await world.play_round()


async def call_time(world: World) -> None:
    await world.begin(4, pace="live")
    await world.db.write(timer.start, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), minutes=30)
    world.later(minutes=31)
    await tick(world)


@pytest.mark.parametrize("before", [finish_round, answer_no_tie, wait_for_deadline, call_time])
async def test_a_tick_with_nothing_due_opens_no_write_transaction(
    world: World, before: Callable[[World], Awaitable[None]], caplog: pytest.LogCaptureFixture
) -> None:
    await before(world)
    world.later(seconds=30)
    assert await idle(world)
    assert refused(caplog) == []


async def test_a_deadline_that_another_turn_of_the_clock_has_passed_changes_nothing(world: World) -> None:
    await world.begin(4, overdue="double_loss")
    view = await world.status()
    assert view.current_round is not None
    lines, posts = await world.audit(), await world.posts()
    assert not await world.db.write(deadlines.pass_deadline, view.current_round.round.id, world.now)
    assert (await world.audit(), await world.posts()) == (lines, posts)
