"""The picture of a group's table: everyone's match with everyone, points and tie-breaks, who goes on."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.league.counting.table_columns import Column
from bot.pictures.group_grid import (
    NUMBER,
    OTHER,
    OWN,
    SECOND,
    Ended,
    GroupGrid,
    GroupRow,
    Meeting,
    Said,
    group_grid,
    meeting_width,
)
from bot.pictures.layout import MARGIN, Box, Colour, Measure, Page, Style, Weight
from bot.pictures.marks import cup, tick
from bot.pictures.sheet import ACROSS, Align, Part, Sheet, check_it, note, pill
from bot.pictures.standings_grid import HEADING, SMALL, WORD, Mark

MOST_CROSSED = 12
"""A group of more players has no room for everyone's match with everyone."""
_HEIGHT, _BETWEEN, _CUT_HEIGHT = 76, 6, 56
_NAME = Style(size=34, weight=Weight.SEMIBOLD)
_COLOURS = {
    Ended.WON: Colour.GREEN,
    Ended.LOST: Colour.MUTED,
    Ended.DREW: Colour.SECOND,
    Ended.TO_PLAY: Colour.BLUE,
    Ended.REPORTED: Colour.BLUE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPicture:
    """What the picture of a group shows, at most 12 players; the cut is drawn after row `cut_after`.

    `columns` stand in the order of what decides; where matches need the room, the last ones aren't shown. `ties` are
    sentences on what comes first among equals.
    """

    title: str
    season: str
    subtitle: str
    columns: tuple[Column, ...]
    rows: tuple[GroupRow, ...]
    cut_after: int | None = None
    cut_words: str = ""
    ties: tuple[str, ...] = ()
    by_hand: str = ""

    def pages(self, measure: Measure) -> tuple[Page, ...]:
        """Return the one page."""
        sheet = Sheet(measure)
        places = group_grid(self.columns, self.rows, sheet)
        top = sheet.header(self.title, self.subtitle, self.season)
        _headings(self, places, sheet, top + 20)
        top += 34
        for number, row in enumerate(self.rows, start=1):
            _row(row, number - 1, top, places, sheet)
            top += _HEIGHT + _BETWEEN
            if number == self.cut_after:
                pill(sheet, self.cut_words, top + (_CUT_HEIGHT - _BETWEEN) / 2, WORD, Colour.AMBER)
                top += _CUT_HEIGHT
        height = float(sheet.footer(top + 12, tuple(_legend(self, places))))
        for sentence in self.ties:
            height = 36 + sheet.lines(sentence, MARGIN, height + 4, SECOND, Colour.SECOND, room=ACROSS)
        names = (row.name for row in self.rows)
        return (sheet.page(round(height), _alt(self), title=self.title, names=names),)


def _headings(picture: GroupPicture, places: GroupGrid, sheet: Sheet, baseline: float) -> None:
    sheet.text("#", places.rank, baseline, HEADING, Colour.MUTED, align=Align.RIGHT)
    sheet.text("Player", places.start, baseline, HEADING, Colour.MUTED)
    for row, (left, width) in zip(picture.rows, places.cross, strict=False):
        sheet.text(str(row.rank), left + width / 2, baseline, HEADING, Colour.MUTED, align=Align.CENTRE)
    for column, right, width in places.cells:
        sheet.text(column.title, right - width / 2, baseline, HEADING, Colour.MUTED, align=Align.CENTRE)


def _row(row: GroupRow, at: int, top: float, places: GroupGrid, sheet: Sheet) -> None:
    gone = row.mark in (Mark.OUT, Mark.LEFT)
    fill, text = (Colour.OUT_ROW, Colour.MUTED) if gone else (Colour.ROW, Colour.TEXT)
    sheet.add(Box(left=MARGIN, top=top, width=ACROSS, height=_HEIGHT, fill=fill, radius=10))
    if places.cross:
        left, width = places.cross[at]
        sheet.add(Box(left=left, top=top, width=width, height=_HEIGHT, fill=Colour.PAGE))
    if row.own:
        sheet.add(Box(left=MARGIN, top=top, width=ACROSS, height=_HEIGHT, outline=Colour.BLUE, radius=10))
    sure = {Mark.IN: Colour.GREEN, Mark.CHAMPION: Colour.GOLD}.get(row.mark) if row.mark else None
    if sure:
        sheet.add(Box(left=MARGIN, top=top, width=8, height=_HEIGHT, fill=sure, radius=4))
    middle = top + _HEIGHT / 2 + 11
    sheet.text(str(row.rank), places.rank, middle, NUMBER, text, align=Align.RIGHT)
    name = Colour.GOLD if row.mark is Mark.CHAMPION else text
    baseline = top + 33 if row.mark else middle
    sheet.name(row.name, places.start, baseline, _NAME, name, room=places.end - places.start)
    if row.mark:
        _mark(row.mark, places, top + 69, sheet)
    for meetings, cell in zip(row.meetings, places.cross, strict=False):
        _meetings(meetings, cell, top, places.labels, sheet)
    for words, (column, right, width) in zip(row.cells, places.cells, strict=False):
        style, colour = (NUMBER, text) if column.strong else (OTHER, Colour.MUTED if gone else Colour.SECOND)
        sheet.text(words, right - width / 2, middle, style, colour, align=Align.CENTRE)


def _mark(mark: Mark, places: GroupGrid, baseline: float, sheet: Sheet) -> None:
    """Place below a name what is certain about the player."""
    if mark is Mark.CHAMPION:
        sheet.add(*cup((places.start + 14, baseline - 10), 28, Colour.GOLD))
        return
    sure, start = mark is Mark.IN, places.start
    if sure:
        sheet.add(*tick((start + 13, baseline - 10), 24, Colour.GREEN))
        start += 34
    sheet.text(mark, start, baseline, SMALL, Colour.GREEN if sure else Colour.MUTED, room=places.end - start)


def _meetings(meetings: tuple[Meeting, ...], cell: tuple[float, float], top: float, result: Said, sheet: Sheet) -> None:
    """Place the matches of a cell: by numbers beside each other, by letters below each other."""
    left, width = cell
    if result is Said.LETTERS:
        step = 36
        first = top + _HEIGHT / 2 + 10 - step * (len(meetings) - 1) / 2
        for at, meeting in enumerate(meetings):
            _letter(meeting, left + width / 2, first + step * at, sheet)
        return
    taken = [meeting_width(meeting, sheet) for meeting in meetings]
    gap = (width - sum(taken)) / (len(taken) + 1)
    for meeting, wide in zip(meetings, taken, strict=True):
        left += gap
        _numbers(meeting, left + wide / 2, top, sheet)
        left += wide


def _numbers(meeting: Meeting, middle: float, top: float, sheet: Sheet) -> None:
    if not meeting.own:
        _letter(meeting, middle, top + _HEIGHT / 2 + 10, sheet)
        return
    sheet.text(meeting.own, middle, top + 32, OWN, _COLOURS[meeting.ended], align=Align.CENTRE)
    sheet.text(meeting.other, middle, top + 67, SECOND, Colour.MUTED, align=Align.CENTRE)


def _letter(meeting: Meeting, middle: float, baseline: float, sheet: Sheet) -> None:
    ended = meeting.ended
    if ended in (Ended.TO_PLAY, Ended.REPORTED):
        sheet.add(_dot((middle, baseline - 10), reported=ended is Ended.REPORTED))
    else:
        sheet.text(ended, middle, baseline, OWN, _COLOURS[ended], align=Align.CENTRE)


def _dot(at: tuple[float, float], *, reported: bool) -> Box:
    """Return a dot for a match that is still to play, or a ring for one that was reported."""
    (x, y), radius = at, 8 if reported else 4
    fill, outline = (None, Colour.BLUE) if reported else (Colour.BLUE, None)
    return Box(
        left=x - radius, top=y - radius, width=2 * radius, height=2 * radius, fill=fill, outline=outline, radius=radius
    )


def _legend(picture: GroupPicture, places: GroupGrid) -> Iterator[Part]:
    all_ = [meeting for row in picture.rows for meetings in row.meetings for meeting in meetings]
    ended = {meeting.ended for meeting in all_} if places.cross else set[Ended]()
    if places.labels is Said.NUMBERS and any(meeting.own for meeting in all_):
        yield note("In a cell: own score, the other’s below")
    elif ended & {Ended.WON, Ended.LOST, Ended.DREW}:
        yield note(f"W won, L lost{', D drew' if Ended.DREW in ended else ''}")
    if Ended.TO_PLAY in ended:
        yield note("to play", sign=lambda at: (_dot(at, reported=False),))
    if Ended.REPORTED in ended:
        yield note("not confirmed yet", sign=lambda at: (_dot(at, reported=True),))
    yield from (note(f"{c.title}: {c.meaning}") for c, _, _ in places.cells if c.meaning)
    if picture.by_hand:
        yield note(picture.by_hand, Colour.MUTED)
    yield check_it("As text")


def _alt(picture: GroupPicture) -> Iterator[str]:
    """Say which group it is, the cut, and the players from the top with what decides first."""
    yield f"{picture.title} of {picture.season}: {picture.subtitle}."
    if picture.cut_after:
        yield f"The line after player {picture.cut_after} says: {picture.cut_words}."
    for row in picture.rows:
        strong = (words for column, words in zip(picture.columns, row.cells, strict=False) if column.strong)
        yield ", ".join((f"{row.rank}. {row.name}", *strong, *([row.mark] if row.mark else []))) + "."
