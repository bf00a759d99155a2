"""Looks whether players are still on their server: one request a person, a few a minute, without another intent."""

import logging
from datetime import datetime
from typing import Any

import aiohttp
import discord
from discord.ext import commands

from bot.services.problems import on_server
from cogs.runtime.repeating import Repeating
from cogs.ui.commands import LeagueCog
from storage.tables.memberships import Sought

_log = logging.getLogger(__name__)

SECONDS = 15
"""The time between two requests."""
MOST_SOUGHT = 100
PAUSE_SECONDS = 300
"""How long nobody is looked for once everyone was."""
UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013
"""Discord's codes for someone who isn't on a server, or has no account any more."""


class OnServer(LeagueCog):
    """Notes who is gone and who is back."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        self._client: commands.Bot = bot
        self._sought: list[Sought] = []
        self._looked: dict[Sought, datetime] = {}
        self._turns = Repeating(self._look_for_one, every=SECONDS, sleep=bot.sleep)

    @commands.Cog.listener("on_ready")
    async def start(self) -> None:
        """Start once the bot knows its servers; a reconnect starts nothing twice."""
        self._turns.start()

    async def cog_unload(self) -> None:
        """Stop with the bot."""
        self._turns.stop()

    async def _look_for_one(self) -> None:
        if not self._sought:
            await self.bot.sleep(PAUSE_SECONDS)
            now = self.bot.now()
            self._looked = {one: at for one, at in self._looked.items() if at > now - on_server.DAY}
            self._sought = list(await self.bot.database.read(on_server.due, now, MOST_SOUGHT, self._looked))
        if self._sought:
            sought = self._sought.pop(0)
            there = await self._is_there(sought)
            await self.bot.database.write(on_server.seen, sought, now=self.bot.now(), there=there)
            self._looked[sought] = self.bot.now()
            self.bot.announce()

    async def _is_there(self, sought: Sought) -> bool | None:
        """Return whether someone is on a server; None where Discord doesn't say."""
        guild = self._client.get_guild(sought.guild_id)
        if guild is None:
            return None
        try:
            await guild.fetch_member(sought.discord_id)
        except discord.NotFound as error:
            return False if error.code in (UNKNOWN_MEMBER, UNKNOWN_USER) else None
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            _log.info("could not look for %s on server %s: %s", sought.discord_id, sought.guild_id, error)
            return None
        return True
