"""Pictures of a league, drawn in a process of their own while the bot goes on answering."""

import logging
from collections.abc import Callable, Hashable, MutableMapping
from weakref import WeakKeyDictionary

from bot.pictures.drawing import Drawn, Picture, draw
from bot.worker import Worker, WorkerFailed
from cogs.ui import cards
from cogs.ui.context import Host
from cogs.ui.text import listed, shown

_log = logging.getLogger(__name__)

_SECONDS = 20
"""A page takes a tenth of a second, the first one with fonts of the system to search some seconds."""

_MOST_KEPT = 64
"""Painted pages, of some tens of kilobytes each."""
_kept: MutableMapping[Worker, dict[Hashable, tuple[object, Drawn]]] = WeakKeyDictionary()


async def drawn(bot: Host, picture: Picture, page: int | str = 0) -> Drawn:
    """Return one page, by its number or the player it shows, tried twice; raises WorkerFailed."""
    try:
        return await bot.painter.run(draw, picture, page, seconds=_SECONDS)
    except WorkerFailed:
        return await bot.painter.run(draw, picture, page, seconds=_SECONDS)


async def drawn_if_possible(bot: Host, picture: Picture, page: int | str) -> Drawn | None:
    """Return one page; None if drawing fails, which the log explains: a text then says it alone."""
    try:
        return await drawn(bot, picture, page)
    except Exception:
        _log.exception("a picture couldn't be drawn")
        return None


async def drawn_once(
    bot: Host, key: Hashable, facts: object, picture: Callable[[], Picture], page: int | str
) -> Drawn | None:
    """Return one page of the picture of these facts, painted once while they're equal; None if drawing fails.

    Of each key and page, only the newest is kept.
    """
    drawings = _kept.setdefault(bot.painter, {})
    before, drawing = drawings.pop((key, page), (None, None))
    if before != facts:
        drawing = await drawn_if_possible(bot, picture(), page)
    if drawing is not None:
        drawings[key, page] = facts, drawing
        if len(drawings) > _MOST_KEPT:
            del drawings[next(iter(drawings))]
    return drawing


async def drawn_part(
    bot: Host, picture: Picture, page: int | str, name: str, *, button: str = ""
) -> tuple[cards.Part, ...]:
    """Return one page as the part of a post, and which one it is, if the post's `button` has more; none if it fails."""
    drawing = await drawn_if_possible(bot, picture, page)
    if drawing is None:
        return ()
    if len(drawing.titles) == 1:
        return as_parts(drawing, name)
    which = f"Page {drawing.number + 1} of {len(drawing.titles)}: {drawing.titles[drawing.number]}"
    return (*as_parts(drawing, name), f"-# {which}. **{button}** shows the others.")


def as_parts(drawn: Drawn, name: str) -> tuple[cards.Part, ...]:
    """Return a page, and below it who the players are whose names it can't show."""
    stood_in = [f"{stand_in} is {shown(player)}" for player, stand_in in drawn.stand_ins]
    note = (
        (f"-# In the picture {listed(stood_in)}: it can't show their name{'s' if len(stood_in) > 1 else ''}.",)
        if stood_in
        else ()
    )
    return (cards.Picture(name, drawn.png, drawn.alt), *note)
