"""The bot: opens the database, loads the cogs, closes everything again."""

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import discord
from discord.ext import commands

from bot.command_tree import LeagueTree
from bot.settings import Settings
from cogs.ui.buttons import ActionButton
from storage.database import Database

_log = logging.getLogger(__name__)

EXTENSIONS: tuple[str, ...] = (
    "cogs.signup",
    "cogs.rounds",
    "cogs.results",
    "cogs.time_called",
    "cogs.drops",
    "cogs.tables",
    "cogs.seasons",
    "cogs.leagues",
    "cogs.disputes",
    "cogs.players",
    "cogs.stale_components",
    "cogs.announcer",
    "cogs.clock",
)
"""Every cog, in the order they are loaded."""


ANSWERING_SECONDS = 5
"""How long a closing bot waits for the answers people wait for."""


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


class LeagueBot(commands.AutoShardedBot):
    """The Discord client of all leagues, over as many connections as the settings say."""

    database: Database

    def __init__(self, settings: Settings, *, now: Callable[[], datetime] = utc_now) -> None:
        shards: dict[str, Any] = {} if settings.shard_ids is None else {"shard_ids": list(settings.shard_ids)}
        super().__init__(
            command_prefix=(),
            help_command=None,
            tree_cls=LeagueTree,
            # Roles and channels come with guilds; members, messages and presences are never needed.
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            shard_count=settings.shard_count or 1,
            **shards,
        )
        self.settings = settings
        self.now = now
        self.answering: set[asyncio.Task[Any]] = set()

    async def setup_hook(self) -> None:
        """Open the database, load the cogs and tell Discord which commands there are."""
        self.database = await Database.open(self.settings.database)
        self.add_dynamic_items(ActionButton)
        for extension in EXTENSIONS:
            await self.load_extension(extension)
        assert isinstance(self.tree, LeagueTree)
        guild = discord.Object(self.settings.dev_guild) if self.settings.dev_guild is not None else None
        where = "every server" if guild is None else f"server {guild.id}"
        try:
            if await self.tree.sync_if_changed(guild):
                _log.info("commands sent to %s", where)
        except discord.Forbidden:
            _log.error(
                "commands cannot be sent to %s: invite the bot there with the scope applications.commands", where
            )

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
        database: Database | None = getattr(self, "database", None)
        if database is not None:
            del self.database
            await database.close()
