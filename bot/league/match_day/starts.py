"""Starts to propose for a match: full hours until the deadline, those that suit both players first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import IntEnum
from zoneinfo import ZoneInfo

from bot.league.match_day.weekly_hours import Span, is_within
from bot.league.season.local_time import offset_at

MOST = 25
_HOUR = timedelta(hours=1)
_AHEAD = timedelta(minutes=30)
"""How far ahead the first start is, so that there is time to answer."""
_FARTHEST = timedelta(days=14)
_EVENINGS = (*((day, 1020, 1320) for day in range(5)), (5, 600, 1320), (6, 600, 1320))
"""When people play who haven't said at what times: weekdays from 17 to 22, weekends from 10."""
_EVENING = 19
_AWAKE = tuple((day, 540, 1380) for day in range(7))


class Fit(IntEnum):
    """How well a start suits someone, the best first."""

    OWN_HOURS = 0
    LIKELY = 1
    AWAKE = 2
    NIGHT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """When someone can play: their time zone, and the weekly hours they gave, if any."""

    zone: ZoneInfo
    hours: tuple[Span, ...] = ()

    def fit(self, moment: datetime) -> Fit:
        """Return how well a start suits them."""
        local = moment.astimezone(self.zone)
        if self.hours and is_within(local, self.hours):
            return Fit.OWN_HOURS
        if not self.hours and is_within(local, _EVENINGS):
            return Fit.LIKELY
        return Fit.AWAKE if is_within(local, _AWAKE) else Fit.NIGHT


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A start to propose, and whether it's in the weekly hours of the one who proposes and of the opponent."""

    moment: datetime
    mine: bool
    theirs: bool


def starts(now: datetime, until: datetime | None, me: Person, them: Person | None) -> tuple[Start, ...]:
    """Return at most 25 starts before a deadline, on full hours of one person: those in both people's hours first.

    The nights of either are left out where there are other times; an opponent who hasn't said where they live counts
    for nothing.
    """
    people = [person for person in (me, them) if person is not None]
    grid = list(_grid(now, until, me.zone))
    ranked = {moment: max(person.fit(moment) for person in people) for moment in grid}
    best = min(ranked.values(), default=Fit.NIGHT)
    offered = [moment for moment in grid if ranked[moment] < Fit.NIGHT or best is Fit.NIGHT]
    chosen = _spread(offered, ranked, me.zone)
    candidates = [
        Start(
            moment=moment,
            mine=me.fit(moment) is Fit.OWN_HOURS,
            theirs=them is not None and them.fit(moment) is Fit.OWN_HOURS,
        )
        for moment in sorted(chosen)
    ]
    return tuple(sorted(candidates, key=lambda start: not (start.mine and start.theirs)))


def _grid(now: datetime, until: datetime | None, zone: ZoneInfo) -> Iterator[datetime]:
    end = min(until or now + _FARTHEST, now + _FARTHEST)
    moment = (now + _AHEAD).replace(minute=0, second=0, microsecond=0)
    moment -= offset_at(moment, zone) % _HOUR
    while moment < end:
        if moment >= now + _AHEAD:
            yield moment
        moment += _HOUR


def _spread(offered: Sequence[datetime], ranked: dict[datetime, Fit], zone: ZoneInfo) -> list[datetime]:
    """Return the best starts; of equals as many of each day as there is room for, those in the evening first."""
    chosen = list[datetime]()
    for fit in Fit:
        days = dict[date, list[datetime]]()
        for moment in sorted(offered, key=lambda start: abs(start.astimezone(zone).hour - _EVENING)):
            if ranked[moment] is fit:
                days.setdefault(moment.astimezone(zone).date(), []).append(moment)
        longest = max(map(len, days.values()), default=0)
        chosen += [day[place] for place in range(longest) for day in days.values() if place < len(day)]
    return chosen[:MOST]
