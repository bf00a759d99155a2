"""The picture of the standings, in pages: movement, in and out, the columns of the format, ratings, the cut."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.league.counting.table_columns import Column
from bot.pictures.layout import MARGIN, Box, Colour, Line, Measure, Page, Style
from bot.pictures.marks import cup, tick, triangle
from bot.pictures.sheet import ACROSS, Align, Part, Sheet, check_it, note, pill
from bot.pictures.standings_grid import HEADING, SMALL, WORD, Grid, Mark, StandingsRow, grid, uncertainty_words

MOST_ROWS = 18
_CUT_HEIGHT = 56


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsPicture:
    """What the picture of the standings shows; the cut is drawn after row `cut_after`.

    `in_words` and `out_words` say what these marks mean, `by_hand` which rounds were changed by hand.
    """

    league: str
    subtitle: str
    columns: tuple[Column, ...]
    rows: tuple[StandingsRow, ...]
    cut_after: int | None = None
    cut_words: str = ""
    in_words: str = "sure of the finals"
    out_words: str = "can’t reach them"
    by_hand: str = ""
    kind: str = "Standings"

    def pages(self, measure: Measure) -> tuple[Page, ...]:
        """Return the pages, each about as long as the others."""
        size = -(-len(self.rows) // (-(-len(self.rows) // MOST_ROWS) or 1)) or 1
        places = grid(self.columns, self.rows, Sheet(measure))
        starts = range(0, max(len(self.rows), 1), size)
        return tuple(_page(self, start, self.rows[start : start + size], places, Sheet(measure)) for start in starts)


def _page(picture: StandingsPicture, start: int, rows: tuple[StandingsRow, ...], places: Grid, sheet: Sheet) -> Page:
    span = f"{start + 1}–{start + len(rows)}"
    paged = len(rows) < len(picture.rows)
    top = sheet.header(picture.league, picture.subtitle, f"{picture.kind} {span}" if paged else picture.kind)
    draw_headings(places, sheet, top + 20, "Player")
    top += 34
    for number, row in enumerate(rows, start=start + 1):
        draw_row(row, top, places, sheet)
        top += places.height + places.gap
        if number == picture.cut_after:
            top = draw_cut(picture.cut_words, top, places, sheet)
    legend = draw_legend(picture.rows, places, picture.in_words, picture.out_words, picture.by_hand)
    height = sheet.footer(top + 12, tuple(legend))
    alt = _alt(picture, rows, span if paged else "")
    return sheet.page(height, alt, title=span, names=(row.name for row in rows))


def draw_headings(places: Grid, sheet: Sheet, baseline: float, names: str) -> None:
    """Place what stands above the columns; above those of the players `names`."""
    sheet.text("#", places.rank, baseline, HEADING, Colour.MUTED, align=Align.RIGHT)
    sheet.text(names, places.start, baseline, HEADING, Colour.MUTED)
    for column, right, width in places.cells:
        _cell(column.title, column, right, width, baseline, HEADING, Colour.MUTED, sheet)
    if places.rating.right is not None:
        sheet.text("Rating", places.rating.right, baseline, HEADING, Colour.MUTED, align=Align.RIGHT)


def _cell(
    words: str, column: Column, right: float, width: float, baseline: float, style: Style, colour: Colour, sheet: Sheet
) -> None:
    at, align = (right - width / 2, Align.CENTRE) if column.centred else (right, Align.RIGHT)
    sheet.text(words, at, baseline, style, colour, align=align)


def draw_row(row: StandingsRow, top: float, places: Grid, sheet: Sheet) -> None:
    """Place the row of a player."""
    gone = row.mark in (Mark.OUT, Mark.LEFT)
    fill, own = Colour.OUT_ROW if gone else Colour.ROW, Colour.BLUE if row.own else None
    sheet.add(Box(left=MARGIN, top=top, width=ACROSS, height=places.height, fill=fill, radius=10, outline=own))
    sure = {Mark.IN: Colour.GREEN, Mark.CHAMPION: Colour.GOLD}.get(row.mark) if row.mark else None
    if sure:
        sheet.add(Box(left=MARGIN, top=top, width=8, height=places.height, fill=sure, radius=4))
    baseline = top + places.height / 2 + 12
    text = Colour.MUTED if gone else Colour.TEXT
    sheet.text(str(row.rank), places.rank, baseline, places.strong, text, align=Align.RIGHT)
    _movement(row.movement, places.movement, baseline, sheet, muted=gone)
    taken = _mark(row.mark, places.end, baseline, sheet)
    name = Colour.GOLD if row.mark is Mark.CHAMPION else text
    sheet.name(row.name, places.start, baseline, places.name, name, room=places.end - taken - places.start)
    _numbers(row, baseline, places, sheet, muted=gone)


def _movement(places: int | None, left: float, baseline: float, sheet: Sheet, *, muted: bool) -> None:
    if places is None:
        return
    middle = baseline - 11
    colour = Colour.MUTED if muted or not places else Colour.GREEN if places > 0 else Colour.ORANGE
    if not places:
        sheet.add(Line(points=((left, middle), (left + 22, middle)), colour=colour, thickness=4))
        return
    sheet.add(triangle((left + 11, middle), 22, colour, up=places > 0))
    sheet.text(str(abs(places)), left + 30, baseline - 1, WORD, colour)


def _mark(mark: Mark | None, right: float, baseline: float, sheet: Sheet) -> float:
    """Place a mark; return the room it takes."""
    if mark is None:
        return 0
    if mark is Mark.CHAMPION:
        sheet.add(*cup((right - 16, baseline - 12), 34, Colour.GOLD))
        return 48
    colour = Colour.GREEN if mark is Mark.IN else Colour.MUTED
    taken = sheet.text(mark, right, baseline - 1, WORD, colour, align=Align.RIGHT) + 16
    if mark is Mark.IN:
        sheet.add(*tick((right - taken - 6, baseline - 10), 28, colour))
        taken += 30
    return taken


def _numbers(row: StandingsRow, baseline: float, places: Grid, sheet: Sheet, *, muted: bool) -> None:
    text, second = (Colour.MUTED, Colour.MUTED) if muted else (Colour.TEXT, Colour.SECOND)
    for words, (column, right, width) in zip(row.cells, places.cells, strict=False):
        style, colour = (places.strong, text) if column.strong else (places.cell, second)
        _cell(words, column, right, width, baseline, style, colour, sheet)
    place = places.rating
    if place.right is not None and row.rating is not None:
        sheet.text(str(row.rating), place.right, baseline, places.strong, text, align=Align.RIGHT)
        if place.with_uncertainty:
            sheet.text(uncertainty_words(row), place.right + 10, baseline, SMALL, second)
        if row.provisional:
            sheet.text("*", place.star, baseline, SMALL, second)


def draw_cut(words: str, top: float, places: Grid, sheet: Sheet) -> float:
    """Place the line of the cut; return where the page goes on."""
    pill(sheet, words, top + (_CUT_HEIGHT - places.gap) / 2, WORD, Colour.AMBER)
    return top + _CUT_HEIGHT


def draw_legend(
    rows: Sequence[StandingsRow], places: Grid, in_words: str, out_words: str, by_hand: str
) -> Iterator[Part]:
    """Yield what stands below a table: what its marks and columns mean."""
    marks = {row.mark for row in rows}
    if Mark.IN in marks:
        yield note(f"in: {in_words}", sign=lambda at: tick(at, 26, Colour.GREEN))
    if Mark.OUT in marks:
        yield note(f"out: {out_words}", Colour.MUTED)
    if Mark.CHAMPION in marks:
        yield note("champion", Colour.GOLD, lambda at: cup(at, 28, Colour.GOLD))
    if places.rating.right is not None and any(row.provisional for row in rows):
        yield note("* provisional rating")
    yield from (note(f"{c.title}: {c.meaning}") for c, _, _ in places.cells if c.meaning)
    if by_hand:
        yield note(by_hand, Colour.MUTED)
    yield check_it("As text")


def _alt(picture: StandingsPicture, rows: tuple[StandingsRow, ...], span: str) -> Iterator[str]:
    """Say what it is, the cut, and the players from the top."""
    yield f"{picture.kind} of {picture.league}: {picture.subtitle}{f', players {span}' if span else ''}."
    if picture.by_hand:
        yield f"{picture.by_hand}."
    if picture.cut_after:
        yield f"The line after player {picture.cut_after} says: {picture.cut_words}."
    yield from (row_in_words(row, picture.columns) for row in rows)


def row_in_words(row: StandingsRow, columns: Sequence[Column]) -> str:
    """Say a row: place, name, what decides first, what is certain."""
    strong = (words for column, words in zip(columns, row.cells, strict=False) if column.strong)
    return ", ".join((f"{row.rank}. {row.name}", *strong, *([row.mark] if row.mark else []))) + "."
