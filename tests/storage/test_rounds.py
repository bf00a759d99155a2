"""What the clock asks of rounds and matches."""

from datetime import datetime, timedelta

import pytest

from bot.league.season.model import Kind
from bot.league.season.phases import MatchState, SeasonPhase
from storage.database import Database
from storage.tables import matches, reports, rounds, seasons
from tests.files import change_by_hand
from tests.storage.scene import NOW, Scene

HOUR = timedelta(hours=1)
DAY = 24 * HOUR


@pytest.mark.parametrize(
    ("own", "kept"), [(None, None), (NOW + HOUR, None), (NOW + DAY, None), (NOW + 2 * DAY, NOW + 2 * DAY)]
)
def test_a_rounds_new_deadline_leaves_only_later_ones_of_single_matches(
    db: Database, own: datetime | None, kept: datetime | None
) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        matches.change(conn, scene.match, deadline=own, overdue_at=NOW)
        matches.forget_overdue(conn, scene.round, NOW + DAY)
        match = matches.get(conn, scene.match)
    assert (match.deadline, match.overdue_at) == (kept, None)


def test_a_confirmed_match_keeps_its_own_deadline(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        matches.change(conn, scene.match, deadline=NOW)
        scene.set_match(state=MatchState.CONFIRMED, kind=Kind.DOUBLE_LOSS)
        matches.forget_overdue(conn, scene.round, NOW + DAY)
        assert matches.get(conn, scene.match).deadline == NOW


def test_a_round_is_overdue_until_its_late_match_is_noted(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        rounds.change(conn, scene.round, deadline=NOW + DAY)
        assert rounds.overdue(conn, NOW + DAY - HOUR) == ()
        assert rounds.overdue(conn, NOW + DAY) == (scene.round,)
        (late,) = matches.overdue(conn, scene.round, NOW + DAY)
        assert late.id == scene.match
        matches.change(conn, scene.match, overdue_at=NOW + DAY)
        assert rounds.overdue(conn, NOW + DAY) == matches.overdue(conn, scene.round, NOW + DAY) == ()


def test_a_matchs_own_deadline_counts_before_its_rounds(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        rounds.change(conn, scene.round, deadline=NOW + DAY)
        matches.change(conn, scene.match, deadline=NOW + 2 * DAY)
        assert rounds.overdue(conn, NOW + DAY) == matches.overdue(conn, scene.round, NOW + DAY) == ()
        assert rounds.overdue(conn, NOW + 2 * DAY) == (scene.round,)


def test_overdue_matches_of_other_rounds_are_not_loaded(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene, other = Scene.build(conn), Scene.build(conn, "Other")
        for each in (scene, other):
            rounds.change(conn, each.round, deadline=NOW)
        assert rounds.overdue(conn, NOW) == (scene.round, other.round)
        assert [match.id for match in matches.overdue(conn, other.round, NOW)] == [other.match]


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
def test_reminders_are_due_at_half_time_and_a_day_ahead_and_once_where_these_are_near(
    db: Database, length: timedelta, moments: list[timedelta]
) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        rounds.change(conn, scene.round, deadline=NOW + length)
        second = timedelta(seconds=1)
        for moment in moments:
            assert matches.reminders_due(conn, NOW + moment - second) == ()
            assert len(matches.reminders_due(conn, NOW + moment)) == 1
            scene.set_match(reminded_at=NOW + moment)
        assert matches.reminders_due(conn, NOW + length - second) == ()


def test_a_reminder_counts_for_a_matchs_own_deadline(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        rounds.change(conn, scene.round, deadline=NOW + 4 * DAY)
        scene.set_match(deadline=NOW + 8 * DAY, reminded_at=NOW + 2 * DAY)
        assert matches.reminders_due(conn, NOW + 6 * DAY) == ()
        assert len(matches.reminders_due(conn, NOW + 7 * DAY)) == 1
        assert matches.reminders_due(conn, NOW + 8 * DAY) == ()


def test_a_live_clock_is_its_own_reminder(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        rounds.change(conn, scene.round, clock_started_at=NOW, deadline=NOW + HOUR)
        assert matches.reminders_due(conn, NOW + HOUR * 3 / 4) == ()


def test_a_round_is_played_out_when_its_last_match_is_confirmed(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        assert rounds.played_out(conn, NOW) == ()
        scene.set_match(state=MatchState.CONFIRMED, kind=Kind.DOUBLE_LOSS)
        assert rounds.played_out(conn, NOW) == (scene.round,)


def test_the_clock_asks_nothing_of_a_cancelled_season(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        rounds.change(conn, scene.round, deadline=NOW + HOUR)
        seasons.change(conn, scene.season, phase=SeasonPhase.CANCELLED)
        late = NOW + HOUR
        assert rounds.overdue(conn, late) == matches.overdue(conn, scene.round, late) == ()
        assert matches.reminders_due(conn, NOW + HOUR / 2) == ()
        scene.set_match(state=MatchState.CONFIRMED, kind=Kind.DOUBLE_LOSS)
        assert rounds.played_out(conn, NOW) == ()


def test_only_the_newest_report_of_each_player_and_an_open_dispute_count(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        other = Scene.build(conn, "Other")
        for each, result in ((scene, "lost"), (scene, "won"), (other, "lost")):
            said = {"match_id": each.match, "entrant_id": each.people[0], "own_games": None, "their_games": None}
            reports.add(conn, **said, result=result, at=NOW)
        assert [report.result for report in reports.standing(conn, [scene.match])] == ["won"]
        assert [report.result for report in reports.standing(conn, [scene.match, other.match])] == ["won", "lost"]
        reports.dispute(conn, match_id=scene.match, entrant_id=None, reason="no", at=NOW)
        assert [whole.dispute for whole in matches.whole(conn, other.match)] == [None]
        (whole,) = matches.whole(conn, scene.match)
        assert whole.dispute is not None
        assert whole.dispute.match_id == whole.match_row.id == scene.match
        reports.settle(conn, scene.match, NOW)
        assert [whole.dispute for whole in matches.whole_of_round(conn, scene.round)] == [None]
