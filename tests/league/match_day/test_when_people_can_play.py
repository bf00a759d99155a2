"""Weekly hours, time zones, and the starts that are offered."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.errors import Invalid
from bot.league.match_day.starts import MOST, Fit, Person, starts
from bot.league.match_day.weekly_hours import Span, hours_words, is_within, read_hours
from bot.league.match_day.zones import offsets, zone_called
from bot.league.season.local_time import clock_words

BERLIN, ANGELES = ZoneInfo("Europe/Berlin"), ZoneInfo("America/Los_Angeles")
NOW = datetime(2026, 10, 26, 12, tzinfo=UTC)

spans = st.tuples(st.integers(0, 6), st.integers(0, 1439), st.integers(1, 1440)).map(
    lambda span: (span[0], span[1], span[1] + span[2])
)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("mon-fri 18:00-22:00, sun 10-18", "Mon–Fri 18:00–22:00, Sun 10:00–18:00"),
        ("sat, sun 10-12, 14-18; weekdays 8pm-11pm", "Mon–Fri 20:00–23:00, Sat–Sun 10:00–12:00, 14:00–18:00"),
        ("fri 22-2", "Fri 22:00–02:00"),
        ("sat 12am-1am; sun 12pm-2pm", "Sat 00:00–01:00, Sun 12:00–14:00"),
        ("daily 0-24", "Mon–Sun 00:00–24:00"),
        ("fri-mon 9-10", "Mon 09:00–10:00, Fri–Sun 09:00–10:00"),
        ("mon and wed 18-20, mon 19-22", "Mon 18:00–22:00, Wed 18:00–20:00"),
        ("", ""),
    ],
)
def test_hours_are_shown_as_they_were_understood(typed: str, shown: str) -> None:
    assert hours_words(read_hours(typed)).replace("\N{EN DASH}", "–") == shown


@pytest.mark.parametrize(
    "typed", ["whenever", "mon", "18-22", "mon 6-10pm", "mon 18-25", "mon 13pm-14pm", "mon 18:75-20", "daily 9-10," * 8]
)
def test_hours_that_are_not_clear_are_refused(typed: str) -> None:
    with pytest.raises(Invalid):
        read_hours(typed)


@given(st.lists(spans, max_size=12))
def test_hours_shown_are_read_back_as_the_same(given_: list[Span]) -> None:
    plain = ", ".join(f"{hours_words([span])}" for span in given_)
    hours = read_hours(plain)
    assert read_hours(hours_words(hours)) == hours


def test_hours_past_midnight_are_still_of_the_evening() -> None:
    hours = read_hours("sun 22-2")
    assert is_within(datetime(2026, 10, 26, 1, 30, tzinfo=BERLIN), hours), "Monday, half past one"
    assert not is_within(datetime(2026, 10, 26, 2, 0, tzinfo=BERLIN), hours)
    assert not is_within(datetime(2026, 10, 25, 1, 30, tzinfo=BERLIN), hours)


def test_every_offset_in_use_fits_two_lists_in_winter_and_summer() -> None:
    for month in (1, 7):
        found = offsets(datetime(2026, month, 15, tzinfo=UTC))
        west = [one for one in found if one.offset <= timedelta()]
        assert 12 <= len(west) <= 25
        assert 20 <= len(found) - len(west) <= 25
        assert timedelta(hours=5, minutes=45) in [one.offset for one in found]
        assert all(one.cities for one in found)
        cities = [city for one in found for city in one.cities]
        assert len({*cities}) == len(cities)


def test_a_time_zone_is_found_however_it_is_written_and_never_taken_for_a_path() -> None:
    assert zone_called(" america/new york").key == "America/New_York"
    for name in ("", "../etc/passwd", "Mars/Olympus", "/", "Europe"):
        with pytest.raises(Invalid):
            zone_called(name)


def test_starts_in_both_peoples_hours_come_first_and_nights_are_left_out() -> None:
    me = Person(zone=BERLIN, hours=read_hours("daily 18-22"))
    them = Person(zone=ANGELES, hours=read_hours("weekend 9-12"))
    found = starts(NOW, NOW + timedelta(days=7), me, them)
    assert len(found) == MOST
    first = [one.moment.astimezone(BERLIN) for one in found if one.mine and one.theirs]
    # On that Sunday Los Angeles changes its clocks: 9 to 12 there is 18 to 21 in Berlin.
    assert [(one.day, one.hour) for one in first] == [(31, 18), (31, 19), (1, 18), (1, 19), (1, 20)]
    assert [one.moment for one in found[: len(first)]] == first
    assert all(max(me.fit(one.moment), them.fit(one.moment)) < Fit.NIGHT for one in found)


def test_starts_begin_half_an_hour_from_now_and_keep_to_the_hours_people_are_awake() -> None:
    now = NOW.replace(minute=30)
    found = starts(now, now + timedelta(days=1), Person(zone=BERLIN), None)
    assert [one.moment.astimezone(BERLIN).hour for one in found] == [*range(14, 23), *range(9, 14)]
    night = now.replace(hour=22)
    assert [one.moment.hour for one in starts(night, night + timedelta(hours=2), Person(zone=BERLIN), None)] == [23, 0]


def test_of_equal_starts_of_a_day_the_one_in_the_evening_is_offered_first() -> None:
    anyone = Person(zone=BERLIN, hours=read_hours("daily 0-24"))
    offered = starts(NOW, NOW.replace(hour=21) + timedelta(days=9), anyone, None)
    assert len(offered) == MOST
    assert {start.moment.astimezone(BERLIN).hour for start in offered} == {18, 19, 20}


@pytest.mark.parametrize(
    ("hour", "minute", "shown"),
    [(0, 0, "00:00 (12 am)"), (11, 59, "11:59 (11:59 am)"), (12, 0, "12:00 (12 pm)"), (20, 5, "20:05 (8:05 pm)")],
)
def test_a_time_of_day_is_shown_for_both_halves_of_the_world(hour: int, minute: int, shown: str) -> None:
    assert clock_words(time(hour, minute)) == shown


@given(
    st.integers(0, 20000), st.sampled_from([BERLIN, ANGELES, ZoneInfo("Asia/Kathmandu")]), st.booleans(), st.booleans()
)
def test_every_start_is_a_full_hour_before_the_deadline_and_there_is_one_if_there_is_time(
    minutes: int, zone: ZoneInfo, known: bool, hours: bool
) -> None:
    until = NOW + timedelta(minutes=minutes)
    me = Person(zone=zone, hours=read_hours("fri 18-22") if hours else ())
    found = starts(NOW, until, me, Person(zone=ANGELES) if known else None)
    assert len(found) <= MOST
    assert len({one.moment for one in found}) == len(found)
    assert all(NOW < one.moment < until and one.moment.astimezone(zone).minute == 0 for one in found)
    assert found or minutes <= 90
