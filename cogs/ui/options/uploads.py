"""Files people attach: refused by their size before they are read; a text file is UTF-8, 16 kB at most."""

import aiohttp
import discord

from bot.league.errors import Invalid, LeagueError, Unavailable
from cogs.ui.text import cut

LARGEST_TEXT = 16_000
"""Bytes of a text file: as many characters as a form takes, each of at most four."""


async def text_of(file: discord.Attachment) -> str:
    """Return the text of a file in place of a form; raises Invalid for one that is too large or not UTF-8."""
    size, most = -(-file.size // 1000), LARGEST_TEXT // 1000
    too_large = Invalid(f"The file has {size} kB; at most {most} kB fit. Attach the text alone.")
    try:
        return (await data_of(file, largest=LARGEST_TEXT, too_large=too_large)).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Invalid("That isn't a text file. Save it as plain text (UTF-8), or paste it into the form.") from None


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
