"""Sends and edits due posts, never twice, never losing one: how fast, and new ones first."""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

import aiohttp
import discord
from discord.ext import commands

from bot import logs, steps
from bot.league.errors import Unavailable
from bot.pace import Pace
from bot.services.base import failed_posts
from bot.services.base.outbox import THREAD
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Lane
from bot.services.threads import thread_notes
from cogs.posting.lanes import Lanes
from cogs.posting.match_threads import MatchThreads
from cogs.posting.messages import Messages
from cogs.posting.refusals import CHANNEL_CLOSED, next_try, passes, problem_of, unreachable
from cogs.ui.commands import LeagueCog
from cogs.ui.context import Host
from storage.posts import QueuedPost, Target

_log = logging.getLogger(__name__)

PATIENCE_SECONDS = 60
"""A post that takes longer is tried again later."""
CLOSING_SECONDS = 8
"""How long a post being sent may take when the bot closes; who stops a program allows it about ten."""
POST_SECONDS = 1 / 45
"""The time between two posts: Discord takes 50 requests a second from a bot, and some are left for commands."""
DIRECT_SECONDS = 1.0
"""The time between two direct messages: Discord stops a bot that sends them faster."""
RENDERING_TRIES = 4
"""A post the bot itself fails on is failed after this many tries."""


class Announcer(LeagueCog):
    """Sends what was promised, woken after every change and by the clock."""

    def __init__(self, bot: Host) -> None:
        super().__init__(bot)
        self._threads = MatchThreads(bot)
        self._messages = Messages(bot, self._threads)
        self._lanes = Lanes(self._look, self._turn, self._make, sleep=bot.sleep)
        self._pace = Pace(POST_SECONDS if bot.paced else 0)
        self._begun = False
        self._direct = Pace(DIRECT_SECONDS if bot.paced else 0)

    async def cog_load(self) -> None:
        """Count what is due as perhaps sent, before anyone can act; where the disk is full, before anything is sent."""
        with suppress(Unavailable):
            await self._begin()

    async def _begin(self) -> None:
        if not self._begun:
            await self.bot.database.write(delivery.begin, self.bot.now())
            self._begun = True

    @commands.Cog.listener("on_promise")
    async def wake(self) -> None:
        """Send and edit whatever is due."""
        self._lanes.wake()

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    async def back_in(self, guild: discord.Guild) -> None:
        """Make the posts that failed while the bot was out of a server, or not running, or the server not there."""
        await self.try_again(guild.id)

    @commands.Cog.listener("on_rights_unread")
    async def try_again(self, guild_id: int) -> None:
        """Make the posts of a server that failed: what it told of rights may be what they waited for."""
        db = self.bot.database
        if not await db.read(failed_posts.any_parked, guild_id):
            return
        if await db.write(failed_posts.try_again, guild_id=guild_id, now=self.bot.now()):
            self._lanes.wake()

    @commands.Cog.listener("on_guild_channel_update")
    async def opened(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Make the posts that failed while a channel was closed to the bot."""
        me = after.guild.me
        if after.permissions_for(me).value & ~before.permissions_for(me).value:
            await self.back_in(after.guild)

    @commands.Cog.listener("on_guild_role_update")
    async def role_changed(self, before: discord.Role, after: discord.Role) -> None:
        """Make the posts that failed while a role kept the bot from writing."""
        if before.permissions != after.permissions:
            await self.back_in(after.guild)

    @commands.Cog.listener("on_guild_role_delete")
    async def role_deleted(self, role: discord.Role) -> None:
        """Make the posts that failed while a role kept the bot from writing."""
        await self.back_in(role.guild)

    @commands.Cog.listener("on_member_update")
    async def member_changed(self, before: discord.Member, after: discord.Member) -> None:
        """Make the posts that failed while the bot lacked a role, or was timed out: it hears of itself only."""
        if after == after.guild.me and (before.roles, before.timed_out_until) != (after.roles, after.timed_out_until):
            await self.back_in(after.guild)

    @commands.Cog.listener("on_raw_thread_delete")
    async def thread_deleted(self, thread: discord.RawThreadDeleteEvent) -> None:
        """Ask in the channel what was asked in a thread that people deleted."""
        if await self.bot.database.write(thread_notes.deleted, thread.thread_id, now=self.bot.now()):
            self._lanes.wake()

    async def cog_unload(self) -> None:
        """Finish the posts being sent before the bot closes, in bounded time."""
        await self._lanes.close(CLOSING_SECONDS)

    async def _look(self) -> Mapping[Lane, list[QueuedPost]]:
        """Return what is due; nothing where the database can't be read: it waits until the clock asks again."""
        try:
            await self._begin()
            return await self.bot.database.read(delivery.due, self.bot.now(), self.bot.database.shards)
        except Unavailable as error:
            _log.warning("posts wait until the clock asks again: %s", error)
        except Exception:
            _log.exception("posts wait until the clock asks again")
        return {}

    async def _turn(self, post: QueuedPost) -> None:
        """Wait until Discord takes one more: new posts before edits, and direct messages slowly."""
        if post.removed and self._messages.is_unsent(post):
            return
        if post.target is Target.PERSON:
            await self._direct.turn()
        await self._pace.turn(hurry=post.message_id is None)

    async def _make(self, post: QueuedPost) -> bool:
        """Make one post and return whether the next may follow; a database that fails stops no other lane."""
        with logs.one_action(_work(post), post=post.id, kind=post.kind, channel=post.channel_id):
            try:
                is_made = await self._keep(post)
            except Exception as error:
                logs.tell(result="not noted")
                self._messages.unsure.add(post.id)
                is_unavailable = isinstance(error, Unavailable)
                _log.error("post %s waits until the clock asks again: %s", post.id, error, exc_info=not is_unavailable)
                return False
        self._messages.unsure.discard(post.id)
        return is_made

    async def _keep(self, post: QueuedPost) -> bool:
        """Show one post, and return whether it's shown; whatever goes wrong is noted on it."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._show(post)
            return True
        except discord.HTTPException as error:
            logs.tell(error=f"{error.status}/{error.code}")
            return await self._refused(post, error)
        except discord.RateLimited as limited:
            await self._note(post, "Discord asks the bot to slow down.", wait=timedelta(seconds=limited.retry_after))
        except (aiohttp.ClientError, OSError) as error:
            # Perhaps it was sent all the same: the next try looks before it sends.
            logs.tell(error=type(error).__name__)
            await self._note(post, f"Discord didn't answer: {error}", wait=next_try(post.attempts))
        except Unavailable:
            raise
        except Exception as error:
            _log.exception("post %s cannot be shown", post.id)
            problem = f"Something broke on our side ({error}). Tell the person who runs the bot."
            wait = next_try(post.attempts) if post.attempts + 1 < RENDERING_TRIES else None
            await self._note(post, problem, wait=wait)
            return True
        return False

    async def _refused(self, post: QueuedPost, error: discord.HTTPException) -> bool:
        """Do what follows of a refusal, and return whether the next post may follow."""
        closed, problem = error.status in CHANNEL_CLOSED, problem_of(error, post)
        if passes(error):
            await self._note(post, problem, wait=next_try(post.attempts))
            return False
        if await self._threads.lost(post, error, problem):
            self._lanes.wake()
        elif post.target is Target.PERSON and unreachable(error):
            await self.bot.database.write(delivery.refused, post.id, self.bot.now())
            self._lanes.wake()
        else:
            await self._note(post, problem, wait=None, channel_closed=closed and post.kind != THREAD)
        return True

    async def _note(
        self, post: QueuedPost, problem: str, *, wait: timedelta | None, channel_closed: bool = False
    ) -> None:
        logs.tell(result="retried" if wait else "failed")
        now = self.bot.now()
        await self.bot.database.write(
            delivery.failed,
            post.id,
            now=now,
            problem=problem[:300],
            retry_at=None if wait is None else now + wait,
            channel_closed=channel_closed,
        )
        if wait is None:
            self._lanes.wake()  # the organisers are told

    async def _show(self, queued: QueuedPost) -> None:
        db = self.bot.database
        if queued.removed:
            await self._messages.delete(queued)
            await self._note_deleted(queued)
            return
        if queued.id in self._messages.unsure:
            await db.write(delivery.perhaps_sent, queued.id)
        due = await steps.load(db, queued.id, self.bot.now(), self.bot.worker)
        if due is None:
            logs.tell(result="not needed")
            return
        place = await self._messages.show(due)
        if place is None:
            await self._note_deleted(queued)
            return
        channel_id, message_id = place
        shown: Any = {
            "channel_id": channel_id,
            "message_id": message_id,
            "version": due.row.wanted,
            "rest": due.rest,
        }
        if await db.write(delivery.sent, queued.id, now=self.bot.now(), **shown):
            self._lanes.wake()

    async def _note_deleted(self, post: QueuedPost) -> None:
        if await self.bot.database.write(delivery.deleted, post.id, self.bot.now()):
            self._lanes.wake()


def _work(post: QueuedPost) -> str:
    """Return what is done for a post, as it's logged."""
    if post.removed:
        return "delete post"
    return "send post" if post.message_id is None else "edit post"
