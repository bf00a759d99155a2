"""When a round ends: the first such weekday and time at least half of its days away, in the league's zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.season.local_time import WEEKDAYS
from bot.league.season.round_end import end_after_reopening, end_of_round

BERLIN = ZoneInfo("Europe/Berlin")


def local(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def ended(start: str, days: int, ends: str | None, zone: ZoneInfo = BERLIN) -> str:
    moment = end_of_round(local(start, zone), days, ends, zone)
    assert moment.tzinfo is UTC
    return f"{moment.astimezone(zone):%a %Y-%m-%d %H:%M}"


def test_without_a_weekday_a_round_lasts_exactly_its_days() -> None:
    start = datetime(2026, 11, 21, 12, 0, 5, tzinfo=UTC)
    assert end_of_round(start, 7, None, BERLIN) == start + timedelta(days=7)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2026-11-16 18:00", "Sun 2026-11-22 21:00"),  # Monday: Sunday is six days away
        ("2026-11-19 09:00", "Sun 2026-11-22 21:00"),  # exactly three days and a half
        ("2026-11-19 09:01", "Sun 2026-11-29 21:00"),  # a minute too late for this Sunday
        ("2026-11-22 21:00", "Sun 2026-11-29 21:00"),  # from one end to the next
    ],
)
def test_it_ends_at_the_first_such_time_at_least_half_its_days_away(start: str, end: str) -> None:
    assert ended(start, 7, "sunday 21:00") == end


def test_short_rounds_end_on_the_next_such_day() -> None:
    assert ended("2026-11-22 20:59", 1, "sunday 21:00") == "Sun 2026-11-29 21:00"
    assert ended("2026-11-22 09:00", 1, "sunday 21:00") == "Sun 2026-11-22 21:00"


def test_half_of_the_days_is_counted_in_hours_that_pass_when_the_clocks_change() -> None:
    # On 25 October 2026 Berlin has 25 hours: half of seven days before Sunday 21:00 is Thursday 10:00, not 09:00.
    assert ended("2026-10-22 10:00", 7, "sunday 21:00") == "Sun 2026-10-25 21:00"
    assert ended("2026-10-22 10:01", 7, "sunday 21:00") == "Sun 2026-11-01 21:00"


def test_a_time_the_clocks_skip_is_the_first_valid_moment_after_it() -> None:
    found = end_of_round(local("2026-03-23 12:00"), 7, "sunday 02:30", BERLIN)
    assert found == datetime(2026, 3, 29, 1, tzinfo=UTC)
    assert f"{found.astimezone(BERLIN):%H:%M}" == "03:00"


def test_of_a_time_that_comes_twice_it_is_the_first() -> None:
    assert end_of_round(local("2026-10-19 12:00"), 7, "sunday 02:30", BERLIN) == datetime(
        2026, 10, 25, 0, 30, tzinfo=UTC
    )


@pytest.mark.parametrize(
    ("days", "hours_left", "hours"), [(7, 100, 100), (7, 3, 24), (2, 0, 24), (1, 3, 12), (1, 20, 20)]
)
def test_a_match_open_again_has_a_day_or_half_of_a_round_shorter_than_two(
    days: int, hours_left: int, hours: int
) -> None:
    start = datetime(2026, 11, 21, 12, tzinfo=UTC)
    end = end_after_reopening(start + timedelta(hours=hours_left), start, timedelta(days=days))
    assert end == start + timedelta(hours=hours)


@given(
    start=st.datetimes(datetime(2025, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    days=st.integers(1, 30),
    day=st.sampled_from(tuple(map(str.lower, WEEKDAYS))),
    minute=st.integers(0, 24 * 60 - 1),
    zone=st.sampled_from([BERLIN, ZoneInfo("America/Los_Angeles"), ZoneInfo("Australia/Lord_Howe"), ZoneInfo("UTC")]),
)
def test_the_end_is_at_least_half_away_and_less_than_a_week_more(
    start: datetime, days: int, day: str, minute: int, zone: ZoneInfo
) -> None:
    end = end_of_round(start, days, f"{day} {minute // 60:02}:{minute % 60:02}", zone)
    earliest = start + timedelta(days=days) / 2
    assert earliest <= end <= earliest + timedelta(days=7, hours=2)
    assert end.astimezone(zone).weekday() == WEEKDAYS.index(day.capitalize())
