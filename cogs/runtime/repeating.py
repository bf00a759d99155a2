"""Work that is done again and again, at a pace that doesn't depend on what the computer's clock says."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from discord.ext import commands

from cogs.ui.commands import LeagueCog
from cogs.ui.context import Host

_log = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]


class Repeating:
    """Does its work once, rests so many seconds, and so on; a turn that fails is only logged.

    Seconds are counted from the end of a turn, so a late turn is never made up for.
    """

    def __init__(self, work: Callable[[], Awaitable[None]], *, every: float, sleep: Sleep) -> None:
        self._work, self._seconds, self._sleep = work, every, sleep
        self._task: asyncio.Task[None] | None = None
        self.ended = time.monotonic()
        """When the last turn ended, by the clock that no one can set."""

    def start(self) -> None:
        """Begin, unless it has begun."""
        if self._task is None:
            self._task = asyncio.create_task(self._repeat())

    def stop(self) -> None:
        """Stop, whatever is being done."""
        if self._task is not None:
            self._task.cancel()

    async def _repeat(self) -> None:
        while True:
            try:
                await self._work()
            except Exception:
                _log.exception("%s failed; next try in %s seconds", self._work.__qualname__, self._seconds)
            self.ended = time.monotonic()
            await self._sleep(self._seconds)


class RepeatingCog(LeagueCog):
    """Repeats its work from when the bot knows its servers until it closes."""

    def __init__(self, bot: Host, work: Callable[[], Awaitable[None]], *, every: float, wanted: bool = True) -> None:
        super().__init__(bot)
        self.turns = Repeating(work, every=every, sleep=bot.sleep)
        self._wanted = wanted

    @commands.Cog.listener("on_ready")
    async def start(self) -> None:
        """Start if it's wanted; a reconnect starts nothing twice."""
        if self._wanted:
            self.turns.start()

    async def cog_unload(self) -> None:
        """Stop with the bot; what was half written is deleted by the next turn."""
        self.turns.stop()
