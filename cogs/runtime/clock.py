"""The clock: every 10 seconds what is due is done, whatever happens to the computer's own clock."""

from bot import steps
from cogs.runtime.repeating import RepeatingCog
from cogs.ui.context import Host

SECONDS = 10
"""As often as a message may be edited: what became due since is announced then."""


class Clock(RepeatingCog):
    """Calls the services' clock; what it promises is announced at once."""

    def __init__(self, bot: Host) -> None:
        super().__init__(bot, self.tick, every=SECONDS)

    async def tick(self) -> None:
        """Do what is due."""
        try:
            await steps.tick(self.bot.database, self.bot.now(), self.bot.worker)
        finally:
            self.bot.announce()
