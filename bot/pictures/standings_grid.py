"""Where things stand in every row of the standings: which columns fit, and whether the rating does."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.league.counting.table_columns import Column
from bot.pictures.layout import MARGIN, Style, Weight
from bot.pictures.sheet import RIGHT_EDGE, Sheet

_FEW_ROWS = 8
_LEAST_NAME = 250
_MARK_ROOM = 76
"""What leaves a name beside its mark less room is left out: the uncertainty, the rating, then the last columns."""
_GAP = 20
HEADING = Style(size=28, weight=Weight.SEMIBOLD)
SMALL = Style(size=28)
WORD = Style(size=28, weight=Weight.SEMIBOLD)


class Mark(StrEnum):
    """What is certain about a player."""

    IN = "in"
    OUT = "out"
    LEFT = "left"
    CHAMPION = "champion"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """One player; `movement` is how many places they went up, below zero down, None where nothing was before.

    `own` is the row of the person who looks.
    """

    rank: int
    name: str
    movement: int | None = None
    mark: Mark | None = None
    cells: tuple[str, ...] = ()
    rating: int | None = None
    uncertainty: int | None = None
    provisional: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Where things stand in every row; `cells` are the columns that fit, each with its right edge and its width."""

    few: bool
    rank: float
    start: float
    end: float
    cells: tuple[tuple[Column, float, float], ...]
    rating: "_RatingPlace"

    @property
    def movement(self) -> float:
        """Where the arrow of a movement begins."""
        return self.rank + 20

    @property
    def height(self) -> int:
        """How tall a row is."""
        return 72 if self.few else 60

    @property
    def gap(self) -> int:
        """How far rows stand apart."""
        return 8 if self.few else 6

    @property
    def name(self) -> Style:
        """How names look."""
        return Style(size=38 if self.few else 34, weight=Weight.SEMIBOLD)

    @property
    def strong(self) -> Style:
        """How the numbers look that decide first."""
        return _number_style(Weight.SEMIBOLD, few=self.few)

    @property
    def cell(self) -> Style:
        """How the other numbers look."""
        return _number_style(Weight.REGULAR, few=self.few)


def _number_style(weight: Weight, *, few: bool) -> Style:
    return Style(size=36 if few else 32, weight=weight)


def grid(columns: Sequence[Column], rows: Sequence[StandingsRow], sheet: Sheet) -> Grid:
    """Return the grid of all rows."""
    few = len(rows) <= _FEW_ROWS
    strong = _number_style(Weight.SEMIBOLD, few=few)
    rank = MARGIN + 16 + max(sheet.widest((str(row.rank) for row in rows), strong), 40)
    moved = [str(abs(row.movement)) for row in rows if row.movement is not None]
    start = rank + 20 + (sheet.widest(moved, WORD) + 54 if moved else 8)
    least = _LEAST_NAME + (_MARK_ROOM if any(row.mark for row in rows) else 0)
    measured = _measured(columns, rows, sheet, strong)
    needed = least + sum(width + _GAP for _, width in measured)
    places = list(_rating_places(rows, sheet, strong))
    place = next((place for place in places if place.end - start >= needed), places[-1])
    cells, end = _cell_places(_fitting(measured, place.end - start - least), place.end)
    return Grid(few=few, rank=rank, start=start, end=end, cells=cells, rating=place)


@dataclass(frozen=True, slots=True, kw_only=True)
class _RatingPlace:
    """The right edge of the rating, the left edge of the star behind it, and what is left for the rest."""

    right: float | None = None
    star: float = 0
    end: float = RIGHT_EDGE
    with_uncertainty: bool = False


def _rating_places(rows: Sequence[StandingsRow], sheet: Sheet, strong: Style) -> Iterator[_RatingPlace]:
    """Yield where the rating can stand: with its uncertainty, alone, nowhere."""
    rated = [row for row in rows if row.rating is not None]
    if rated:
        star = RIGHT_EDGE - 12 - (sheet.measured("*", SMALL) if any(row.provisional for row in rated) else 0)
        numbers = sheet.widest((str(row.rating) for row in rated), strong)
        room = max(sheet.measured("Rating", HEADING), numbers)
        uncertainty = 14 + sheet.widest(map(uncertainty_words, rated), SMALL)
        for taken in (uncertainty, 4):
            right = star - taken
            yield _RatingPlace(right=right, star=star, end=right - room, with_uncertainty=taken == uncertainty)
    yield _RatingPlace()


def uncertainty_words(row: StandingsRow) -> str:
    """Return the uncertainty of a rating, if it is known."""
    return "" if row.uncertainty is None else f"± {row.uncertainty}"


def _measured(
    columns: Sequence[Column], rows: Sequence[StandingsRow], sheet: Sheet, strong: Style
) -> list[tuple[Column, float]]:
    """Return all columns with their widths."""
    numbers = (sheet.widest((row.cells[at] for row in rows if row.cells), strong) for at in range(len(columns)))
    titles = (sheet.measured(column.title, HEADING) for column in columns)
    return list(zip(columns, map(max, numbers, titles), strict=True))


def _fitting(columns: Iterable[tuple[Column, float]], room: float) -> Iterator[tuple[Column, float]]:
    """Yield the columns that fit."""
    for column, width in columns:
        room -= width + _GAP
        if room < 0:
            return
        yield column, width


def _cell_places(
    columns: Iterable[tuple[Column, float]], end: float
) -> tuple[tuple[tuple[Column, float, float], ...], float]:
    """Return the columns with their right edges, and where the names end."""
    right = end - _GAP
    places: list[tuple[Column, float, float]] = []
    for column, width in reversed(list(columns)):
        places.insert(0, (column, right, width))
        right -= width + _GAP
    return tuple(places), right
