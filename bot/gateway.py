"""What discord.py makes of Discord's gateway: an event it can't read is left out, a fault that passes is one line."""

import logging
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import aiohttp
import discord
from discord.ext import commands
from discord.http import Route

from bot.league.season.node import one_line

Event = Mapping[str, Any]

_log = logging.getLogger(__name__)

_NEEDED = ("id", "name", "unavailable", "member_count", "owner_id", "features", "preferred_locale", "members", "roles")
"""What the bot needs of a server besides its channels and threads, which can also be read one by one."""
_PARTS = {"channels": "CHANNEL_CREATE", "threads": "THREAD_CREATE"}
"""The events that tell of each of them what a whole server does."""
_OF_RIGHTS = re.compile("CHANNEL_|GUILD_ROLE_|GUILD_CREATE|GUILD_UPDATE|GUILD_MEMBER_UPDATE")
"""What can give the bot a right for which posts wait."""
_CALLBACK, _EPHEMERAL = 4, 1 << 6
_APOLOGY = "The bot couldn't read this, so nothing was done. Try again. Still stuck? Tell the person who runs the bot."


_LONG = re.compile("Attempting a reconnect|Failed to connect|Ignoring exception in autocomplete")
"""How discord.py begins what it writes with the whole trace, though it passes or no one waits for it any more."""
_PASSES = (discord.HTTPException, discord.GatewayNotFound, discord.ConnectionClosed, aiohttp.ClientError, OSError)


def in_one_line(record: logging.LogRecord) -> bool:
    """Let discord.py write in one line that it can't reach Discord, or that an autocompletion came too late."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, _PASSES) and _LONG.match(record.getMessage()):
        record.msg, record.args = f"{record.getMessage()} ({one_line(str(error) or type(error).__name__)})", None
        record.exc_info = None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True


def write_short_lines() -> None:
    """Keep discord.py from writing the trace of what passes by itself."""
    for name in ("discord.client", "discord.shard", "discord.app_commands.tree"):
        logging.getLogger(name).addFilter(in_one_line)


class UnreadableError(Exception):
    """Discord's greeting can't be read: without it no event can."""


class Reading:
    """Reads the events of all connections of a bot.

    `_connection` is the one private name of discord.py the bot needs: its `parsers` are what every connection calls,
    each with the data of its event. `tests/wire/test_unreadable_events.py` says what is expected of it.
    """

    def __init__(self, bot: commands.AutoShardedBot) -> None:
        self._bot = bot
        self._parsers: dict[str, Callable[[Any], None]] = bot._connection.parsers
        self._known = dict(self._parsers)
        for event in self._known:
            self._parsers[event] = self._reader(event)

    def _reader(self, event: str) -> Callable[[Any], None]:
        def read(data: Any) -> None:
            if self._read(event, data):
                return
            if event == "READY":
                raise UnreadableError(event)
            self._bot.loop.create_task(self._recover(event, data))

        return read

    def _read(self, event: str, data: Any) -> bool:
        """Read an event; False where it was left out."""
        try:
            self._known[event](data)
        except Exception as error:
            _log.warning(
                "left out an event that can't be read: %s of server %s (%s)", event, _server(data), _why(error)
            )
            return False
        return True

    async def _recover(self, event: str, data: Any) -> None:
        """Do without an event what others need of it."""
        try:
            match event:
                case "GUILD_CREATE":
                    self._read_in_parts(data)
                case "CHANNEL_UPDATE" | "CHANNEL_CREATE":
                    self._read(event, await self._bot.http.get_channel(data["id"]))
                case "INTERACTION_CREATE":
                    await self._apologise(data)
                case _:
                    pass
            if _OF_RIGHTS.match(event) and (server := _server(data)):
                self._bot.dispatch("rights_unread", int(server))
        except (discord.HTTPException, aiohttp.ClientError, OSError, LookupError, TypeError, ValueError) as error:
            _log.warning("nothing replaces the event %s of server %s (%s)", event, _server(data), _why(error))

    def _read_in_parts(self, server: Event) -> None:
        """Read what the bot needs of a server, and leave out what can't be read of that."""
        if not self._read("GUILD_CREATE", {key: server[key] for key in _NEEDED if key in server}):
            return
        for event, part in _parts_of(server):
            self._read(event, part)

    async def _apologise(self, interaction: Event) -> None:
        """Answer a command, a button or a form that can't be read."""
        if interaction["type"] == discord.InteractionType.autocomplete.value:
            return
        where = {"id": interaction["id"], "token": interaction["token"]}
        data: dict[str, Any] = {"content": _APOLOGY, "flags": _EPHEMERAL, "allowed_mentions": {"parse": []}}
        route = Route("POST", "/interactions/{id}/{token}/callback", **where)
        await self._bot.http.request(route, json={"type": _CALLBACK, "data": data})


def _parts_of(server: Event) -> Iterator[tuple[str, Event]]:
    for key, event in _PARTS.items():
        for part in server.get(key, ()):
            yield event, {**part, "guild_id": server["id"]}


def _server(data: Any) -> Any:
    """Return the id of the server an event is about, if it says so."""
    if not isinstance(data, Mapping):
        return None
    event: Event = data
    named = event.get("guild_id") or (event.get("id") if "channels" in event or "roles" in event else None)
    return named if str(named).isdigit() else None


def _why(error: BaseException) -> str:
    """Return in a few words of the program what was wrong and where, without what people typed."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    missing = f" {error}" if isinstance(error, KeyError) else ""
    return f"{type(error).__name__}{missing} in {frame.name}"
