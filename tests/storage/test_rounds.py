"""What the clock asks of rounds and matches."""

from datetime import datetime, timedelta

import pytest

from bot.league.season.model import Kind
from bot.league.season.phases import MatchState, SeasonPhase
from storage.database import Database
from storage.tables import matches, reports, rounds, seasons
from tests.storage.scene import NOW, Scene

HOUR = timedelta(hours=1)
DAY = 24 * HOUR


@pytest.mark.parametrize(
    ("own", "kept"), [(None, None), (NOW + HOUR, None), (NOW + DAY, None), (NOW + 2 * DAY, NOW + 2 * DAY)]
)
async def test_a_rounds_new_deadline_leaves_only_later_ones_of_single_matches(
    db: Database, own: datetime | None, kept: datetime | None
) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        await matches.set_time(conn, scene.match, deadline=own, overdue_at=NOW)
        await matches.forget_overdue(conn, scene.round, NOW + DAY)
        match = await matches.get(conn, scene.match)
    assert (match.deadline, match.overdue_at) == (kept, None)


async def test_a_confirmed_match_keeps_its_own_deadline(db: Database) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        await matches.set_time(conn, scene.match, deadline=NOW)
        await scene.set_match(state=MatchState.CONFIRMED, kind=Kind.DOUBLE_LOSS)
        await matches.forget_overdue(conn, scene.round, NOW + DAY)
        assert (await matches.get(conn, scene.match)).deadline == NOW


async def test_a_round_is_overdue_until_its_late_match_is_noted(db: Database) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        await rounds.change(conn, scene.round, deadline=NOW + DAY)
        assert await rounds.overdue(conn, NOW + DAY - HOUR) == ()
        assert await rounds.overdue(conn, NOW + DAY) == (scene.round,)
        (late,) = await matches.overdue(conn, scene.round, NOW + DAY)
        assert late.id == scene.match
        await matches.set_time(conn, scene.match, overdue_at=NOW + DAY)
        assert await rounds.overdue(conn, NOW + DAY) == await matches.overdue(conn, scene.round, NOW + DAY) == ()


async def test_a_matchs_own_deadline_counts_before_its_rounds(db: Database) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        await rounds.change(conn, scene.round, deadline=NOW + DAY)
        await matches.set_time(conn, scene.match, deadline=NOW + 2 * DAY)
        assert await rounds.overdue(conn, NOW + DAY) == await matches.overdue(conn, scene.round, NOW + DAY) == ()
        assert await rounds.overdue(conn, NOW + 2 * DAY) == (scene.round,)


async def test_overdue_matches_of_other_rounds_are_not_loaded(db: Database) -> None:
    async with db.transaction() as conn:
        scene, other = await Scene.build(conn), await Scene.build(conn, "Other")
        for each in (scene, other):
            await rounds.change(conn, each.round, deadline=NOW)
        assert await rounds.overdue(conn, NOW) == (scene.round, other.round)
        assert [match.id for match in await matches.overdue(conn, other.round, NOW)] == [other.match]


@pytest.mark.parametrize(
    ("length", "moments"),
    [
        (10 * DAY, [5 * DAY, 9 * DAY]),
        (3 * DAY, [1.5 * DAY, 2 * DAY]),
        (2 * DAY, [DAY]),
        (2.5 * DAY, [1.5 * DAY]),
        (DAY, [DAY / 2]),
    ],
)
async def test_reminders_are_due_at_half_time_and_a_day_ahead_and_once_where_these_are_near(
    db: Database, length: timedelta, moments: list[timedelta]
) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        await rounds.change(conn, scene.round, deadline=NOW + length)
        second = timedelta(seconds=1)
        for moment in moments:
            assert await matches.reminders_due(conn, NOW + moment - second) == ()
            assert len(await matches.reminders_due(conn, NOW + moment)) == 1
            await scene.set_match(reminded_at=NOW + moment)
        assert await matches.reminders_due(conn, NOW + length - second) == ()


async def test_a_reminder_counts_for_a_matchs_own_deadline(db: Database) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        await rounds.change(conn, scene.round, deadline=NOW + 4 * DAY)
        await scene.set_match(deadline=NOW + 8 * DAY, reminded_at=NOW + 2 * DAY)
        assert await matches.reminders_due(conn, NOW + 6 * DAY) == ()
        assert len(await matches.reminders_due(conn, NOW + 7 * DAY)) == 1
        assert await matches.reminders_due(conn, NOW + 8 * DAY) == ()


async def test_a_live_clock_is_its_own_reminder(db: Database) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        await rounds.change(conn, scene.round, clock_started_at=NOW, deadline=NOW + HOUR)
        assert await matches.reminders_due(conn, NOW + HOUR * 3 / 4) == ()


async def test_a_round_is_played_out_when_its_last_match_is_confirmed(db: Database) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        assert await rounds.played_out(conn, NOW) == ()
        await scene.set_match(state=MatchState.CONFIRMED, kind=Kind.DOUBLE_LOSS)
        assert await rounds.played_out(conn, NOW) == (scene.round,)


async def test_the_clock_asks_nothing_of_a_cancelled_season(db: Database) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        await rounds.change(conn, scene.round, deadline=NOW + HOUR)
        await seasons.change(conn, scene.season, phase=SeasonPhase.CANCELLED)
        late = NOW + HOUR
        assert await rounds.overdue(conn, late) == await matches.overdue(conn, scene.round, late) == ()
        assert await matches.reminders_due(conn, NOW + HOUR / 2) == ()
        await scene.set_match(state=MatchState.CONFIRMED, kind=Kind.DOUBLE_LOSS)
        assert await rounds.played_out(conn, NOW) == ()


async def test_only_the_newest_report_of_each_player_and_an_open_dispute_count(db: Database) -> None:
    async with db.transaction() as conn:
        scene = await Scene.build(conn)
        other = await Scene.build(conn, "Other")
        for each, result in ((scene, "lost"), (scene, "won"), (other, "lost")):
            said = {"match_id": each.match, "entrant_id": each.people[0], "own_games": None, "their_games": None}
            await reports.add(conn, **said, result=result, at=NOW)
        assert [report.result for report in await reports.standing(conn, [scene.match])] == ["won"]
        assert [report.result for report in await reports.standing(conn, [scene.match, other.match])] == ["won", "lost"]
        await reports.dispute(conn, match_id=scene.match, entrant_id=None, reason="no", at=NOW)
        assert await reports.open_disputes(conn, [other.match]) == ()
        (dispute,) = await reports.open_disputes(conn, [scene.match, other.match])
        assert dispute.match_id == scene.match
        await reports.settle(conn, scene.match, NOW)
        assert await reports.open_disputes(conn, [scene.match]) == ()
