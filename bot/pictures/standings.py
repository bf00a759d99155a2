"""The picture of the standings: movement, in and out, the columns of the format, ratings, the cut."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from bot.pictures.layout import MARGIN, Box, Colour, Line, Measure, Page, Style, Weight
from bot.pictures.marks import cup, tick, triangle
from bot.pictures.sheet import ACROSS, CHECK_IT, RIGHT_EDGE, Align, Part, Sheet, note, pill

_MOST_ROWS = 18
_FEW_ROWS = 8
_LEAST_NAME = 250
_MARK_ROOM = 76
"""Columns that leave a name beside its mark less room are left out, the last one first."""
_GAP = 20
_CUT_HEIGHT = 56
_HEADING = Style(size=28, weight=Weight.SEMIBOLD)
_SMALL = Style(size=28)
_WORD = Style(size=28, weight=Weight.SEMIBOLD)


class Mark(StrEnum):
    """What is certain about a player."""

    IN = "in"
    OUT = "out"
    LEFT = "left"
    CHAMPION = "champion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a format: its title, what an abbreviation means; `strong` decides the order first."""

    title: str
    meaning: str = ""
    strong: bool = False
    centred: bool = False


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
class StandingsPicture:
    """What the picture of the standings shows; the cut is drawn after row `cut_after`.

    `in_words` and `out_words` say what these marks mean.
    """

    league: str
    subtitle: str
    columns: tuple[Column, ...]
    rows: tuple[StandingsRow, ...]
    cut_after: int | None = None
    cut_words: str = ""
    in_words: str = "sure of the finals"
    out_words: str = "can’t reach them"

    def pages(self, measure: Measure) -> tuple[Page, ...]:
        """Return the pages, each about as long as the others."""
        size = -(-len(self.rows) // (-(-len(self.rows) // _MOST_ROWS) or 1)) or 1
        grid = _grid(self, Sheet(measure))
        starts = range(0, max(len(self.rows), 1), size)
        return tuple(_page(self, start, self.rows[start : start + size], grid, Sheet(measure)) for start in starts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """Where things stand in every row; `cells` are the columns that fit, each with its right edge and its width."""

    few: bool
    rank: float
    start: float
    end: float
    cells: tuple[tuple[Column, float, float], ...]
    rating: float | None
    star: float

    @property
    def movement(self) -> float:
        return self.rank + 20

    @property
    def height(self) -> int:
        return 72 if self.few else 60

    @property
    def gap(self) -> int:
        return 8 if self.few else 6

    @property
    def name(self) -> Style:
        return Style(size=38 if self.few else 34, weight=Weight.SEMIBOLD)

    @property
    def strong(self) -> Style:
        return _number_style(Weight.SEMIBOLD, few=self.few)

    @property
    def cell(self) -> Style:
        return _number_style(Weight.REGULAR, few=self.few)


def _number_style(weight: Weight, *, few: bool) -> Style:
    return Style(size=36 if few else 32, weight=weight)


def _grid(picture: StandingsPicture, sheet: Sheet) -> _Grid:
    few = len(picture.rows) <= _FEW_ROWS
    strong = _number_style(Weight.SEMIBOLD, few=few)
    rank = MARGIN + 16 + max(sheet.widest((str(row.rank) for row in picture.rows), strong), 40)
    moved = [str(abs(row.movement)) for row in picture.rows if row.movement is not None]
    start = rank + 20 + (sheet.widest(moved, _WORD) + 54 if moved else 8)
    rating, star, end = _rating_place(picture, sheet, strong)
    least = _LEAST_NAME + (_MARK_ROOM if any(row.mark for row in picture.rows) else 0)
    if end - start < least:
        rating, star, end = None, 0, RIGHT_EDGE
    cells, end = _cell_places(_fitting(picture, sheet, strong, end - start - least), end)
    return _Grid(few=few, rank=rank, start=start, end=end, cells=cells, rating=rating, star=star)


def _rating_place(picture: StandingsPicture, sheet: Sheet, strong: Style) -> tuple[float | None, float, float]:
    """Return the right edge of the rating, the left edge of the star behind it, and what is left for the rest."""
    rated = [row for row in picture.rows if row.rating is not None]
    if not rated:
        return None, 0, RIGHT_EDGE
    star = RIGHT_EDGE - 12 - (sheet.measured("*", _SMALL) if any(row.provisional for row in rated) else 0)
    right = star - 14 - sheet.widest(map(_uncertainty, rated), _SMALL)
    numbers = sheet.widest((str(row.rating) for row in rated), strong)
    return right, star, right - max(sheet.measured("Rating", _HEADING), numbers)


def _uncertainty(row: StandingsRow) -> str:
    return "" if row.uncertainty is None else f"± {row.uncertainty}"


def _fitting(picture: StandingsPicture, sheet: Sheet, strong: Style, room: float) -> Iterator[tuple[Column, float]]:
    """Yield the columns that fit, with their widths."""
    for at, column in enumerate(picture.columns):
        numbers = sheet.widest((row.cells[at] for row in picture.rows), strong)
        width = max(sheet.measured(column.title, _HEADING), numbers)
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


def _page(picture: StandingsPicture, start: int, rows: tuple[StandingsRow, ...], grid: _Grid, sheet: Sheet) -> Page:
    span = f"{start + 1}–{start + len(rows)}"
    paged = len(rows) < len(picture.rows)
    top = sheet.header(picture.league, picture.subtitle, f"Standings {span}" if paged else "Standings")
    _headings(grid, sheet, top + 20)
    top += 34
    for number, row in enumerate(rows, start=start + 1):
        _row(row, top, grid, sheet)
        top += grid.height + grid.gap
        if number == picture.cut_after:
            pill(sheet, picture.cut_words, top + (_CUT_HEIGHT - grid.gap) / 2, _WORD, Colour.AMBER)
            top += _CUT_HEIGHT
    height = sheet.footer(top + 12, tuple(_legend(picture, grid)))
    alt = _alt(picture, rows, span if paged else "")
    return sheet.page(height, alt, title=span, names=(row.name for row in rows))


def _headings(grid: _Grid, sheet: Sheet, baseline: float) -> None:
    sheet.text("#", grid.rank, baseline, _HEADING, Colour.MUTED, align=Align.RIGHT)
    sheet.text("Player", grid.start, baseline, _HEADING, Colour.MUTED)
    for column, right, width in grid.cells:
        _cell(column.title, column, right, width, baseline, _HEADING, Colour.MUTED, sheet)
    if grid.rating is not None:
        sheet.text("Rating", grid.rating, baseline, _HEADING, Colour.MUTED, align=Align.RIGHT)


def _cell(
    words: str, column: Column, right: float, width: float, baseline: float, style: Style, colour: Colour, sheet: Sheet
) -> None:
    at, align = (right - width / 2, Align.CENTRE) if column.centred else (right, Align.RIGHT)
    sheet.text(words, at, baseline, style, colour, align=align)


def _row(row: StandingsRow, top: float, grid: _Grid, sheet: Sheet) -> None:
    gone = row.mark in (Mark.OUT, Mark.LEFT)
    fill, own = Colour.OUT_ROW if gone else Colour.ROW, Colour.BLUE if row.own else None
    sheet.add(Box(left=MARGIN, top=top, width=ACROSS, height=grid.height, fill=fill, radius=10, outline=own))
    sure = {Mark.IN: Colour.GREEN, Mark.CHAMPION: Colour.GOLD}.get(row.mark) if row.mark else None
    if sure:
        sheet.add(Box(left=MARGIN, top=top, width=8, height=grid.height, fill=sure, radius=4))
    baseline = top + grid.height / 2 + 12
    text = Colour.MUTED if gone else Colour.TEXT
    sheet.text(str(row.rank), grid.rank, baseline, grid.strong, text, align=Align.RIGHT)
    _movement(row.movement, grid.movement, baseline, sheet, muted=gone)
    taken = _mark(row.mark, grid.end, baseline, sheet)
    name = Colour.GOLD if row.mark is Mark.CHAMPION else text
    sheet.text(row.name, grid.start, baseline, grid.name, name, room=grid.end - taken - grid.start)
    _numbers(row, baseline, grid, sheet, muted=gone)


def _movement(places: int | None, left: float, baseline: float, sheet: Sheet, *, muted: bool) -> None:
    if places is None:
        return
    middle = baseline - 11
    colour = Colour.MUTED if muted or not places else Colour.GREEN if places > 0 else Colour.ORANGE
    if not places:
        sheet.add(Line(points=((left, middle), (left + 22, middle)), colour=colour, thickness=4))
        return
    sheet.add(triangle((left + 11, middle), 22, colour, up=places > 0))
    sheet.text(str(abs(places)), left + 30, baseline - 1, _WORD, colour)


def _mark(mark: Mark | None, right: float, baseline: float, sheet: Sheet) -> float:
    """Place a mark; return the room it takes."""
    if mark is None:
        return 0
    if mark is Mark.CHAMPION:
        sheet.add(*cup((right - 16, baseline - 12), 34, Colour.GOLD))
        return 48
    colour = Colour.GREEN if mark is Mark.IN else Colour.MUTED
    taken = sheet.text(mark, right, baseline - 1, _WORD, colour, align=Align.RIGHT) + 16
    if mark is Mark.IN:
        sheet.add(*tick((right - taken - 6, baseline - 10), 28, colour))
        taken += 30
    return taken


def _numbers(row: StandingsRow, baseline: float, grid: _Grid, sheet: Sheet, *, muted: bool) -> None:
    text, second = (Colour.MUTED, Colour.MUTED) if muted else (Colour.TEXT, Colour.SECOND)
    for words, (column, right, width) in zip(row.cells, grid.cells, strict=False):
        style, colour = (grid.strong, text) if column.strong else (grid.cell, second)
        _cell(words, column, right, width, baseline, style, colour, sheet)
    if grid.rating is not None and row.rating is not None:
        sheet.text(str(row.rating), grid.rating, baseline, grid.strong, text, align=Align.RIGHT)
        sheet.text(_uncertainty(row), grid.rating + 10, baseline, _SMALL, second)
        if row.provisional:
            sheet.text("*", grid.star, baseline, _SMALL, second)


def _legend(picture: StandingsPicture, grid: _Grid) -> Iterator[Part]:
    marks = {row.mark for row in picture.rows}
    if Mark.IN in marks:
        yield note(f"in: {picture.in_words}", sign=lambda at: tick(at, 26, Colour.GREEN))
    if Mark.OUT in marks:
        yield note(f"out: {picture.out_words}", Colour.MUTED)
    if Mark.CHAMPION in marks:
        yield note("champion", Colour.GOLD, lambda at: cup(at, 28, Colour.GOLD))
    if grid.rating is not None and any(row.provisional for row in picture.rows):
        yield note("* provisional rating")
    yield from (note(f"{c.title}: {c.meaning}") for c, _, _ in grid.cells if c.meaning)
    yield CHECK_IT


def _alt(picture: StandingsPicture, rows: tuple[StandingsRow, ...], span: str) -> Iterator[str]:
    """Say what it is, the cut, and the players from the top."""
    yield f"Standings of {picture.league}: {picture.subtitle}{f', players {span}' if span else ''}."
    if picture.cut_after:
        yield f"The line after player {picture.cut_after} says: {picture.cut_words}."
    for row in rows:
        strong = (words for column, words in zip(picture.columns, row.cells, strict=True) if column.strong)
        yield ", ".join((f"{row.rank}. {row.name}", *strong, *([row.mark] if row.mark else []))) + "."
