"""When a round ends, after so many days or at a weekday and time; how long a match opened again can be played."""

import re
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Any

from bot.league.season.local_time import WEEKDAYS, moments_meant
from bot.league.season.node import Node
from bot.league.season.setting_values import Values

_WEEKDAYS = tuple(map(str.casefold, WEEKDAYS))
_TIME_OF_DAY = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_MOMENT = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d", re.ASCII)
_DAY = timedelta(days=1)


class RoundEnd(Values[str]):
    """A weekday and a time of day, as `sunday 21:00`."""

    offered = ("sunday 21:00", "sunday 23:59", "monday 20:00", "friday 20:00")
    takes = "a weekday and a time, for example sunday 21:00"

    def read(self, node: Node) -> str:
        """Return the weekday and the time, written the same way however they were typed."""
        day, _, time_of_day = node.text().strip().casefold().partition(" ")
        parsed = _TIME_OF_DAY.fullmatch(time_of_day.strip())
        if day not in _WEEKDAYS or parsed is None:
            raise node.refused(f"give {self.takes}")
        return f"{day} {int(parsed[1]):02}:{parsed[2]}"

    def typed(self, node: Node) -> str:
        """Return the weekday and the time."""
        return self.read(node)

    def words(self, value: Any) -> str:
        """Return the weekday and the time with a capital."""
        return value.capitalize()


class Moment(Values[str]):
    """A day and a time of day, as `2026-12-20 21:00`."""

    takes = "a date and a time, for example 2026-12-20 21:00"

    def read(self, node: Node) -> str:
        """Return the date and the time, with one space between them."""
        text = " ".join(node.text().split())
        try:
            datetime.fromisoformat(text if _MOMENT.fullmatch(text) else "")
        except ValueError:
            raise node.refused(f"give {self.takes}") from None
        return text

    def typed(self, node: Node) -> str:
        """Return the date and the time."""
        return self.read(node)


def end_of_round(start: datetime, days: int, round_ends: str | None, zone: tzinfo) -> datetime:
    """Return when a round of so many days that starts at a moment ends, in UTC.

    With `round_ends`, as `sunday 21:00` in the zone, it's the first such time at least half of the days away. A time
    the clocks skip becomes the first valid moment after it; of one that comes twice it's the first.
    """
    start = start.astimezone(UTC)
    if round_ends is None:
        return start + timedelta(days=days)
    earliest = start + timedelta(days=days) / 2
    name, _, clock = round_ends.partition(" ")
    weekday, at = _WEEKDAYS.index(name), time.fromisoformat(clock)
    first = earliest.astimezone(zone).date()
    first += _DAY * ((weekday - first.weekday()) % 7)
    ends = (moments_meant(datetime.combine(first + _DAY * 7 * week, at), zone)[0] for week in (0, 1))
    return next(moment for moment in ends if moment >= earliest)


def end_after_reopening(end: datetime, start: datetime, length: timedelta) -> datetime:
    """Return until when a match can be played that is open again from `start` on, in a round of this length.

    That is its own end, but at least a day from then, or half of a round shorter than two days.
    """
    return max(end, start + min(_DAY, length / 2))
