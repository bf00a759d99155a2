"""The bot at Discord: its intents, its shards, the longest rate limit it waits out, and what closing waits for."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import aiohttp
import discord
from discord.ext import commands

from bot.command_tree import LeagueTree
from bot.gateway import Reading
from bot.league.season.names import prototypes
from bot.league.season.node import one_line
from bot.pace import paced_requests
from bot.pictures.drawing import warm
from bot.services.leagues import importing
from bot.settings import Settings
from bot.worker import Worker
from cogs.posting.refusals import passes
from cogs.ui.actions import ActionButton, ActionSelect
from cogs.ui.context import Newest
from cogs.ui.text import cut
from cogs.wiring import COGS
from storage.database import Database, Shards
from storage.shards import servers_elsewhere

WARMING_SECONDS = 60
"""The fonts of a system can lie on a slow disk; nobody waits for them."""
_log = logging.getLogger(__name__)

LONGEST_LIMIT = 30.0
"""How many seconds of a rate limit are waited out at once: a post that has to wait longer is tried again later."""
SENT_AGAIN_SECONDS = 3600.0
"""How long a list of commands that Discord refused waits for its next try."""
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
        Reading(self)
        self.settings = settings
        self.now = now
        self.sleep = sleep
        self.paced = paced
        self.worker = Worker()
        self.painter = Worker()
        """Draws the pictures, so that none waits behind a long computation."""
        self.publisher = Worker()
        """Writes leagues' pages."""
        self.importer = Worker(memory=importing.IMPORT_MEMORY)
        """Reads files of leagues, with a limit to its memory."""
        self.answering: set[asyncio.Task[Any]] = set()
        """The answers being worked on; the bot closes after them."""
        self.taken = Newest()
        """The last interactions, by which one that is delivered twice is known."""
        self.shared: dict[int, int] = {}
        """The private messages whose table was shown to everyone, each with the press that did it."""
        self.command_ids: Mapping[str, int] = {}
        """Discord's id of each command, by its whole name; empty until they were sent."""
        self.commands_problem: str | None = None
        """Why Discord didn't take the commands; those it had before go on working."""
        self._sending: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Open the database, load the cogs and tell Discord which commands there are."""
        self.database = await Database.open(self.settings.database)
        await self._leave_others_alone()
        await asyncio.to_thread(prototypes)  # before someone signs up, and all who do something wait for it
        self.add_dynamic_items(ActionButton, ActionSelect)
        for cog in COGS:
            await self.add_cog(cog(self))
        await self.send_commands()
        if self.commands_problem:
            self._sending = asyncio.create_task(self._send_again())
        self.painter.begin(warm, seconds=WARMING_SECONDS)

    async def send_commands(self) -> None:
        """Tell Discord which commands there are; where it refuses them, those it has already go on working."""
        assert isinstance(self.tree, LeagueTree)
        guild = discord.Object(self.settings.dev_guild) if self.settings.dev_guild is not None else None
        where = "every server" if guild is None else f"server {guild.id}"
        self.commands_problem = None
        try:
            if await self.tree.sync_if_changed(guild):
                _log.info("commands sent to %s", where)
        except discord.Forbidden:
            _log.error("commands can't be sent to %s: invite the bot there with the scope applications.commands", where)
        except discord.HTTPException as refused:
            if passes(refused):
                raise
            why = cut(one_line(refused.text or str(refused)), 200)
            self.commands_problem = f"Discord refuses the commands ({refused.status}/{refused.code}: {why})"
            _log.error(
                "%s: the bot runs with those Discord has, and sends them again in an hour", self.commands_problem
            )
        self.command_ids = self.tree.ids

    async def _send_again(self) -> None:
        while self.commands_problem:
            await self.sleep(SENT_AGAIN_SECONDS)
            try:
                await self.send_commands()
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                self.commands_problem = f"commands can't be sent to Discord ({error})"

    async def _leave_others_alone(self) -> None:
        """Do nothing for servers of other shards, and name those this database still holds."""
        if self.settings.shard_ids is None:
            return
        self.database.shards = Shards(self.settings.shard_ids, self.settings.shard_count or 1)
        elsewhere = await self.database.read(servers_elsewhere, self.database.shards)
        if elsewhere:
            named = ", ".join(str(guild) for guild in elsewhere)
            _log.warning("left alone, because their shards aren't of this process: servers %s", named)

    def expect(self, form: discord.ui.Modal) -> None:
        """Take a form from now on: it can be sent before Discord confirms that it is open, or where that is lost."""
        self._connection.store_view(form)

    def announce(self) -> None:
        """Wake the announcer: something may have been promised."""
        self.dispatch("promise")

    async def close(self) -> None:
        """Give the answers people wait for, stop the loops, leave Discord, close the database."""
        if self._sending is not None:
            self._sending.cancel()
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
