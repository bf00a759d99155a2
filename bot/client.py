"""The bot at Discord: its intents, its shards, the longest rate limit it waits out, and what closing waits for."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import discord
from discord.ext import commands

from bot.command_tree import LeagueTree
from bot.pace import paced_requests
from bot.pictures.drawing import warm
from bot.services.leagues import importing
from bot.settings import Settings
from bot.worker import Worker
from cogs.ui.actions import ActionButton, ActionSelect
from cogs.ui.context import Newest
from cogs.wiring import COGS
from storage.database import Database, Shards
from storage.shards import servers_elsewhere

WARMING_SECONDS = 60
"""The fonts of a system can lie on a slow disk; nobody waits for them."""
_log = logging.getLogger(__name__)

LONGEST_LIMIT = 30.0
"""How many seconds of a rate limit are waited out at once: a post that has to wait longer is tried again later."""
ANSWERING_SECONDS = 5
"""How long a closing bot waits for the answers people wait for."""


class LeagueBot(commands.AutoShardedBot):
    """The Discord client of all leagues, over as many connections as the settings say, or else Discord."""

    database: Database

    def __init__(
        self,
        settings: Settings,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        paced: bool = True,
    ) -> None:
        """Make a bot; one that isn't `paced` has a simulated Discord: no limits, and one connection."""
        shards: dict[str, Any] = {} if settings.shard_ids is None else {"shard_ids": list(settings.shard_ids)}
        super().__init__(
            command_prefix=(),
            help_command=None,
            tree_cls=LeagueTree,
            # Roles and channels come with guilds; members, messages and presences are never needed.
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            shard_count=settings.shard_count or (None if paced else 1),
            max_ratelimit_timeout=LONGEST_LIMIT,
            http_trace=paced_requests(),
            **shards,
        )
        self.settings = settings
        self.now = now
        self.sleep = sleep
        self.paced = paced
        self.worker = Worker()
        self.painter = Worker()
        self.publisher = Worker()
        self.importer = Worker(memory=importing.IMPORT_MEMORY)
        self.answering: set[asyncio.Task[Any]] = set()
        self.taken = Newest()
        self.shared: dict[int, int] = {}
        self.command_ids: Mapping[str, int] = {}

    async def setup_hook(self) -> None:
        """Open the database, load the cogs and tell Discord which commands there are."""
        self.database = await Database.open(self.settings.database)
        await self._leave_others_alone()
        self.add_dynamic_items(ActionButton, ActionSelect)
        for cog in COGS:
            await self.add_cog(cog(self))
        assert isinstance(self.tree, LeagueTree)
        guild = discord.Object(self.settings.dev_guild) if self.settings.dev_guild is not None else None
        where = "every server" if guild is None else f"server {guild.id}"
        try:
            if await self.tree.sync_if_changed(guild):
                _log.info("commands sent to %s", where)
        except discord.Forbidden:
            _log.error("commands can't be sent to %s: invite the bot there with the scope applications.commands", where)
        self.command_ids = self.tree.ids
        self.painter.begin(warm, seconds=WARMING_SECONDS)

    async def _leave_others_alone(self) -> None:
        """Do nothing for servers of other shards, and name those this database still holds."""
        if self.settings.shard_ids is None:
            return
        self.database.shards = Shards(self.settings.shard_ids, self.settings.shard_count or 1)
        elsewhere = await self.database.read(servers_elsewhere, self.database.shards)
        if elsewhere:
            named = ", ".join(str(guild) for guild in elsewhere)
            _log.warning("left alone, because their shards aren't of this process: servers %s", named)

    def announce(self) -> None:
        """Wake the announcer: something may have been promised."""
        self.dispatch("promise")

    async def close(self) -> None:
        """Give the answers people wait for, stop the loops, leave Discord, close the database."""
        if self.answering:
            await asyncio.wait(self.answering, timeout=ANSWERING_SECONDS)
        await super().close()
        for late in self.answering:
            late.cancel()
        for worker in (self.worker, self.painter, self.publisher, self.importer):
            await worker.close()
        database: Database | None = getattr(self, "database", None)
        if database is not None:
            del self.database
            await database.close()
