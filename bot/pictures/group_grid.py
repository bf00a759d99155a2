"""Where things stand in the table of a group: how its matches are said, and which columns fit beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from bot.league.counting.table_columns import Column
from bot.pictures.layout import MARGIN, SMALLEST, Style, Weight
from bot.pictures.sheet import RIGHT_EDGE, Sheet
from bot.pictures.standings_grid import HEADING, Mark

_LEAST_NAME = 172
_GAP = 20
_CELL_GAP = 8
_LEAST_CELL, _WIDE_CELL = 40, 62
_FIRST_COLUMNS, _ENOUGH_NAME = 2, 300
"""Further columns stand where they leave names so much; what is left beyond it widens the cells of matches."""
NUMBER = Style(size=32, weight=Weight.SEMIBOLD)
OTHER = Style(size=30)
OWN = Style(size=SMALLEST, weight=Weight.BOLD)
SECOND = Style(size=SMALLEST)


class Ended(StrEnum):
    """How a match ended for a player, as a letter, or that it hasn't yet."""

    WON = "W"
    LOST = "L"
    DREW = "D"
    TO_PLAY = "·"
    REPORTED = "○"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A match of a player with another one; `own` and `other` are the numbers of its score, if it has one."""

    ended: Ended
    own: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """A player of a group; `meetings` are their matches with each player of the group, in the order of the rows.

    The row of a struck player has no cells, and no meetings stand in it or in their column.
    """

    rank: int
    name: str
    mark: Mark | None = None
    cells: tuple[str, ...] = ()
    meetings: tuple[tuple[Meeting, ...], ...] = ()
    own: bool = False


class Said(Enum):
    """How a cell says its matches: by their numbers, the own one above, by letters one below the other, or not."""

    NUMBERS = auto()
    LETTERS = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupGrid:
    """Where things stand in every row; `cross` is where each cell of the matches begins and how wide it is."""

    labels: Said
    rank: float
    start: float
    end: float
    cross: tuple[tuple[float, float], ...]
    cells: tuple[tuple[Column, float, float], ...]


def group_grid(columns: Sequence[Column], rows: Sequence[GroupRow], sheet: Sheet) -> GroupGrid:
    """Return the grid of all rows: numbers of matches before letters, both before the last columns."""
    rank = MARGIN + 16 + max(sheet.widest((str(row.rank) for row in rows), NUMBER), 28)
    start = rank + 20
    labels, shown, widths = next(
        (labels, shown, widths)
        for labels, most in _wanted(len(columns))
        for shown in (_measured(columns[:most], rows, sheet),)
        for widths in (_cross_widths(rows, labels, sheet),)
        for least in (_ENOUGH_NAME if most > _FIRST_COLUMNS else _LEAST_NAME,)
        if labels is Said.NOTHING or RIGHT_EDGE - 12 - start - _taken(shown, widths) >= least
    )
    right = RIGHT_EDGE - 12 - sum(width + _GAP for _, width in shown)
    cells: list[tuple[Column, float, float]] = []
    end = right
    for column, width in shown:
        right += width + _GAP
        cells.append((column, right, width))
    spare = max(0, end - start - sum(widths) - _ENOUGH_NAME) / (len(widths) or 1)
    cross: list[tuple[float, float]] = []
    for least in reversed(widths):
        width = max(least, min(least + spare, _WIDE_CELL))
        end -= width
        cross.insert(0, (end, width))
    return GroupGrid(labels=labels, rank=rank, start=start, end=end - 8, cross=tuple(cross), cells=tuple(cells))


def _wanted(columns: int) -> Iterator[tuple[Said, int]]:
    """Yield what to try: how matches are said, and how many columns stand beside them."""
    for labels in (Said.NUMBERS, Said.LETTERS):
        yield from ((labels, most) for most in range(columns, min(columns, _FIRST_COLUMNS) - 1, -1))
    yield Said.LETTERS, min(columns, 1)
    yield Said.NOTHING, min(columns, _FIRST_COLUMNS)


def _measured(columns: Sequence[Column], rows: Sequence[GroupRow], sheet: Sheet) -> list[tuple[Column, float]]:
    """Return columns with their widths."""
    numbers = (sheet.widest((row.cells[at] for row in rows if row.cells), NUMBER) for at in range(len(columns)))
    return [
        (column, max(sheet.measured(column.title, HEADING), width))
        for column, width in zip(columns, numbers, strict=True)
    ]


def _cross_widths(rows: Sequence[GroupRow], result: Said, sheet: Sheet) -> list[float]:
    """Return how wide the cells of each opponent are."""
    if result is Said.NOTHING:
        return []
    return [max(_LEAST_CELL, *_cell_widths(rows, at, result, sheet)) for at in range(len(rows))]


def _cell_widths(rows: Sequence[GroupRow], at: int, result: Said, sheet: Sheet) -> Iterator[float]:
    for row in rows:
        meetings = row.meetings[at] if row.meetings else ()
        if result is Said.LETTERS:
            yield _CELL_GAP + sheet.widest((meeting.ended for meeting in meetings), OWN)
        else:
            yield _CELL_GAP + sum(meeting_width(meeting, sheet) + _CELL_GAP for meeting in meetings) - _CELL_GAP / 2


def meeting_width(meeting: Meeting, sheet: Sheet) -> float:
    """Return how wide a match is that is said by its numbers."""
    own = meeting.own or meeting.ended
    return max(sheet.measured(own, OWN), sheet.measured(meeting.other, SECOND))


def _taken(columns: Sequence[tuple[Column, float]], widths: Sequence[float]) -> float:
    return sum(width + _GAP for _, width in columns) + sum(widths)
