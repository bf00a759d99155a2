"""Draws pictures in a process of their own, so that the bot answers while letters are measured and pixels painted."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import ParamSpec, Protocol, TypeVar

from bot.pictures.layout import Measure, Page

P = ParamSpec("P")
T = TypeVar("T")


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


class PictureWorker:
    """One process that draws, started for the first picture and again after it broke."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def draw(self, picture: Picture, page: int | str = 0) -> Drawn:
        """Return one page: by its number, or the last one that names this player, else the first."""
        return await self._run(_draw, picture, page)

    async def draw_all(self, picture: Picture) -> tuple[Drawn, ...]:
        """Return every page."""
        return await self._run(_draw_all, picture)

    async def _run(self, task: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await self._submitted(task, *args, **kwargs)
        except BrokenProcessPool:
            self._pool = None
            return await self._submitted(task, *args, **kwargs)

    async def _submitted(self, task: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(max_workers=1, mp_context=spawn, initializer=_prepare)
        # Starting a process may take long; the thread keeps the event loop free of it.
        future = await asyncio.to_thread(self._pool.submit, task, *args, **kwargs)
        return await asyncio.wrap_future(future)

    async def close(self) -> None:
        """End the process; a picture that isn't begun yet is dropped."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)


def _prepare() -> None:
    """Leave Ctrl+C to the bot, and end when the bot is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_bot, daemon=True).start()


def _end_with_the_bot() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _draw(picture: Picture, page: int | str) -> Drawn:
    pages = _laid_out(picture)
    return _painted(pages, _number(pages, page))


def _draw_all(picture: Picture) -> tuple[Drawn, ...]:
    pages = _laid_out(picture)
    return tuple(_painted(pages, number) for number in range(len(pages)))


# Pillow is imported in the drawing process alone.


def _laid_out(picture: Picture) -> tuple[Page, ...]:
    from bot.pictures import fonts

    return picture.pages(fonts.width)


def _painted(pages: Sequence[Page], number: int) -> Drawn:
    from bot.pictures import paint

    page = pages[number]
    return Drawn(png=paint.png(page), alt=page.alt, number=number, titles=tuple(page.title for page in pages))


def _number(pages: Sequence[Page], wanted: int | str) -> int:
    if isinstance(wanted, int):
        return min(wanted, len(pages) - 1)
    return max((number for number, page in enumerate(pages) if wanted in page.names), default=0)
