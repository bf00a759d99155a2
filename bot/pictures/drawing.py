"""Draws pictures: lays out all pages, paints those that are wanted. It is run in a process beside the bot."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.pictures.layout import Measure, Page


class Picture(Protocol):
    """The facts of a picture, which lays itself out."""

    def pages(self, measure: Measure) -> tuple[Page, ...]:
        """Return the pages, at least one."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One painted page; `number` counts from 0, `titles` are those of all pages of this picture."""

    png: bytes
    alt: str
    number: int
    titles: tuple[str, ...]


def draw(picture: Picture, page: int | str) -> Drawn:
    """Return one page: by its number, or the last one that names this player, else the first."""
    pages = _laid_out(picture)
    return _painted(pages, _number(pages, page))


def draw_all(picture: Picture) -> tuple[Drawn, ...]:
    """Return every page."""
    pages = _laid_out(picture)
    return tuple(_painted(pages, number) for number in range(len(pages)))


def _number(pages: Sequence[Page], wanted: int | str) -> int:
    if isinstance(wanted, int):
        return min(wanted, len(pages) - 1)
    return max((number for number, page in enumerate(pages) if wanted in page.names), default=0)


# The bot names these functions to that process; it loads no fonts and no painter itself.


def _laid_out(picture: Picture) -> tuple[Page, ...]:
    from bot.pictures.painting import fonts

    return picture.pages(fonts.width)


def _painted(pages: Sequence[Page], number: int) -> Drawn:
    from bot.pictures.painting import paint

    page = pages[number]
    return Drawn(png=paint.png(page), alt=page.alt, number=number, titles=tuple(page.title for page in pages))
