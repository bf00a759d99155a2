"""Leagues' pages in a folder: written again some time after something changed, at once after someone was forgotten."""

import asyncio
import logging
import time
from pathlib import Path

from bot import publishing
from bot.league.errors import LeagueError
from bot.site import folder
from bot.worker import WorkerFailed
from cogs.runtime.repeating import RepeatingCog
from cogs.ui.context import Host
from storage.rows import LeagueId

SECONDS = 10
REST = 30
"""After writing a league's pages it rests so many times as long, and at least as many seconds."""

_log = logging.getLogger(__name__)


class Publisher(RepeatingCog):
    """Keeps the pages of every league that has them as new as it can without keeping the machine busy."""

    def __init__(self, bot: Host) -> None:
        super().__init__(bot, self.look, every=SECONDS, wanted=bot.settings.site is not None)
        self._resting: dict[LeagueId, float] = {}
        self._refused = False
        self._made_with = folder.made_with(bot.settings.site_url)

    async def look(self) -> None:
        """Write what has changed, and delete the pages of leagues that have none any more."""
        root = self.bot.settings.site
        assert root is not None
        await asyncio.to_thread(root.mkdir, parents=True, exist_ok=True)
        other = await asyncio.to_thread(folder.claim, root, self.bot.database.path)
        if other is not None:
            self._refuse(root, other)
            return
        rows = await self.bot.database.read(publishing.with_pages)
        gone = await asyncio.to_thread(folder.remove_others, root, frozenset(int(row.id) for row, _ in rows))
        for number in gone:
            _log.info("deleted the pages of league %s", number)
        for row, changed in rows:
            written = await asyncio.to_thread(folder.written, root / str(row.id))
            since = written.get("changed", -1)
            if since == changed and written.get("with") == self._made_with:
                continue
            urgent = await self.bot.database.read(publishing.is_urgent, row.id, since)
            if urgent or time.monotonic() >= self._resting.get(row.id, 0):
                await self._write(row.id)

    def _refuse(self, root: Path, other: str) -> None:
        """Say once that a folder has the pages of another bot, which would delete these and the other way round."""
        if not self._refused:
            _log.error("SITE: %s has the pages of the bot on %s; give each bot a folder of its own", root, other)
        self._refused = True

    async def _write(self, league: LeagueId) -> None:
        settings, began = self.bot.settings, time.monotonic()
        assert settings.site is not None
        given = (self.bot.publisher, settings.site, settings.site_url)
        try:
            count = await publishing.publish(self.bot.database, league, self.bot.now(), *given)
            _log.info("wrote %s files of the pages of league %s", count, league)
        except (LeagueError, OSError, WorkerFailed) as wrong:
            _log.error("the pages of league %s can't be written: %s", league, wrong)
        except Exception:
            _log.exception("the pages of league %s can't be written: the bot made a mistake", league)
        ended = time.monotonic()
        self._resting[league] = ended + REST * max(1.0, ended - began)
