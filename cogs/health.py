"""An address on which containers and monitors ask whether the bot is well."""

import asyncio
import time
from typing import Any

from aiohttp import web
from discord.ext import commands

from bot.league.errors import Unavailable
from bot.services.outbox import delivery
from cogs.clock import Clock
from cogs.ui.context import LeagueCog

DATABASE_SECONDS = 5
"""How long the database may take to let someone write."""
LATE_SECONDS = 300
"""How long the clock's last turn may be ago: many deadlines at once take a while."""


class Health(LeagueCog):
    """Answers 200 while the bot is connected, can write and its clock goes, otherwise 503, with the reasons as JSON.

    How long the oldest post waits is told, but no reason to restart: it's Discord that doesn't take it.
    """

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        self._client: commands.AutoShardedBot = bot
        self._address: tuple[str, int] | None = bot.settings.health_address
        self._runner: web.AppRunner | None = None

    async def cog_load(self) -> None:
        """Listen, if the settings name a port."""
        if self._address is None:
            return
        app = web.Application()
        app.add_routes([web.get("/", self._answer)])
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, *self._address).start()

    async def cog_unload(self) -> None:
        """Stop listening."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer(self, _: web.Request) -> web.Response:
        connected, turn = self._connected(), self._seconds_since_turn()
        usable, waits = await self._database()
        well = connected and usable and turn < LATE_SECONDS
        found = {"well": well, "gateway": connected, "database": usable, "clock_seconds": turn, "post_seconds": waits}
        return web.json_response(found, status=200 if well else 503)

    def _connected(self) -> bool:
        shards = self._client.shards.values()
        return self._client.is_ready() and bool(shards) and not any(shard.is_closed() for shard in shards)

    def _seconds_since_turn(self) -> int:
        clock = self._client.get_cog(Clock.__name__)
        assert isinstance(clock, Clock)
        return round(time.monotonic() - clock.turns.ended)

    async def _database(self) -> tuple[bool, int | None]:
        """Return whether the database can be written, and for how many seconds the oldest unsent post has waited."""
        try:
            async with asyncio.timeout(DATABASE_SECONDS):
                return True, await delivery.longest_wait(self.bot.database, self.bot.now())
        except (TimeoutError, Unavailable):
            return False, None
