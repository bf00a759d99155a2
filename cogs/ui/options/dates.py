"""Dates as people type them: a span from now or a time in the league's zone; in the future, ten years away at most."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.league.errors import Invalid
from bot.league.match_day import typed_time

FARTHEST = timedelta(days=3660)
"""A date beyond is a slip of the pen; near the year 9999 no clock could hold it."""

_SPAN = re.compile(r"(?:(\d{1,4}) ?d)? ?(?:(\d{1,5}) ?h)? ?(?:(\d{1,5}) ?m(?:in)?)?", re.IGNORECASE)
_DATE = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})[ T](\d{1,2}:\d{2})(?: ?([+-]\d{2}:?\d{2}|Z))?", re.ASCII)
_HELP = "Give a date as 2026-12-01 18:00 or tomorrow 8pm (in the league's time zone), or a time from now such as 3d."


def read_date(text: str, *, now: datetime, time_zone: str) -> datetime:
    """Return the moment meant by `2026-12-01 18:00` in a time zone, or by `3d`, `12h` from now; raises Invalid.

    A local time that comes twice when clocks go back needs its offset: `2026-10-25 02:30 +02:00`.
    """
    typed = " ".join(text.split())
    span = _SPAN.fullmatch(typed)
    if typed and span is not None and any(span.groups()):
        days, hours, minutes = (int(part or 0) for part in span.groups())
        moment = now + timedelta(days=days, hours=hours, minutes=minutes)
    else:
        moment = _on_calendar(typed, now, ZoneInfo(time_zone))
    if moment <= now:
        raise Invalid(f"{typed[:40]!r} has passed already. {_HELP}")
    if moment > now + FARTHEST:
        raise Invalid(f"{typed[:40]!r} is more than ten years away. {_HELP}")
    return moment


def local_date(moment: datetime | None, time_zone: str) -> str:
    """Return a moment as people type it in a time zone; nothing for none."""
    return "" if moment is None else f"{moment.astimezone(ZoneInfo(time_zone)):%Y-%m-%d %H:%M}"


def _on_calendar(typed: str, now: datetime, zone: ZoneInfo) -> datetime:
    match = _DATE.fullmatch(typed)
    if match is None:
        return _said(typed, now, zone)
    try:
        if match[3] is not None:
            return datetime.strptime(f"{match[1]} {match[2]} {match[3]}", "%Y-%m-%d %H:%M %z").astimezone(UTC)
        local = datetime.strptime(f"{match[1]} {match[2]}", "%Y-%m-%d %H:%M")  # noqa: DTZ007 - its zone follows
    except (ValueError, OverflowError):
        raise Invalid(f"{typed!r} doesn't exist in the calendar. {_HELP}") from None
    return _once(local, zone)


def _said(typed: str, now: datetime, zone: ZoneInfo) -> datetime:
    """Return a moment as players write it when they propose times: `tomorrow 8pm`, `fri 20:00`; raises Invalid."""
    try:
        moments = typed_time.read(typed, now=now, zone=zone)
    except Invalid:
        raise Invalid(f"{typed[:40]!r} isn't a date. {_HELP}") from None
    if moments.question or len(moments.moments) != 1:
        both = " or ".join(local_date(moment, zone.key) for moment in moments.moments)
        raise Invalid(f"{typed[:40]!r} can mean more than one time. Write it as {both}.")
    return moments.moments[0]


def _once(local: datetime, zone: ZoneInfo) -> datetime:
    """Return the only moment of a local time; raises Invalid when clocks skip it or show it twice."""
    first, second = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != local:
        raise Invalid(f"{local:%Y-%m-%d %H:%M} doesn't exist in {zone}: clocks go forward then. Choose another time.")
    both = " or ".join(f"{moment:%Y-%m-%d %H:%M %z}" for moment in (first, second))
    raise Invalid(f"{local:%Y-%m-%d %H:%M} comes twice in {zone}, because clocks go back. Say which: {both}.")
