"""Gives and takes the roles of players and the champion, tries again, and says what organisers can do if that fails."""

import asyncio
import logging
from typing import Any

import aiohttp
import discord
from discord.ext import commands

from bot import logs
from bot.league.errors import Unavailable
from bot.pace import Pace
from bot.services.roles import role_holders
from cogs.posting.refusals import next_try, passes
from cogs.ui.commands import LeagueCog
from cogs.ui.context import Host
from cogs.ui.other_members import NOT_THERE
from storage.tables.held_roles import HeldRole

_log = logging.getLogger(__name__)

ROLE_SECONDS = 0.5
"""The time between two requests: Discord slows a bot down that changes roles faster."""
UNKNOWN_ROLE = 10011
REASON = "Fairpair: a role of the league"


class Roles(LeagueCog):
    """Keeps the promises of roles, woken after every change and by the clock."""

    def __init__(self, bot: Host) -> None:
        super().__init__(bot)
        self._http: Any = bot.http
        self._pace = Pace(ROLE_SECONDS if bot.paced else 0)
        self._working: asyncio.Task[None] | None = None
        self._woken = False

    @commands.Cog.listener("on_promise")
    async def wake(self) -> None:
        """Give and take what is due."""
        self._woken = True
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())

    @commands.Cog.listener("on_guild_role_update")
    async def role_changed(self, before: discord.Role, after: discord.Role) -> None:
        """Try again what the rights or the order of the roles kept the bot from."""
        if (before.permissions, before.position) != (after.permissions, after.position):
            await self._try_again(after.guild)

    @commands.Cog.listener("on_member_update")
    async def member_changed(self, before: discord.Member, after: discord.Member) -> None:
        """Try again once the bot itself has other roles."""
        if after == after.guild.me and before.roles != after.roles:
            await self._try_again(after.guild)

    async def _try_again(self, guild: discord.Guild) -> None:
        if await self.bot.database.write(role_holders.try_again, guild_id=guild.id, now=self.bot.now()):
            await self.wake()

    async def cog_unload(self) -> None:
        """Stop with the bot: what was not done stays promised."""
        if self._working is not None:
            self._working.cancel()
            await asyncio.wait([self._working])

    async def _work(self) -> None:
        while self._woken:
            self._woken = False
            try:
                due_roles = await self.bot.database.read(role_holders.due, self.bot.now(), self.bot.database.shards)
                for row in due_roles:
                    await self._pace.turn()
                    with logs.one_action("change a role", guild=row.guild_id, league=row.league_id):
                        await self._keep(row.id)
            except Unavailable as error:
                _log.warning("roles wait until the clock asks again: %s", error)
            except Exception:
                _log.exception("roles wait until the clock asks again")

    async def _keep(self, row_id: int) -> None:
        """Keep one promise as it is now, and note how it went; both requests can be made twice."""
        db, now = self.bot.database, self.bot.now()
        row = await db.read(role_holders.to_do, row_id)
        if row is None:
            return
        try:
            if not await db.read(role_holders.stays, row):
                change = self._http.add_role if row.wanted else self._http.remove_role
                await change(row.guild_id, row.discord_id, row.role_id, reason=REASON)
        except discord.HTTPException as error:
            logs.tell(result="failed", error=f"{error.status}/{error.code}")
            await self._refused(row, error)
        except (discord.RateLimited, aiohttp.ClientError, OSError) as error:
            logs.tell(result="failed", error=type(error).__name__)
            await db.write(role_holders.later, row, now + next_try(row.attempts))
        else:
            await db.write(role_holders.done, row, now)

    async def _refused(self, row: HeldRole, error: discord.HTTPException) -> None:
        db, now = self.bot.database, self.bot.now()
        if error.code in NOT_THERE:
            await db.write(role_holders.away, row, now)
        elif passes(error):
            await db.write(role_holders.later, row, now + next_try(row.attempts))
        elif error.code == UNKNOWN_ROLE and not row.wanted:
            await db.write(role_holders.done, row, now)
        else:
            await db.write(role_holders.fail, row, await self._problem(row, error), now)
            self.bot.announce()

    async def _problem(self, row: HeldRole, error: discord.HTTPException) -> str:
        which = await self.bot.database.read(role_holders.name_of, row)
        if error.code == UNKNOWN_ROLE:
            option = which.replace(" ", "_")
            return f"The {which} was deleted. Choose another: /league settings with {option}."
        if error.status == 403:
            return (
                f"The bot can't give or take the {which}. In Server Settings > Roles, allow the bot's role Manage "
                f"Roles, and drag it above the {which}. It then goes on by itself."
            )
        return f"Discord refuses the {which} ({error.text or error}). Tell the person who runs the bot."
