"""What a typed time can mean: a small grammar that asks where it could mean two things, and never guesses."""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.league.errors import Invalid
from bot.league.match_day.zones import city_of
from bot.league.season.local_time import (
    MONTHS,
    WEEKDAYS,
    clock_words,
    full_words,
    moments_meant,
    offset_at,
    offset_words,
)

EXAMPLES = "fri 20:00, tomorrow 8pm, Nov 28 8:30pm, 28.11. 20:00 or 2026-11-28 20:00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """The moments a typed time can mean; where it isn't clear which, `question` says why they are asked."""

    moments: tuple[datetime, ...]
    question: str = ""


WEEKDAY = "mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs?|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
_MONTH = f"(?P<month>{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in map(str.casefold, MONTHS))}|sept)"
_YEAR = r"(?P<year>20\d\d)"
_SHORT_YEAR = r"(?P<year>20\d\d|\d\d)"
_NTH = "(?:st|nd|rd|th)?"
_DAYS = [
    re.compile(f"(?P<weekday>{WEEKDAY})?(?:[.,]? ?(?:{date_}))?,?", re.ASCII)
    for date_ in (
        "(?P<relative>today|tomorrow)",
        rf"{_YEAR}[-/](?P<m>\d{{1,2}})[-/](?P<d>\d{{1,2}})",
        rf"(?P<d>\d{{1,2}})\. ?(?P<m>\d{{1,2}})\.?(?: ?{_SHORT_YEAR})?",
        rf"(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})(?:/{_SHORT_YEAR})?",
        rf"{_MONTH}\.? ?(?P<d>\d{{1,2}}){_NTH}(?:,? {_YEAR})?",
        rf"(?:the )?(?P<d>\d{{1,2}})(?:\.|{_NTH}) ?(?:of )?{_MONTH}\.?(?:,? {_YEAR})?",
    )
]
_CLOCK = (
    r"(?:(?P<h>\d{1,2}):(?P<min>\d{2})(?: ?(?P<half>[ap])\.?m\.?| \((?P<also>\d{1,2}(?::\d{2})? [ap]m)\)| ?h)?"
    r"|(?P<h12>\d{1,2})(?:\.(?P<min12>\d{2}))? ?(?P<half12>[ap])\.?m\.?"
    r"|(?P<h24>\d{1,2}) ?h(?P<min24>\d{2})?|(?P<noon>noon))"
    r"(?: \(?(?P<offset>utc(?:[+-]\d{1,2}(?::\d{2})?)?)\)?)?"
)
_WHOLE = [
    re.compile(rf"(?P<day>.+?),? (?:at |@ ?)?{_CLOCK}", re.ASCII),
    re.compile(rf"{_CLOCK},? (?:on )?(?P<day>.+)", re.ASCII),
]
_SPAN = re.compile(
    r"in (?=\d)(?:(?P<hours>\d{1,3}) ?h(?:ours?)?)? ?(?:(?P<minutes>\d{1,4}) ?m(?:in(?:ute)?s?)?)?", re.ASCII
)


def read(typed: str, *, now: datetime, zone: ZoneInfo) -> Readings:
    """Return what a typed time can mean to someone in a time zone, past times too; raises Invalid."""
    text = " ".join(unicodedata.normalize("NFKC", typed).casefold().split())
    span = _SPAN.fullmatch(text)
    if span is not None:
        passed = {unit: int(number or 0) for unit, number in span.groupdict().items()}
        return Readings(moments=((now + timedelta(**passed)).replace(second=0, microsecond=0),))
    for pattern in _WHOLE:
        whole = pattern.fullmatch(text)
        day = whole and _day(whole["day"])
        if whole and day:
            return _read(day, whole, typed, now, zone)
    raise Invalid(f"“{typed.strip()[:50]}” isn't a day and a time. Write it like {EXAMPLES}.")


def _read(day: re.Match[str], whole: re.Match[str], typed: str, now: datetime, zone: ZoneInfo) -> Readings:
    today, candidates = now.astimezone(zone).date(), list[datetime]()
    for dates in _dates(day, today):
        for clock in _clocks(whole):
            locals_ = [datetime.combine(date, clock) for date in dates]
            candidates += [next((local for local in locals_ if moments_meant(local, zone)[-1] > now), locals_[0])]
    candidates = list(dict.fromkeys(candidates))
    fitting = [local for local in candidates if day["weekday"] is None or number_of(day["weekday"]) == local.weekday()]
    if not candidates:
        raise Invalid(f"“{typed.strip()[:50]}” isn't in the calendar. Check the day and the time.")
    if not fitting:
        really = full_words(moments_meant(candidates[0], zone)[0], zone).rpartition(",")[0]
        raise Invalid(f"The day of the week doesn't fit: that day is {really}. Leave out one of the two.")
    return _asked(fitting, whole["offset"], zone)


def _asked(moments: list[datetime], offset: str | None, zone: ZoneInfo) -> Readings:
    meant = sorted(moment for local in moments for moment in moments_meant(local, zone))
    if offset is not None:
        meant = [moment for moment in meant if offset_words(offset_at(moment, zone)).casefold() == offset]
        if not meant:
            raise Invalid(f"Leave out {offset.upper()}: times are read in your own time zone, {city_of(zone.key)}.")
    exact = [moment for moment in meant if moment.astimezone(zone).replace(tzinfo=None) in moments]
    if len(meant) == 1 and exact:
        return Readings(moments=tuple(meant))
    return Readings(moments=tuple(meant), question=_question(moments, exact, zone))


def _question(moments: list[datetime], exact: list[datetime], zone: ZoneInfo) -> str:
    if len(moments) > 1:
        return "Which one do you mean?"
    local = f"{moments[0]:%H:%M}"
    if not exact:
        return f"{local} doesn't exist in {city_of(zone.key)} that day, because clocks go forward. This is next:"
    return f"{local} comes twice in {city_of(zone.key)} that day, because clocks go back. Which one do you mean?"


# -- days -----------------------------------------------------------------------------------------------------------


def _day(text: str) -> re.Match[str] | None:
    parsed = (pattern.fullmatch(text) for pattern in _DAYS)
    return next((match for match in parsed if match and any(match.groupdict().values())), None)


def _dates(day: re.Match[str], today: date) -> Iterator[tuple[date, ...]]:
    """Yield each thing a day can mean, as dates of which the first that's still to come is meant."""
    fields = day.groupdict()
    if fields.get("relative"):
        yield (today + timedelta(days=fields["relative"] == "tomorrow"),)
    elif fields.get("first"):
        first, second = int(fields["first"]), int(fields["second"])
        for month, number in dict.fromkeys(((second, first), (first, second))):
            yield from _in_years(fields["year"], month, number, today)
    elif fields.get("d"):
        starts: list[str] = [month[:3].casefold() for month in MONTHS]
        month = int(fields["m"]) if fields.get("m") else starts.index(fields["month"][:3]) + 1
        yield from _in_years(fields.get("year"), month, int(fields["d"]), today)
    else:
        yield from _on_weekday(fields["weekday"], today)


def _in_years(year: str | None, month: int, number: int, today: date) -> Iterator[tuple[date, ...]]:
    years = (today.year, today.year + 1) if year is None else (int(year) % 100 + 2000,)
    dates = list[date]()
    for candidate in years:
        with suppress(ValueError):
            dates.append(date(candidate, month, number))
    if dates:
        yield tuple(dates)


def number_of(weekday: str) -> int:
    """Return the number of a day of the week by its first three letters, Monday being 0."""
    return next(number for number, day in enumerate(WEEKDAYS) if day[:3].casefold() == weekday[:3])


def _on_weekday(name: str, today: date) -> Iterator[tuple[date, ...]]:
    """Yield the next such day; on the day itself it can be today, while the time is still to come, or next week."""
    ahead = today + timedelta(days=(number_of(name) - today.weekday()) % 7)
    if ahead != today:
        yield (ahead,)
        return
    week_later = today + timedelta(days=7)
    yield (today, week_later)
    yield (week_later,)


# -- times of day ---------------------------------------------------------------------------------------------------


def _clocks(whole: re.Match[str]) -> Iterator[time]:
    """Yield each time of day meant; an hour up to 12 without `am`, `pm` or a zero before it can be either half."""
    if whole["noon"]:
        yield time(12)
    elif whole["h24"]:
        yield from _time(whole["h24"], whole["min24"])
    elif whole["h12"]:
        yield from _time(whole["h12"], whole["min12"], whole["half12"])
    elif whole["also"]:
        yield from (
            clock for clock in _time(whole["h"], whole["min"]) if clock_words(clock).endswith(f"({whole['also']})")
        )
    elif whole["half"] or re.fullmatch("[1-9]|1[0-2]", whole["h"]):
        for half in whole["half"] or "ap":
            yield from _time(whole["h"], whole["min"], half)
    else:
        yield from _time(whole["h"], whole["min"])


def _time(hour: str, minute: str | None, half: str | None = None) -> Iterator[time]:
    hours, minutes = int(hour), int(minute or 0)
    if half is not None:
        hours = hours % 12 + 12 * (half == "p") if 1 <= hours <= 12 else 24
    if hours < 24 and minutes < 60:
        yield time(hours, minutes)
