"""Pictures of a league, drawn in a process of their own while the bot goes on answering."""

import logging

from bot.pictures.drawing import Drawn, Picture, draw
from bot.worker import WorkerFailed
from cogs.ui import cards
from cogs.ui.context import Host

_log = logging.getLogger(__name__)

_SECONDS = 20
"""A page takes a tenth of a second, the first one with fonts of the system to search some seconds."""


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


async def drawn_part(bot: Host, picture: Picture, page: int | str, name: str) -> tuple[cards.Part, ...]:
    """Return one page as the part of a post; nothing if drawing fails."""
    made = await drawn_if_possible(bot, picture, page)
    return () if made is None else (cards.Picture(name, made.png, made.alt),)
