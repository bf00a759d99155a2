"""Standings: the rows every format ranks, the draw that settles what nothing else does, and what becomes of whom."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from bot.league.draw import Draw, Purpose
from bot.league.history import History, Record
from bot.league.model import Name, Stage, Status

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Fates:
    """Who has won, who is through and who is still in, as of now; everybody else is out."""

    history: History
    champion: Name | None
    qualified: frozenset[Name]
    active: frozenset[Name]
    places: Mapping[Name, int] = field(default_factory=lambda: MappingProxyType({}))
    """The place each has lost on in the finals."""

    def status(self, name: Name) -> Status:
        """Return an entrant's status; who has won stays the champion even if he leaves afterwards."""
        departure = self.history.departure(name, at=len(self.history.season.rounds) + 1)
        if name == self.champion:
            return Status.CHAMPION
        if departure is not None:
            return departure.status
        if name in self.qualified:
            return Status.QUALIFIED
        return Status.ACTIVE if name in self.active else Status.ELIMINATED

    def place(self, name: Name) -> int | None:
        """Return an entrant's place in the finals; None while he is in, and for who never was."""
        return 1 if name == self.champion and self.places else self.places.get(name)


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
