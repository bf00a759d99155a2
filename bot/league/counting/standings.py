"""Standings: the rows every format ranks, the draw for equal ones, and the table at the end, with the finals in it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.records import Record
from bot.league.season.model import Match, Name, Season, Stage, Status

TiebreakValue = Fraction | int | float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One entrant's line of a table: their record and tie-breaks by their public names."""

    record: Record
    tiebreaks: Mapping[str, TiebreakValue] = field(default_factory=dict[str, TiebreakValue])

    @property
    def name(self) -> Name:
        """Return whose line it is."""
        return self.record.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line of the standings; `points` are wins where the format has none, and `group` where it has groups."""

    rank: int
    name: Name
    points: int
    wins: int
    losses: int
    draws: int
    byes: int
    status: Status
    place: int | None = None
    tiebreaks: Mapping[str, TiebreakValue] = field(default_factory=dict[str, TiebreakValue])
    group: int | None = None
    group_rank: int | None = None


def ranked(rows: Iterable[Row], key: Callable[[Row], Any], draw: Draw) -> tuple[Row, ...]:
    """Return the rows best first: by `key`, the greatest best, then by the smallest draw."""
    drawn = sorted(rows, key=lambda row: draw.value(Purpose.TIEBREAK, row.name))
    return tuple(sorted(drawn, key=key, reverse=True))


def at_the_end(season: Season, table: Sequence[Standing]) -> tuple[Standing, ...]:
    """Return a finished season's table by place in the finals, whose results count in it, then by rank.

    Players who lost in the same round of the finals share a rank, that of their place.
    """
    finals = [match for round_ in season.rounds if round_.stage is Stage.FINALS for match in round_.matches]
    best_first = sorted(table, key=lambda row: (row.place is None, row.place or 0, row.rank))
    numbered = (replace(row, rank=row.place or number) for number, row in enumerate(best_first, start=1))
    if season.only_finals:
        return tuple(numbered)  # their results are in it already
    points_are_wins = all(row.points == row.wins for row in table)
    return tuple(_with_finals(row, finals, points_are_wins=points_are_wins) for row in numbered)


def _with_finals(row: Standing, finals: Sequence[Match], *, points_are_wins: bool) -> Standing:
    """Return a line with the results of the finals in it; where points are wins, they still are."""
    won = sum(match.winner == row.name for match in finals)
    lost = sum(row.name in match.players for match in finals) - won
    points = row.points + won if points_are_wins else row.points
    return replace(row, wins=row.wins + won, losses=row.losses + lost, points=points)


def cut_after(table: Sequence[Standing], going_on: Collection[Name]) -> int | None:
    """Return after how many rows the cut falls; None where none falls.

    Within a round the order may differ from that of the seeds: then no line has everyone who goes on above it.
    """
    last = max((at for at, line in enumerate(table, start=1) if line.name in going_on), default=len(table))
    others = [line for line in table[:last] if line.name not in going_on]
    return None if last == len(table) or any(line.status is Status.ACTIVE for line in others) else last
