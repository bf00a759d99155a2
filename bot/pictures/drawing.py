"""Draws pictures: which pages are wanted, and a number in place of a name that no font can draw.

It is run in a process beside the bot.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Protocol

from bot.pictures.layout import Measure, Page
from bot.pictures.sheet import Naming, shown


class Picture(Protocol):
    """The facts of a picture, which lays itself out."""

    def pages(self, measure: Measure) -> tuple[Page, ...]:
        """Return the pages, at least one."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One painted page; `number` counts from 0, `titles` are those of all pages of this picture.

    `stand_ins` are the players on the page whose names no font here can draw, each with what stands in their place.
    """

    png: bytes
    alt: str
    number: int
    titles: tuple[str, ...]
    stand_ins: tuple[tuple[str, str], ...] = ()


def draw(picture: Picture, page: int | str) -> Drawn:
    """Return one page: by its number, or the last one that names this player, else the first."""
    pages = _laid_out(picture)
    if isinstance(page, int):
        return _painted(pages, min(page, len(pages) - 1))
    return _painted(pages, max((number for number, drawing in enumerate(pages) if page in drawing.names), default=0))


def warm() -> None:
    """Load the painter and look through the fonts of the system, which takes a second or two the first time."""
    from bot.pictures.painting import fonts, paint

    assert paint
    fonts.has("\u8a9e")


# The bot names these functions to that process; it loads no fonts and no painter itself.


def _laid_out(picture: Picture) -> tuple[Page, ...]:
    """Return all pages, with numbers for the names that can't be drawn, or not told from another."""
    from bot.pictures.painting import fonts

    pages = picture.pages(fonts.width)
    names = list(dict.fromkeys(name for page in pages for name in page.names))
    numbers, drawn = (f"Player {number}" for number in count(1)), Counter(map(shown, names))
    free = (number for number in numbers if number not in names)
    # Without its emoji a name can look like another one.
    alike = {name for name in names if shown(name) != name and drawn[shown(name)] > 1}
    stand_ins = {name: next(free) for name in names if name in alike or not fonts.can_draw(shown(name))}
    if not stand_ins:
        return pages
    named = picture.pages(Naming(fonts.width, stand_ins))
    on = [tuple((name, instead) for name, instead in stand_ins.items() if name in page.names) for page in named]
    return tuple(replace(page, stand_ins=drawings) for page, drawings in zip(named, on, strict=True))


def _painted(pages: Sequence[Page], number: int) -> Drawn:
    from bot.pictures.painting import paint

    page, titles = pages[number], tuple(page.title for page in pages)
    return Drawn(png=paint.png(page), alt=page.alt, number=number, titles=titles, stand_ins=page.stand_ins)
