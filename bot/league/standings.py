"""Standings: the rows every format ranks, with the draw for rows that are equal."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from bot.league.draw import Draw, Purpose
from bot.league.history import Record
from bot.league.model import Name, Status

TiebreakValue = Fraction | int | float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One entrant's line of a table: their record and tie-breaks by their public names."""

    record: Record
    tiebreaks: Mapping[str, TiebreakValue] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def name(self) -> Name:
        """Return whose line it is."""
        return self.record.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line of the standings; `points` are wins where the format has none."""

    rank: int
    name: Name
    points: int
    wins: int
    losses: int
    draws: int
    byes: int
    status: Status
    place: int | None = None
    tiebreaks: Mapping[str, TiebreakValue] = field(default_factory=lambda: MappingProxyType({}))


def ranked(rows: Iterable[Row], key: Callable[[Row], Any], draw: Draw) -> tuple[Row, ...]:
    """Return the rows best first: by `key`, the greatest best, then by the smallest draw."""
    drawn = sorted(rows, key=lambda row: draw.value(Purpose.TIEBREAK, row.name))
    return tuple(sorted(drawn, key=key, reverse=True))
