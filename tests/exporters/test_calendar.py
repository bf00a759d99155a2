"""Calendar files, read back by icalendar."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar

from bot.exporters.calendar import Entry, to_ics

NOW = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)


def events(*entries: Entry) -> list[Any]:
    return list(icalendar.Calendar.from_ical(to_ics("League; with, signs\\", entries, NOW)).walk("VEVENT"))


def entry(**given: Any) -> Entry:
    return Entry(**{"uid": "match-1@fairpair", "sequence": 3, "start": NOW, "summary": "Ada v Bo", **given})


def test_an_agreed_time_is_read_back() -> None:
    (event,) = events(entry(lasts=timedelta(hours=1), description="Round 3"))
    assert (event["UID"], event["SEQUENCE"], event["SUMMARY"]) == ("match-1@fairpair", 3, "Ada v Bo")
    assert (event.start, event.end, event["STATUS"]) == (NOW, NOW + timedelta(hours=1), "CONFIRMED")


def test_a_match_that_is_let_go_is_cancelled() -> None:
    (event,) = events(entry(cancelled=True))
    assert event["STATUS"] == "CANCELLED"


def test_texts_of_people_stay_inside_their_value() -> None:
    text = "BEGIN:VEVENT\r\nUID:other;,\\ " + "名" * 60
    (event,) = events(entry(summary=text))
    assert str(event["SUMMARY"]) == text.replace("\r\n", "\n")
    assert all(len(line) <= 75 for line in to_ics("x", [entry(summary=text)], NOW).split(b"\r\n"))


def test_a_time_over_a_change_of_clocks_is_the_same_moment() -> None:
    berlin = datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZoneInfo("Europe/Berlin"))
    (event,) = events(entry(start=berlin))
    assert event.start == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
