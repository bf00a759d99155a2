"""Keeps the promises of the services: sends and edits the posts that are due, never twice, never losing one."""

import asyncio
import hashlib
import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

import aiohttp
import discord
from discord.ext import commands

from bot.league.errors import Unavailable
from bot.services.outbox import delivery
from bot.services.outbox.delivery import Delivery, Lane
from bot.services.outbox.post_kinds import PostKind
from bot.services.places import thread_notes
from bot.services.places.thread_card import ThreadPost
from cogs.match_threads import MatchThreads
from cogs.refusals import ARCHIVED, CHANNEL_CLOSED, PASSING, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, problem_of
from cogs.ui.context import LeagueCog
from cogs.ui.posts.by_kind import message
from cogs.ui.posts.pinning import pin
from cogs.ui.replies import Answer, edit_parts, message_parts, with_clickable
from storage.posts import PostRow, Target

_log = logging.getLogger(__name__)

LOOK_BACK = 100
"""How many messages of a channel are searched for a post that was perhaps sent before a crash."""
PATIENCE_SECONDS = 60
"""A post that takes longer holds up the others; it is tried again later."""
CLOSING_SECONDS = 8
"""How long a post being sent may take when the bot closes; who stops a program allows it about ten."""
MOST_LANES = 5
"""How many channels are posted to at once."""
DIRECT_SECONDS = 1.0
"""The time between two direct messages: Discord stops a bot that sends them faster."""
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(minutes=30)
RENDERING_TRIES = 4
"""A post the bot itself fails on is parked after this many tries."""


class Announcer(LeagueCog):
    """Sends what was promised, woken after every change and by the clock."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        self._client: commands.Bot = bot
        self._work: asyncio.Task[None] | None = None
        self._lanes: dict[Lane, asyncio.Task[None]] = {}
        self._woken = asyncio.Event()
        self._closing = False
        self._started: datetime | None = None  # the first turn; the bot's clock may not run before that
        self._threads = MatchThreads(bot)
        self._unsure: set[str] = set()  # perhaps sent, but the database could not take that down

    @commands.Cog.listener("on_promise")
    async def wake(self) -> None:
        """Send and edit whatever is due: one task does that, and looks again where it was woken meanwhile."""
        self._woken.set()
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._keep_promises())

    @commands.Cog.listener("on_guild_join")
    async def back_in(self, guild: discord.Guild) -> None:
        """Make the posts that failed while the bot was out of a server."""
        await delivery.try_again(self.bot.database, guild_id=guild.id, now=self.bot.now())
        await self.wake()

    @commands.Cog.listener("on_guild_channel_update")
    async def opened(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Make the posts that failed while a channel was closed to the bot."""
        me = after.guild.me
        if after.permissions_for(me).send_messages and not before.permissions_for(me).send_messages:
            await self.back_in(after.guild)

    @commands.Cog.listener("on_raw_thread_delete")
    async def thread_deleted(self, thread: discord.RawThreadDeleteEvent) -> None:
        """Ask in the channel what was asked in a thread that people deleted."""
        if await thread_notes.deleted(self.bot.database, thread.thread_id, now=self.bot.now()):
            await self.wake()

    async def cog_unload(self) -> None:
        """Finish the posts being sent before the bot closes, in bounded time."""
        self._closing = True
        if self._work is not None:
            self._woken.set()
            await asyncio.wait([self._work], timeout=CLOSING_SECONDS)
            self._work.cancel()

    async def _keep_promises(self) -> None:
        """Fill the free lanes with what is due until nothing is; the clock asks again."""
        self._started = self._started or self.bot.now()
        try:
            while self._woken.is_set() or self._lanes:
                self._woken.clear()
                if not self._closing:
                    await self._fill_lanes()
                await self._one_lane_or_woken()
        except Unavailable as error:
            _log.warning("posts wait until the clock asks again: %s", error)
        except Exception:
            _log.exception("posts wait until the clock asks again")
        finally:
            for lane in self._lanes.values():
                lane.cancel()
            self._lanes.clear()

    async def _fill_lanes(self) -> None:
        for lane, posts in (await delivery.due(self.bot.database, self.bot.now())).items():
            if lane not in self._lanes and len(self._lanes) < MOST_LANES:
                self._lanes[lane] = asyncio.create_task(self._send_lane(posts))

    async def _one_lane_or_woken(self) -> None:
        """Wait until a lane is free or more was promised; a lane that is free is filled again."""
        if not self._lanes:
            return
        waking = asyncio.create_task(self._woken.wait())
        try:
            await asyncio.wait([*self._lanes.values(), waking], return_when=asyncio.FIRST_COMPLETED)
        finally:
            waking.cancel()
        for lane in [lane for lane, task in self._lanes.items() if task.done()]:
            self._woken.set()
            self._lanes.pop(lane).result()

    async def _send_lane(self, posts: Iterable[PostRow]) -> None:
        """Make the posts of one lane, in order."""
        for post in posts:
            if self._closing:
                return
            try:
                await self._keep(post)
            except BaseException:
                self._unsure.add(post.key)
                raise
            self._unsure.discard(post.key)
            if post.target is Target.PERSON:
                await asyncio.sleep(DIRECT_SECONDS)

    async def _keep(self, post: PostRow) -> None:
        """Show one post; whatever goes wrong is noted on it, so that it never stops the others."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._show(post)
        except discord.HTTPException as error:
            passing = error.status in PASSING or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
            closed = error.status in CHANNEL_CLOSED
            problem = problem_of(error, post)
            if await self._threads.lost(post, error, problem):
                self._woken.set()
            elif closed and post.target is Target.PERSON:
                await delivery.refused(self.bot.database, post.id, self.bot.now())
            else:
                closed = closed and post.kind != PostKind.THREAD
                await self._note(post, problem, retry=passing, channel_closed=closed)
        except (aiohttp.ClientError, OSError) as error:
            # Perhaps it was sent all the same: the next try looks before it sends.
            await self._note(post, f"Discord didn't answer: {error}", retry=True)
        except Unavailable:
            raise
        except Exception as error:
            _log.exception("post %s cannot be shown", post.key)
            problem = f"Something broke on our side ({error}). Tell the person who runs the bot."
            await self._note(post, problem, retry=post.attempts + 1 < RENDERING_TRIES)

    async def _note(self, post: PostRow, problem: str, *, retry: bool, channel_closed: bool = False) -> None:
        now = self.bot.now()
        wait = min(FIRST_WAIT * 2 ** min(post.attempts, 10), LONGEST_WAIT)
        _log.warning("post %s: %s", post.key, problem)
        await delivery.failed(
            self.bot.database,
            post.id,
            now=now,
            problem=problem[:300],
            retry_at=now + wait if retry else None,
            channel_closed=channel_closed,
        )

    async def _show(self, owed: PostRow) -> None:
        if owed.removed:
            await self._delete(owed)
            return
        found = await delivery.load(self.bot.database, owed.id, self.bot.now(), self.bot.worker)
        if found is None:
            return
        if isinstance(found.facts, ThreadPost):
            found = await self._threads.ready(found, found.facts, mark_of(found.post))
        post, answer = found.post, with_clickable(await message(self.bot, found), self.bot.command_ids)
        channel_id = post.channel_id or await self._address(found)
        message_id = await self._edited(found, channel_id, answer)
        if message_id is None:
            channel_id = await self._address(found)
            message_id = await self._sent(found, channel_id, answer)
        await self._complete(found, channel_id, message_id)
        db, now = self.bot.database, self.bot.now()
        await delivery.sent(db, post.id, now=now, channel_id=channel_id, message_id=message_id, version=post.wanted)

    async def _complete(self, found: Delivery, channel_id: int, message_id: int) -> None:
        """Do what belongs to a message before it is noted: after a crash in between, it's found and that done again."""
        new, post = message_id != found.post.message_id, found.post
        if new and post.kind == PostKind.BOARD:
            await pin(self._channel(found, channel_id).get_partial_message(message_id))
        elif isinstance(found.facts, ThreadPost):
            await self._threads.keep(channel_id, found.facts, new=new)
        elif post.kind == PostKind.THREAD_OVER:
            await self._threads.archive(channel_id)

    async def _delete(self, post: PostRow) -> None:
        if post.channel_id is not None and post.message_id is not None:
            channel = self._client.get_partial_messageable(post.channel_id)
            try:
                await channel.get_partial_message(post.message_id).delete()
            except discord.NotFound as error:
                if error.code not in (UNKNOWN_CHANNEL, UNKNOWN_MESSAGE):
                    raise
        await delivery.removed(self.bot.database, post.id)

    async def _address(self, found: Delivery) -> int:
        """Return the channel a new message goes to, which for a direct message Discord has to name."""
        if found.post.target is Target.PERSON and found.post.person_id is not None:
            return (await self._client.create_dm(discord.Object(found.post.person_id))).id
        return found.channel_id

    def _channel(self, found: Delivery, channel_id: int) -> discord.PartialMessageable:
        direct = found.post.target is Target.PERSON
        return self._client.get_partial_messageable(channel_id, guild_id=None if direct else found.league.guild_id)

    async def _edited(self, found: Delivery, channel_id: int, answer: Answer) -> int | None:
        """Edit the message a post has; None where it has none, or it is gone, with its channel too."""
        channel = self._channel(found, channel_id)
        message_id = found.post.message_id or await self._found(channel, found.post)
        if message_id is None:
            return None
        message = channel.get_partial_message(message_id)
        try:
            await message.edit(**edit_parts(answer, mark_of(found.post)))
        except discord.NotFound as error:
            in_thread = found.post.kind in (PostKind.THREAD, PostKind.THREAD_OVER)
            if error.code != UNKNOWN_MESSAGE and (error.code != UNKNOWN_CHANNEL or in_thread):
                raise
            return None
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
            await self._threads.revive(channel_id)
            await message.edit(**edit_parts(answer, mark_of(found.post)))
        return message_id

    async def _found(self, channel: discord.PartialMessageable, post: PostRow) -> int | None:
        """Look for a post that was perhaps sent before the bot could note it, in this life or an earlier one."""
        new = self._started is not None and post.created_at > self._started
        if new and post.attempts == 0 and post.key not in self._unsure:
            return None
        user = self._client.user
        try:
            async for known in channel.history(limit=LOOK_BACK):
                marks = [getattr(component, "id", None) for component in known.components]
                if user is not None and known.author.id == user.id and mark_of(post) in marks:
                    return known.id
        except discord.Forbidden:
            # Without the right to read back, the nonce alone keeps a repeat away, for some minutes.
            _log.warning("channel %s cannot be read back for post %s", channel.id, post.key)
        return None

    async def _sent(self, found: Delivery, channel_id: int, answer: Answer) -> int:
        nonce = hashlib.sha256(found.post.key.encode()).hexdigest()[:25]
        channel = self._channel(found, channel_id)
        # The card of the round has notified the players; here a mention only lets them into their thread.
        quiet = found.post.kind == PostKind.THREAD
        return (await channel.send(**message_parts(answer, mark_of(found.post)), nonce=nonce, silent=quiet)).id


def mark_of(post: PostRow) -> int:
    """Return the invisible id of a post's message, by which the bot finds its own post again; above small numbers."""
    digest = hashlib.sha256(f"{post.key}/{int(post.created_at.timestamp())}".encode()).digest()
    return int.from_bytes(digest[:4]) % 2**30 + 2**30
