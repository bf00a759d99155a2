"""The clock: every 30 seconds what is due is done, whatever happens to the computer's own clock."""

import asyncio
import logging
from datetime import timedelta
from typing import Any

import discord
from discord.ext import commands, tasks

from bot.services import clock
from bot.services.outbox import delivery
from cogs.ui.context import LeagueCog

SECONDS = 30

EARLY = 0.05
"""Seconds by which a timer of the event loop may be early."""

_log = logging.getLogger(__name__)


class Clock(LeagueCog):
    """Calls the services' clock; what it promises is announced at once, and what has its moment at that moment."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        self._next: asyncio.TimerHandle | None = None

    @commands.Cog.listener("on_ready")
    async def start(self) -> None:
        """Start once the bot can post; a reconnect starts nothing twice."""
        if not self.tick.is_running():
            self.tick.start()

    async def cog_unload(self) -> None:
        """Stop with the bot."""
        self.tick.cancel()
        self._forget_next()

    @tasks.loop(seconds=SECONDS)
    async def tick(self) -> None:
        """Do what is due; a loop that raised would never run again."""
        try:
            await clock.tick(self.bot.database, self.bot.now())
            await self._wake_for_next()
        except Exception:
            _log.exception("the clock could not do what is due; it tries again in %s seconds", SECONDS)
        finally:
            self.bot.announce()
        self._keep_pace()

    def _keep_pace(self) -> None:
        """Begin the loop again where the computer's clock was set: discord.py counts by it, and would wait or race."""
        ahead = self.tick.next_iteration or discord.utils.utcnow()
        if abs(ahead - discord.utils.utcnow()) > timedelta(seconds=2 * SECONDS):
            self.tick.restart()

    async def _wake_for_next(self) -> None:
        """Wake the announcer when a post becomes due before the next tick, as the warnings of a live round do."""
        self._forget_next()
        now = self.bot.now()
        moment = await delivery.next_due(self.bot.database, now)
        wait = SECONDS if moment is None else (moment - now).total_seconds()
        if wait < SECONDS:
            self._next = asyncio.get_running_loop().call_later(wait + EARLY, self.bot.announce)

    def _forget_next(self) -> None:
        if self._next is not None:
            self._next.cancel()
