"""The columns of a table between the name and the rating, the same wherever it's shown."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.league.counting.standings import Standing
from bot.league.counting.tiebreaks import TiebreakName, printed

POINTS, RECORD = "points", "record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column: what it shows, its title, what an abbreviation means; `strong` decides the order first."""

    key: str
    title: str
    meaning: str = ""
    strong: bool = False
    centred: bool = False


def columns(table: Iterable[Standing], tiebreaks: Mapping[str, TiebreakName]) -> tuple[Column, ...]:
    """Return the columns of a table: points where they aren't the wins, the record, the tie-breaks of its format."""
    points = any(row.points != row.wins for row in table)
    return (
        *((Column(key=POINTS, title="Pts", meaning="points", strong=True, centred=True),) if points else ()),
        Column(key=RECORD, title="W–L", strong=not points, centred=True),
        *(Column(key=key, title=name.short, meaning=name.meaning) for key, name in tiebreaks.items()),
    )


def further(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Return the columns beside points and record."""
    return tuple(column for column in columns if column.key not in (POINTS, RECORD))


def cells(row: Standing, columns: Sequence[Column]) -> tuple[str, ...]:
    """Return what stands in these columns of a line; nothing in one that has no value in it."""
    numbers = (row.wins, row.losses, *((row.draws,) if row.draws else ()))
    values = {POINTS: str(row.points), RECORD: "–".join(map(str, numbers)), **printed(row.tiebreaks)}
    return tuple(values.get(column.key, "") for column in columns)
