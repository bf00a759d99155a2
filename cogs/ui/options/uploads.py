"""Files people attach: refused by their size before they are read."""

import aiohttp
import discord

from bot.league.errors import LeagueError, Unavailable
from cogs.ui.text import cut


async def data_of(file: discord.Attachment, *, largest: int, too_large: LeagueError) -> bytes:
    """Return what a file holds; raises `too_large` for more than `largest` bytes, and Unavailable."""
    if file.size > largest:
        raise too_large
    try:
        return await file.read()
    except (discord.HTTPException, aiohttp.ClientError):
        raise Unavailable(f"Discord didn't give us {file_name(file)}. Nothing was changed; try again.") from None


def file_name(file: discord.Attachment) -> str:
    """Return a file's name, short enough to leave room for what is wrong with it."""
    return cut(file.filename, 60)
