"""Draws pictures: lays out all pages, paints those that are wanted. It is run in a process beside the bot."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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
    return _painted(pages, _number(pages, page))


def warm() -> None:
    """Load the painter and look through the fonts of the system, which takes a second or two the first time."""
    from bot.pictures.painting import fonts, paint

    assert paint
    fonts.has("\u8a9e")


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
    """Return all pages, with numbers for the names that can't be drawn, or not told from another."""
    from bot.pictures.painting import fonts

    pages = picture.pages(fonts.width)
    stand_ins = _stand_ins(list(dict.fromkeys(name for page in pages for name in page.names)), fonts.can_draw)
    if not stand_ins:
        return pages

    pages = picture.pages(Naming(fonts.width, stand_ins))
    return tuple(replace(page, stand_ins=_on(page, stand_ins)) for page in pages)


def _on(page: Page, stand_ins: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, stand_in) for name, stand_in in stand_ins.items() if name in page.names)


def _stand_ins(names: Sequence[str], can_draw: Callable[[str], bool]) -> dict[str, str]:
    numbers = (f"Player {number}" for number in count(1) if f"Player {number}" not in names)
    drawn = Counter(map(shown, names))
    return {name: next(numbers) for name in names if not can_draw(shown(name)) or _is_doubled(name, drawn)}


def _is_doubled(name: str, drawn: Mapping[str, int]) -> bool:
    """Whether a name looks like another one without its emoji."""
    return drawn[shown(name)] > 1 and shown(name) != name


def _painted(pages: Sequence[Page], number: int) -> Drawn:
    from bot.pictures.painting import paint

    page, titles = pages[number], tuple(page.title for page in pages)
    return Drawn(png=paint.png(page), alt=page.alt, number=number, titles=titles, stand_ins=page.stand_ins)
