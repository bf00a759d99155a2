"""The hours of a week in which someone usually can play: read as they type them, shown as they were understood."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby

from bot.league.errors import Invalid
from bot.league.match_day.typed_time import WEEKDAY, number_of
from bot.league.season.local_time import WEEKDAYS

Span = tuple[int, int, int]
"""A day of the week (Monday is 0), and the minutes from its midnight on; an end beyond 1440 is on the next day."""
EXAMPLE = "mon-fri 18:00-22:00, sun 10-18"

_DAY, _WEEK = 1440, 10080
_MOST = 50
_ALL = {"daily": range(7), "every day": range(7), "weekdays": range(5), "weekends": (5, 6), "weekend": (5, 6)}
_TIME = r"\d{1,2}(?::\d{2})?(?: ?[ap]m)?"
_ITEM = re.compile(
    rf"(?:(?P<all>{'|'.join(_ALL)})|(?P<first>{WEEKDAY})(?: ?- ?(?P<last>{WEEKDAY}))?)?:?"
    rf" ?(?:(?P<start>{_TIME}) ?- ?(?P<end>{_TIME}))?",
    re.ASCII,
)
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?(?: ?([ap])m)?", re.ASCII)


def read_hours(typed: str) -> tuple[Span, ...]:
    """Return the hours someone typed, in order, none for an empty text; raises Invalid."""
    text = unicodedata.normalize("NFKC", typed).casefold().replace("\N{EN DASH}", "-")
    days, spans, complete = list[int](), list[Span](), True
    for item in filter(None, (" ".join(part.split()) for part in re.split(r"[,;\n+&]| and ", text))):
        parsed = _ITEM.fullmatch(item)
        if parsed is None:
            raise Invalid(f"“{item[:50]}” isn't understood. Write days and hours like {EXAMPLE}.")
        named = _days(parsed)
        days = named if complete and named else [*days, *named]
        complete = parsed["start"] is not None
        spans += [(day, *_span(parsed)) for day in days] if complete else []
        if not days or len(spans) > _MOST:
            raise Invalid(f"Write days and hours like {EXAMPLE}.")
    if not complete:
        raise Invalid(f"The hours are missing at the end. Write days and hours like {EXAMPLE}.")
    return _joined(spans)


def _days(matched: re.Match[str]) -> list[int]:
    if matched["all"]:
        return list(_ALL[matched["all"]])
    if not matched["first"]:
        return []
    first, last = number_of(matched["first"]), number_of(matched["last"] or matched["first"])
    return [day % 7 for day in range(first, first + (last - first) % 7 + 1)]


def _span(matched: re.Match[str]) -> tuple[int, int]:
    """Return from and until when; an end that isn't later than its start is on the next day."""
    start, end = matched["start"], matched["end"]
    if end.endswith("m") and not start.endswith("m"):
        raise Invalid(f"“{start}-{end}” can mean two things. Write {start}am or {start}pm, or use 18:00-22:00.")
    first, last = _minute(start), _minute(end)
    return first % _DAY, last if last > first % _DAY else last + _DAY


def _minute(text: str) -> int:
    parsed = _CLOCK.fullmatch(text)
    assert parsed is not None
    hour, minute, half = int(parsed[1]), int(parsed[2] or 0), parsed[3]
    if minute > 59 or not (1 <= hour <= 12 if half else hour * 60 + minute <= _DAY):
        raise Invalid(f"“{text}” isn't a time of day. Write hours like {EXAMPLE}.")
    return (hour % 12 + 12 * (half == "p") if half else hour) * 60 + minute


def _joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return hours in order, those of a day that overlap as one."""
    joined = list[Span]()
    for day, start, end in sorted(spans):
        if joined and joined[-1][0] == day and start <= joined[-1][2]:
            first = joined.pop()
            joined.append((day, first[1], min(max(end, first[2]), first[1] + _DAY)))
        else:
            joined.append((day, start, end))
    return tuple(joined)


def hours_words(hours: Sequence[Span]) -> str:
    """Return weekly hours as people read them: `Mon-Fri 18:00-22:00, Sun 10:00-18:00`, with dashes."""
    of_day = {day: ", ".join(map(_span_words, spans)) for day, spans in groupby(hours, key=lambda span: span[0])}
    # Days in a row with the same hours stand together: their distance from their place in the list is the same.
    runs = groupby(enumerate(of_day), key=lambda place: (place[1] - place[0], of_day[place[1]]))
    return ", ".join(f"{_run_words([day for _, day in run])} {words}" for (_, words), run in runs)


def _run_words(days: Sequence[int]) -> str:
    first, last = WEEKDAYS[days[0]][:3], WEEKDAYS[days[-1]][:3]
    return first if len(days) == 1 else f"{first}\N{EN DASH}{last}"


def _span_words(span: Span) -> str:
    _, start, end = span
    return f"{_clock(start)}\N{EN DASH}{_clock(end if end <= _DAY else end - _DAY)}"


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def is_within(local: datetime, hours: Iterable[Span]) -> bool:
    """Whether a local time is one of the weekly hours."""
    minute = local.weekday() * _DAY + local.hour * 60 + local.minute
    return any((minute - day * _DAY - start) % _WEEK < end - start for day, start, end in hours)
