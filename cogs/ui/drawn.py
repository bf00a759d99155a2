"""Pictures of a league, drawn in a process of their own while the bot goes on answering."""

from bot.pictures.drawing import Drawn, Picture, draw
from bot.worker import WorkerFailed
from cogs.ui.context import Host

_SECONDS = 20
"""A page takes a tenth of a second, the first one with fonts of the system to search some seconds."""


async def drawn(bot: Host, picture: Picture, page: int | str = 0) -> Drawn:
    """Return one page, by its number or the player it shows, tried twice; raises WorkerFailed."""
    try:
        return await bot.painter.run(draw, picture, page, seconds=_SECONDS)
    except WorkerFailed:
        return await bot.painter.run(draw, picture, page, seconds=_SECONDS)
