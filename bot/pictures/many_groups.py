"""The picture of the groups of a season one below the other, in pages: places, points and tie-breaks, who goes on."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.league.counting.table_columns import Column
from bot.pictures.layout import Measure, Page
from bot.pictures.sheet import Sheet
from bot.pictures.standings import draw_cut, draw_headings, draw_legend, draw_row, row_in_words
from bot.pictures.standings_grid import Grid, StandingsRow, grid

_BETWEEN = 30
_BESIDES = 2
"""The height of a group's heading and of its line, in rows."""
_MOST = 22


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRows:
    """A group with its players, and after how many of them the cut falls; `cut_words` says what it means."""

    title: str
    rows: tuple[StandingsRow, ...]
    cut_after: int | None = None
    cut_words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupsPicture:
    """What the picture of all groups shows; `unit` is what people call one, `by_hand` says what was changed by hand."""

    league: str
    subtitle: str
    columns: tuple[Column, ...]
    unit: str
    groups: tuple[GroupRows, ...]
    in_words: str
    out_words: str
    by_hand: str = ""

    @property
    def rows(self) -> tuple[StandingsRow, ...]:
        """Return the rows of all groups."""
        return tuple(row for group in self.groups for row in group.rows)

    def pages(self, measure: Measure) -> tuple[Page, ...]:
        """Return the pages, each with as many whole groups as fit."""
        pages: list[list[GroupRows]] = [[]]
        for group in self.groups:
            if pages[-1] and sum(len(other.rows) + _BESIDES for other in (*pages[-1], group)) > _MOST:
                pages.append([])
            pages[-1].append(group)
        places = grid(self.columns, self.rows, Sheet(measure))
        return tuple(_page(self, tuple(groups), places, Sheet(measure)) for groups in pages)


def _page(picture: GroupsPicture, groups: tuple[GroupRows, ...], places: Grid, sheet: Sheet) -> Page:
    span = groups[0].title if len(groups) == 1 else f"{groups[0].title} to {groups[-1].title.split()[-1]}"
    top = sheet.header(
        picture.league, picture.subtitle, _all_of(picture) if len(groups) == len(picture.groups) else span
    )
    for group in groups:
        draw_headings(places, sheet, top + 20, group.title)
        top += 34
        for number, row in enumerate(group.rows, start=1):
            draw_row(row, top, places, sheet)
            top += places.height + places.gap
            if number == group.cut_after:
                top = draw_cut(group.cut_words, top, places, sheet)
        top += _BETWEEN
    legend = draw_legend(picture.rows, places, picture.in_words, picture.out_words, picture.by_hand)
    height = sheet.footer(top, tuple(legend))
    names = (row.name for group in groups for row in group.rows)
    return sheet.page(height, _alt(picture, groups), title=span, names=names)


def _all_of(picture: GroupsPicture) -> str:
    """Return what all groups are called together: `Groups`, `Divisions`."""
    return f"{picture.unit.capitalize()}s"


def _alt(picture: GroupsPicture, groups: tuple[GroupRows, ...]) -> Iterator[str]:
    """Say which groups they are, and the players of each from the top."""
    yield f"{_all_of(picture)} of {picture.league}: {picture.subtitle}."
    for group in groups:
        yield f"{group.title}: {group.cut_words}." if group.cut_words else f"{group.title}."
        yield from (row_in_words(row, picture.columns) for row in group.rows)
