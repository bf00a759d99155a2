"""Whether someone else on the server has a name that a player would take."""

import asyncio

import discord

from bot.league.season.model import Name
from bot.league.season.names import similar_name, skeleton

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
            names = [one for part in spelled for one in await guild.query_members(part, limit=10, cache=False)]
    except (TimeoutError, discord.DiscordException):
        return False
    others = [member for member in names if member.id != but and not member.bot]
    called = [Name(one) for other in others for one in (other.display_name, other.name)]
    return similar_name(Name(name), called) is not None
