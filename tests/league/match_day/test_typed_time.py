"""Typed times: understood as people mean them, asked about where they can mean two things, never guessed."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.league.errors import Invalid
from bot.league.match_day.typed_time import read
from bot.league.season.local_time import MONTHS, WEEKDAYS, first_after, full_words, moments, short_words

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = [
    ZoneInfo(name)
    for name in (
        "Europe/Berlin",
        "America/Los_Angeles",
        "America/St_Johns",
        "Asia/Kolkata",
        "Asia/Kathmandu",
        "Australia/Lord_Howe",
        "Pacific/Chatham",
        "Pacific/Kiritimati",
        "America/Nuuk",
        "Africa/Casablanca",
        "UTC",
    )
]
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
"""A Saturday: 13:00 in Berlin."""

zones = st.sampled_from(ZONES)
nows = st.integers(0, 5_000_000).map(lambda minute: datetime(2025, 1, 1, tzinfo=UTC) + timedelta(minutes=minute))


def meant(typed: str, now: datetime = NOW) -> list[str]:
    return [f"{one.astimezone(BERLIN):%Y-%m-%d %H:%M}" for one in read(typed, now=now, zone=BERLIN).moments]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("fri 20:00", "2026-11-27 20:00"),
        ("Friday, 8 p.m.", "2026-11-27 20:00"),
        ("8pm on fri", "2026-11-27 20:00"),
        ("tomorrow 8pm", "2026-11-22 20:00"),
        ("tomorrow noon", "2026-11-22 12:00"),
        ("today 21h", "2026-11-21 21:00"),
        ("sat 10:00 am", "2026-11-28 10:00"),
        ("Nov 28 8:30pm", "2026-11-28 20:30"),
        ("28th of November at 20:00", "2026-11-28 20:00"),
        ("sept 3 20:00", "2027-09-03 20:00"),
        ("28.11. 20:00", "2026-11-28 20:00"),
        ("28.11.2026 20:00", "2026-11-28 20:00"),
        ("2026-11-28 20:00", "2026-11-28 20:00"),
        ("28/11 20:00", "2026-11-28 20:00"),
        ("11/28 20:00", "2026-11-28 20:00"),
        ("thu 10/12 20:00", "2026-12-10 20:00"),
        ("11/11 20:00", "2027-11-11 20:00"),
        ("3 jan 08:30", "2027-01-03 08:30"),
        ("in 2 hours", "2026-11-21 15:00"),
        ("in 1h 30min", "2026-11-21 14:30"),
        ("  FRI   ２０:００ ", "2026-11-27 20:00"),
    ],
)
def test_what_people_type_is_understood(typed: str, expected: str) -> None:
    readings = read(typed, now=NOW, zone=BERLIN)
    assert meant(typed) == [expected]
    assert readings.question == ""


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("11/12 20:00", ["2026-12-11 20:00", "2027-11-12 20:00"]),
        ("tomorrow 8:30", ["2026-11-22 08:30", "2026-11-22 20:30"]),
        ("sat 20:00", ["2026-11-21 20:00", "2026-11-28 20:00"]),
    ],
)
def test_what_can_mean_two_things_is_asked(typed: str, expected: list[str]) -> None:
    assert meant(typed) == expected
    assert read(typed, now=NOW, zone=BERLIN).question == "Which one do you mean?"


@pytest.mark.parametrize(
    "typed",
    [
        "", "20:00", "fri", "fri 8", "fri 20", "next fri 20:00", "28.13. 20:00", "31 feb 20:00", "fri 25:00",
        "fri 13pm", "0pm tomorrow", "fri 28 Nov 20:00", "tomorrow 8pm CET", "dec 8pm", "in hours", "in", "20:00 21:00",
        "fri 20:00 (9 pm)", "2026-11-28 20:00 utc+5", "99/99 20:00", "x" * 500,
    ],
)  # fmt: skip
def test_anything_else_is_refused(typed: str) -> None:
    with pytest.raises(Invalid):
        read(typed, now=NOW, zone=BERLIN)


def test_a_time_that_comes_twice_is_asked_about_and_can_be_told_apart() -> None:
    now = datetime(2026, 10, 20, tzinfo=UTC)
    readings = read("25.10. 02:30", now=now, zone=BERLIN)
    assert "comes twice in Berlin" in readings.question
    assert readings.moments == (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 1, 30, tzinfo=UTC))
    assert read("25.10. 02:30 UTC+1", now=now, zone=BERLIN).moments == readings.moments[1:]


def test_the_later_of_two_readings_of_a_time_in_london_is_told_apart_as_utc() -> None:
    london, now = ZoneInfo("Europe/London"), datetime(2026, 10, 20, tzinfo=UTC)
    assert short_words(datetime(2026, 10, 25, 0, 30, tzinfo=UTC), london).endswith("01:30 (1:30 am) (UTC+1)")
    assert short_words(datetime(2026, 10, 25, 1, 30, tzinfo=UTC), london).endswith("01:30 (1:30 am) (UTC)")
    assert read("25.10. 01:30 UTC", now=now, zone=london).moments == (datetime(2026, 10, 25, 1, 30, tzinfo=UTC),)


def test_a_time_that_does_not_exist_is_asked_about_with_the_next_that_does() -> None:
    readings = read("28.3.2027 02:30", now=NOW, zone=BERLIN)
    assert "doesn't exist in Berlin" in readings.question
    assert readings.moments == (datetime(2027, 3, 28, 1, 0, tzinfo=UTC),)


@given(zones, nows, st.integers(-3 * 10**5, 10**6))
def test_what_is_shown_is_read_back_as_the_same_moment(zone: ZoneInfo, now: datetime, minutes: int) -> None:
    moment = (now + timedelta(minutes=minutes)).replace(second=0, microsecond=0)
    readings = read(full_words(moment, zone), now=now, zone=zone)
    assert readings.moments == (moment,)
    assert readings.question == ""


@given(zones, nows, st.integers(1, 12), st.integers(1, 12), st.integers(13, 23))
def test_two_numbers_are_never_taken_for_one_date_where_both_orders_exist(
    zone: ZoneInfo, now: datetime, first: int, second: int, hour: int
) -> None:
    assume(first != second)
    readings = read(f"{first}/{second} {hour}:00", now=now, zone=zone)
    local = {moment.astimezone(zone) for moment in readings.moments}
    assert {(one.day, one.month) for one in local} == {(first, second), (second, first)}
    assert readings.question


@given(zones, nows, st.integers(1, 12), st.integers(0, 59))
def test_an_hour_that_can_be_either_half_of_the_day_is_never_guessed(
    zone: ZoneInfo, now: datetime, hour: int, minute: int
) -> None:
    readings = read(f"tomorrow {hour}:{minute:02}", now=now, zone=zone)
    assert len(readings.moments) >= 2
    assert readings.question


@given(zones, nows, st.sampled_from(WEEKDAYS), st.integers(13, 23))
def test_a_day_of_the_week_is_the_next_one_or_asked_about_on_the_day_itself(
    zone: ZoneInfo, now: datetime, day: str, hour: int
) -> None:
    readings = read(f"{day[:3]} {hour}:00", now=now, zone=zone)
    for moment in readings.moments:
        assert now < moment <= now + timedelta(days=15)
        assert WEEKDAYS[moment.astimezone(zone).weekday()] == day
    if WEEKDAYS[now.astimezone(zone).weekday()] == day and len(readings.moments) == 1:
        assert readings.moments[0] > now + timedelta(days=5), "today's has passed"


@given(zones, nows, st.dates(date(2025, 1, 1), date(2036, 1, 1)), st.integers(13, 23))
def test_a_date_without_its_year_is_the_next_one(zone: ZoneInfo, now: datetime, day: date, hour: int) -> None:
    assume((day.month, day.day) != (2, 29))
    readings = read(f"{day.day} {MONTHS[day.month - 1]} {hour}:00", now=now, zone=zone)
    local = readings.moments[0].astimezone(zone)
    assert (local.month, local.day) == (day.month, day.day)
    assert now < readings.moments[0] < now + timedelta(days=368)


@given(st.text(max_size=40), zones)
def test_no_text_breaks_the_grammar(typed: str, zone: ZoneInfo) -> None:
    try:
        readings = read(typed, now=NOW, zone=zone)
    except Invalid:
        return
    assert readings.moments
    assert bool(readings.question) or len(readings.moments) == 1


@given(zones, nows)
def test_a_local_time_that_clocks_skip_has_a_next_moment_right_after_it(zone: ZoneInfo, now: datetime) -> None:
    local = now.replace(tzinfo=None)
    if not moments(local, zone):
        after = first_after(local, zone)
        shown = after.astimezone(zone).replace(tzinfo=None)
        assert local < shown <= local + timedelta(hours=2)
        assert (after - timedelta(minutes=1)).astimezone(zone).replace(tzinfo=None) < local


def test_the_first_moment_after_a_gap_is_right_to_the_second() -> None:
    # Liberia's clocks went forward by 44 minutes and 30 seconds.
    skipped = datetime(1972, 1, 7, 0, 20)  # noqa: DTZ001 (a local time)
    assert first_after(skipped, ZoneInfo("Africa/Monrovia")) == datetime(1972, 1, 7, 0, 44, 30, tzinfo=UTC)
