"""The clock: every 30 seconds whatever is due is done, and it never stops."""

import logging
from typing import Any

from discord.ext import commands, tasks

from bot.services import clock
from cogs.ui.checks import LeagueCog

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

    @tasks.loop(seconds=30)
    async def tick(self) -> None:
        """Do what is due; a loop that raised would never run again."""
        try:
            await clock.tick(self.db, self.now())
        except Exception:
            _log.exception("the clock could not do what is due; it tries again in 30 seconds")
        self.bot.announce()


async def setup(bot: Any) -> None:
    """Add the clock to the bot."""
    await bot.add_cog(Clock(bot))
