"""Tables: the rows every format ranks, and the draw that settles what nothing else does (docs/rules.md, 1 and 3)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from bot.league.draw import Draw, Purpose
from bot.league.history import History, Record
from bot.league.model import Name, Stage

TiebreakValue = Fraction | int | float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One entrant's line of a table: his record, and his tie-breaks by their public names."""

    record: Record
    tiebreaks: Mapping[str, TiebreakValue] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def name(self) -> Name:
        """Return whose line it is."""
        return self.record.name


def pairing_draw(history: History) -> Draw:
    """Return the draws of the round being paired."""
    season = history.season
    return Draw(season=season.number, round=history.number, salt=season.settings.salt)


def table_draw(history: History) -> Draw:
    """Return the draws of tables, cuts and seeds: those of the last finished round before the finals, or of round 0."""
    season = history.season
    finished = (r.number for r in history.rounds if r.stage is not Stage.FINALS and r.finished)
    return Draw(season=season.number, round=max(finished, default=0), salt=season.settings.salt)


def ranked(rows: Iterable[Row], key: Callable[[Row], Any], draw: Draw) -> tuple[Row, ...]:
    """Return the rows best first: by `key`, the greatest best, then by the smallest draw."""
    drawn = sorted(rows, key=lambda row: draw.value(Purpose.TIEBREAK, row.name))
    return tuple(sorted(drawn, key=key, reverse=True))
