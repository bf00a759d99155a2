"""Connect the bot to Discord: wait where it can't be reached, and say what to do where it refuses the bot."""

import asyncio
import logging
import socket
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from itertools import chain, repeat

import aiohttp
import discord

from bot import terminal
from bot.client import LeagueBot
from bot.gateway import write_short_lines
from bot.hosting import checkpoints
from bot.hosting.findings import Verdict
from bot.hosting.serving import Serving
from bot.settings import Settings
from bot.terminal import BAD_INPUT, DONE, NO
from cogs.posting.refusals import passes
from cogs.runtime.health import Health

_log = logging.getLogger(__name__)

PAUSES = (5, 10, 20, 40, 80, 160)
LONGEST_PAUSE = 300
"""Seconds between two tries; a connection that lasted longer lets them begin again with the shortest."""

_NO_NETWORK = (
    discord.RateLimited,
    discord.GatewayNotFound,
    aiohttp.ClientError,
    TimeoutError,
    ConnectionError,
    socket.gaierror,
)
"""What is raised while there is no way to Discord; another OSError is about this machine."""
_TOKEN = "Discord doesn't accept this DISCORD_TOKEN; reset it in the Developer Portal and put the new one in .env"
_TOO_FEW_SHARDS = 4011
_REFUSED: Mapping[int, str] = {
    4004: _TOKEN,
    4010: "Discord knows no such shard; correct SHARD_IDS and SHARD_COUNT, or leave both out",
    _TOO_FEW_SHARDS: (
        "the bot is in more servers than these connections may serve; set SHARD_COUNT to one for each 1,000 servers, "
        "or leave it out: then Discord is asked"
    ),
    4012: "Discord no longer speaks this version of its gateway; update Fairpair",
    4013: "Discord doesn't know an intent of the bot; update Fairpair",
    4014: "Discord doesn't give the bot an intent it asks for; update Fairpair",
}
"""What to do where Discord's gateway closes for good, by its code."""


async def run(
    settings: Settings,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    seconds: Callable[[], float] = time.monotonic,
) -> int:
    """Run the bot until it is told to stop and return the exit code; without network it tries again and again."""
    # The bot never speaks in voice channels: no need to hear that packages for that are missing.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # pyrefly: ignore[instance-var-assign]
    sqlite = await asyncio.to_thread(checkpoints.finding, settings.database)
    _log.log(logging.WARNING if sqlite.verdict is Verdict.WARNING else logging.INFO, "SQLite %s", sqlite.words)
    write_short_lines()
    serving = Serving(settings.site, settings.site_address)
    async with Health(settings.health_address) as health, serving:
        pauses = _pauses()
        while True:
            began = seconds()
            try:
                async with LeagueBot(settings) as bot:
                    health.bot = bot
                    await bot.start(settings.token or "")
                return DONE
            except (discord.LoginFailure, discord.ConnectionClosed, discord.PrivilegedIntentsRequired) as refused:
                code = _code(refused)
                if code != _TOO_FEW_SHARDS or settings.shard_count is not None:
                    terminal.complain(_REFUSED.get(code, f"Discord refuses the bot ({refused})"))
                    return BAD_INPUT
                problem = "the bot is in more servers than before: Discord is asked for more connections"
            except discord.HTTPException as wrong:
                if not passes(wrong):
                    terminal.complain(f"Discord refuses the bot ({wrong})")
                    return NO
                problem = f"Discord can't take the bot now ({wrong})"
            except _NO_NETWORK as wrong:
                problem = f"can't reach Discord ({str(wrong) or 'no answer'})"
            except (OSError, sqlite3.Error) as wrong:
                _log.error("the bot can't run here", exc_info=wrong)
                terminal.complain(f"the bot can't run here ({wrong}); python -m bot doctor says more")
                return NO
            except Exception as wrong:
                if health.bot is None or not health.bot.shards:
                    raise
                # Whatever ended the connection once there was one, such as what Discord sent: perhaps it passes.
                problem = f"the connection ended ({wrong})"
                _log.error("%s", problem, exc_info=wrong)
            if health.bot is not None and health.bot.shards and seconds() - began > LONGEST_PAUSE:
                pauses = _pauses()
            health.bot, pause = None, next(pauses)
            _log.warning("%s; next try in %s seconds", problem, pause)
            await sleep(pause)


def _pauses() -> Iterator[int]:
    return chain(PAUSES, repeat(LONGEST_PAUSE))


def _code(refused: Exception) -> int:
    match refused:
        case discord.ConnectionClosed():
            return refused.code
        case discord.PrivilegedIntentsRequired():
            return 4014
        case _:
            return 4004
