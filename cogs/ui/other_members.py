"""Who else is on the server: whether someone still is, and whether one has a name that a player would take."""

import asyncio
import logging

import aiohttp
import discord

from bot.league.season.model import Name
from bot.league.season.names import similar_name, skeleton

_log = logging.getLogger(__name__)

NOT_THERE = (10007, 10013)
"""Discord's codes for someone who isn't on a server, or has no account any more."""
SILENT = (TimeoutError, discord.DiscordException, aiohttp.ClientError, OSError, RuntimeError)
"""What is raised where Discord doesn't answer: too many questions, a connection that is closed, or none."""
LOOKING_SECONDS = 1
"""How long Discord may take to say who is on the server; then nobody is warned."""


async def someone_else_is_called(guild: discord.Guild | None, name: str | None, *, but: int | None) -> bool:
    """Whether a member other than this one has a name, or one that looks like it, and isn't a bot.

    Discord is asked by the beginning of a name, which needs no intent: as it's typed, and in the letters it looks like.
    """
    if not name or guild is None:
        return False
    try:
        async with asyncio.timeout(LOOKING_SECONDS):
            spelled = dict.fromkeys((name[:100], skeleton(name)[:100]))
            names = [member for part in spelled for member in await guild.query_members(part, limit=10, cache=False)]
    except (TimeoutError, discord.DiscordException):
        return False
    others = [member for member in names if member.id != but and not member.bot]
    called = [Name(text) for other in others for text in (other.display_name, other.name)]
    return similar_name(Name(name), called) is not None


async def is_there(guild: discord.Guild, person: int) -> bool | None:
    """Return whether someone is on a server; None where Discord doesn't say."""
    try:
        await guild.fetch_member(person)
    except discord.NotFound as error:
        return False if error.code in NOT_THERE else None
    except SILENT as error:
        _log.info("could not look for %s on server %s: %s", person, guild.id, error)
        return None
    return True


async def has_left(guild: discord.Guild | None, person: int | None) -> bool:
    """Whether Discord says that someone isn't on the server any more."""
    return guild is not None and person is not None and await is_there(guild, person) is False
