"""The clock: every 10 seconds what is due is done, whatever happens to the computer's own clock."""

from discord.ext import commands

from bot import steps
from cogs.runtime.repeating import Repeating
from cogs.ui.commands import LeagueCog
from cogs.ui.context import Host

SECONDS = 10
"""As often as a message may be edited: what became due since is announced then."""


class Clock(LeagueCog):
    """Calls the services' clock; what it promises is announced at once."""

    def __init__(self, bot: Host) -> None:
        super().__init__(bot)
        self.turns = Repeating(self.tick, every=SECONDS, sleep=bot.sleep)

    @commands.Cog.listener("on_ready")
    async def start(self) -> None:
        """Start once the bot can post; a reconnect starts nothing twice."""
        self.turns.start()

    async def cog_unload(self) -> None:
        """Stop with the bot."""
        self.turns.stop()

    async def tick(self) -> None:
        """Do what is due."""
        try:
            await steps.tick(self.bot.database, self.bot.now(), self.bot.worker)
        finally:
            self.bot.announce()
