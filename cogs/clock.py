"""The clock: every 10 seconds what is due is done, whatever happens to the computer's own clock."""

import logging
from datetime import timedelta

import discord
from discord.ext import commands, tasks

from bot.services import clock
from cogs.ui.context import LeagueCog

SECONDS = 10
"""As often as a message may be edited: what became due since is announced then."""

_log = logging.getLogger(__name__)


class Clock(LeagueCog):
    """Calls the services' clock; what it promises is announced at once."""

    @commands.Cog.listener("on_ready")
    async def start(self) -> None:
        """Start once the bot can post; a reconnect starts nothing twice."""
        if not self.tick.is_running():
            self.tick.start()

    async def cog_unload(self) -> None:
        """Stop with the bot."""
        self.tick.cancel()

    @tasks.loop(seconds=SECONDS)
    async def tick(self) -> None:
        """Do what is due; a loop that raised would never run again."""
        try:
            await clock.tick(self.bot.database, self.bot.now())
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
