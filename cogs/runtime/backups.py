"""The daily backups: one file a day, made and checked in a process of its own while the bot runs.

How many are kept is in `storage/files/backups.py`.
"""

import logging
from datetime import date
from pathlib import Path

from bot.hosting import backing_up
from bot.league.errors import LeagueError
from bot.worker import Worker
from cogs.runtime.repeating import RepeatingCog
from cogs.ui.context import Host
from storage.files import backups

SECONDS = 30
RETRY_SECONDS = 3600
"""After how long a backup that failed is tried again."""
LONGEST_SECONDS = 4 * 3600

_log = logging.getLogger(__name__)


class Backups(RepeatingCog):
    """Makes a backup on each day of the bot's clock; `problem` is why the last one is no good, if it isn't."""

    def __init__(self, bot: Host) -> None:
        super().__init__(bot, self._look, every=SECONDS, wanted=bot.settings.backup_folder is not None)
        self.problem: str | None = None

    async def _look(self) -> None:
        """Make the backup of this day unless there is one."""
        database, folder, day = self.bot.settings.database, self.bot.settings.backup_folder, self.bot.now().date()
        if folder is None or backups.path_on(folder, database, day).exists():
            return
        try:
            self.problem = await self._made(database, folder, day)
        except Exception as wrong:
            self.problem = str(wrong)
            _log.error("no backup of %s: %s", day, wrong, exc_info=not isinstance(wrong, LeagueError))
            await self.bot.sleep(RETRY_SECONDS)

    async def _made(self, database: Path, folder: Path, day: date) -> str | None:
        worker = Worker()
        try:
            differs = await worker.run(backing_up.in_background, database, folder, day, seconds=LONGEST_SECONDS)
        finally:
            await worker.close()
        if differs is None:
            _log.info("backup written and checked: %s", backups.path_on(folder, database, day))
        else:
            _log.error("the newest season in the backup of %s isn't as the rules say: %s", day, differs)
        return differs
