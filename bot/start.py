"""Connect the bot to Discord, and wait where Discord can't be reached instead of giving up."""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from bot import terminal
from bot.client import LeagueBot
from bot.settings import Settings
from bot.terminal import BAD_INPUT, DONE, NO
from cogs.refusals import passes

_log = logging.getLogger(__name__)

PAUSES = (5, 10, 20, 40, 80, 160)
LONGEST_PAUSE = 300
"""Seconds between two tries."""


async def run(settings: Settings, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> int:
    """Run the bot until it is told to stop and return the exit code; without network it tries again and again."""
    # The bot never speaks in voice channels: no need to hear that packages for that are missing.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    for pause in itertools.chain(PAUSES, itertools.repeat(LONGEST_PAUSE)):
        try:
            async with LeagueBot(settings) as bot:
                await bot.start(settings.token or "")
            break
        except discord.LoginFailure:
            terminal.complain(
                "Discord doesn't accept this DISCORD_TOKEN; reset it in the Developer Portal and put the new one in "
                ".env"
            )
            return BAD_INPUT
        except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError) as wrong:
            if isinstance(wrong, discord.HTTPException) and not passes(wrong):
                terminal.complain(f"Discord refuses the bot ({wrong})")
                return NO
            _log.warning("can't reach Discord (%s); next try in %s seconds", wrong, pause)
            await sleep(pause)
    return DONE
