"""Which numbers past seasons get: what their file says, else by their dates between those the league has already.

Seasons without dates stand in the order of the years in their titles, where these tell.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Protocol

from bot.league.errors import Conflict

Days = tuple[date, date]

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_PARTS = re.compile(
    r"\b(?:(spring|frühling|frühjahr|printemps)|(summer|sommer|été)|(autumn|fall|herbst|automne))\b", re.IGNORECASE
)
"""The parts of a year whose order is sure: a winter may be its beginning or its end."""


class Dated(Protocol):
    """A season that may have a number and dates."""

    @property
    def title(self) -> str:
        """What its file calls it."""
        ...

    @property
    def number(self) -> int | None:
        """The number its file gives it."""
        ...

    @property
    def dates(self) -> Days | None:
        """The first and the last day."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """A season the league has: `loose` ones make room, `own` ones are played here, without dates after all others."""

    number: int
    dates: Days | None = None
    own: bool = False
    loose: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """The numbers of new seasons in their order, and what the seasons that make room are called from now on."""

    new: tuple[int, ...]
    moved: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """A season whose number stays: `day` is None where it says nothing of what was before it."""

    number: int
    day: date | None
    own: bool = False

    @property
    def divides(self) -> bool:
        """Whether seasons are before or after it by their dates."""
        return self.own or self.day is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loose:
    """A season that gets its number by its dates: `at` is whether it is new, and its number before or its place.

    `rank` is where it stands among those without dates.
    """

    at: tuple[bool, int]
    rank: int
    day: date | None


def numbers_for(new: Sequence[Dated], here: Sequence[Here] = (), first: int | None = None) -> Numbers:
    """Return a number for each new season, `first` and those after it if that is given.

    A season without dates comes last of those before the league's own. Raises Conflict for numbers that are taken, and
    where too few are free.
    """
    stated = _stated(new, first)
    fixed = [_placed(season) for season in here if not season.loose]
    doubled = sorted({season.number for season in fixed} & set(stated.values()))
    if doubled:
        one = "Leave it out, or give another number." if first is None else "Give another number."
        step = one if first is not None or len(new) == 1 else "Leave them out, or give them other numbers in the file."
        raise Conflict(f"This league has these seasons already: {', '.join(map(str, doubled))}. {step}")
    fixed += [
        _Placed(number=number, day=_day(new[index].dates) if first is None else None)
        for index, number in stated.items()
    ]
    ranks = _ranks(new)
    loose = [
        _Loose(at=(False, season.number), rank=season.number, day=_day(season.dates)) for season in here if season.loose
    ]
    loose += [
        _Loose(at=(True, at), rank=ranks[at], day=_day(season.dates))
        for at, season in enumerate(new)
        if at not in stated
    ]
    given: dict[tuple[bool, int], int] = {}
    for before, group in _groups(loose, fixed).items():
        given |= dict(zip((season.at for season in group), _room(len(group), before, fixed), strict=True))
    return Numbers(
        new=tuple(stated[at] if at in stated else given[True, at] for at in range(len(new))),
        moved={
            season.number: number
            for season in here
            if season.loose and (number := given[False, season.number]) != season.number
        },
    )


def _stated(new: Sequence[Dated], first: int | None) -> dict[int, int]:
    """Return the numbers that were said, by the place of their season."""
    stated = {at: season.number for at, season in enumerate(new) if season.number is not None}
    if first is None:
        return stated
    if stated and len(new) > 1:
        raise Conflict(
            "The seasons of this file have numbers already. Leave out the number; they can be changed in the file."
        )
    ranks = _ranks(new)
    by_date = sorted(range(len(new)), key=lambda at: (_day(new[at].dates) or date.max, ranks[at]))
    return {at: first + rank for rank, at in enumerate(by_date)}


def _ranks(new: Sequence[Dated]) -> Sequence[int]:
    """Return where each season stands by the years in the titles; as they come where the titles don't tell."""
    times = [_time(season.title) for season in new]
    years = [time[0] for time in times]
    known = all(year and (part or years.count(year) == 1) for year, part in times) and len({*times}) == len(times)
    return [sorted(times).index(time) for time in times] if known else range(len(times))


def _time(title: str) -> tuple[int, int]:
    """Return the year in a title and the part of it, 0 for none."""
    year, part = _YEAR.search(title), _PARTS.search(title)
    return (0 if year is None else int(year[0]), 0 if part is None else part.lastindex or 0)


def _day(dates: Days | None) -> date | None:
    return None if dates is None else dates[0]


def _placed(season: Here) -> _Placed:
    return _Placed(number=season.number, day=_day(season.dates), own=season.own)


def _groups(loose: Sequence[_Loose], fixed: Sequence[_Placed]) -> dict[int, list[_Loose]]:
    """Return the seasons by the number each comes after, those of the earliest dates first."""
    own = min((season.number for season in fixed if season.own), default=None)

    def before(season: _Loose) -> int:
        if season.day is None:
            earlier = (season for season in fixed if season.day is not None and (own is None or season.number < own))
        else:
            day = season.day
            earlier = (
                season
                for season in fixed
                if season.day is not None and season.day < day + timedelta(days=not season.own)
            )
        return max((season.number for season in earlier), default=0)

    groups: dict[int, list[_Loose]] = {}
    for season in sorted(loose, key=lambda unplaced: (unplaced.day or date.max, unplaced.at[0], unplaced.rank)):
        groups.setdefault(before(season), []).append(season)
    return groups


def _room(many: int, before: int, fixed: Sequence[_Placed]) -> Sequence[int]:
    """Return as many free numbers after one: right below the season that comes next, or above all there are.

    Seasons without dates come next where there is room below them.
    """
    taken = {season.number for season in fixed if season.number > before}
    next_ = min((season.number for season in fixed if season.divides and season.number > before), default=None)
    if next_ is None:
        below, last = range(before + 1, min(taken, default=0)), max(taken, default=before)
        return below[-many:] if len(below) >= many else range(last + 1, last + 1 + many)
    free = [number for number in range(before + 1, next_) if number not in taken]
    if len(free) < many:
        numbers = "no number is" if not free else "1 number is" if len(free) == 1 else f"{len(free)} numbers are"
        where = f"between season {before} and season {next_}" if before else f"below season {next_}"
        subject, it = ("This season belongs", "it") if many == 1 else (f"{many} seasons belong", "the first one")
        raise Conflict(f"{subject} {where}, but {numbers} free there. Say which number {it} gets.")
    return free[-many:]
