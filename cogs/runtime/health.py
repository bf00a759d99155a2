"""An address on which containers and monitors ask whether the bot is well: what counts as well, what is only told."""

import asyncio
import time
from typing import Any

from aiohttp import web
from discord.ext import commands

from bot.hosting.listening import Listening
from bot.league.errors import Unavailable
from bot.services.delivery import delivery
from cogs.runtime.backups import Backups
from cogs.runtime.clock import Clock

DATABASE_SECONDS = 5
"""How long the database may take to let someone write."""
LATE_SECONDS = 300
"""How long the clock's last turn may be ago before it counts as stuck: many deadlines at once take a while."""


class Health(Listening):
    """Answers 200 while the bot is connected, can write and its clock goes, otherwise 503, with the reasons as JSON.

    How long the oldest post waits and why there's no good backup are told, but no reason to restart: that would help
    against neither.
    """

    def __init__(self, address: tuple[str, int] | None) -> None:
        super().__init__("HEALTH_PORT", address)
        self.bot: Any = None
        """The bot that is asked about, once there is one."""

    def _application(self) -> web.Application:
        app = web.Application()
        app.add_routes([web.get("/", self._answer)])
        return app

    async def _answer(self, _: web.Request) -> web.Response:
        connected, turn, backup = self._connected(), self._seconds_since_turn(), self._backup()
        usable, waits = await self._database()
        well = connected and usable and turn is not None and turn < LATE_SECONDS
        state = {"well": well, "gateway": connected, "database": usable, "clock_seconds": turn, "post_seconds": waits}
        details = {"backup": backup, "commands": getattr(self.bot, "commands_problem", None)}
        return web.json_response({**state, **details}, status=200 if well else 503)

    def _connected(self) -> bool:
        client: commands.AutoShardedBot | None = self.bot
        if client is None or not client.is_ready():
            return False
        return bool(client.shards) and not any(shard.is_closed() for shard in client.shards.values())

    def _seconds_since_turn(self) -> int | None:
        clock = self._cog(Clock)
        return None if clock is None else round(time.monotonic() - clock.turns.ended)

    def _backup(self) -> str | None:
        backups = self._cog(Backups)
        return None if backups is None else backups.problem

    def _cog(self, kind: Any) -> Any:
        return None if self.bot is None else self.bot.get_cog(kind.__name__)

    async def _database(self) -> tuple[bool, int | None]:
        """Return whether the database can be written, and for how many seconds the oldest unsent post has waited."""
        database = getattr(self.bot, "database", None)
        if database is None:
            return False, None
        try:
            async with asyncio.timeout(DATABASE_SECONDS):
                return True, await database.write(delivery.longest_wait, self.bot.now())
        except (TimeoutError, Unavailable):
            return False, None
