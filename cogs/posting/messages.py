"""Messages on Discord: sent once whatever happens in between, edited, found again, pinned, and deleted."""

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import aiohttp
import discord

from bot import steps
from bot.services.base import pending_questions, post_kinds
from bot.services.base.addresses import perhaps_in
from bot.services.base.outbox import BOARD, THREAD, THREAD_OVER
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Delivery
from bot.services.reads.details import ThreadPost
from cogs.posting.match_threads import MatchThreads
from cogs.posting.refusals import ARCHIVED, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, passes
from cogs.posting.renderings import message
from cogs.ui.cards import Answer, texts_of
from cogs.ui.context import Host
from cogs.ui.replies import edit_parts, message_parts, with_clickable
from storage.posts import PostId, PostRow, QueuedPost, Target

_log = logging.getLogger(__name__)

NONCES = 4
"""How many nonces are tried at once: Discord takes none of a message that was made and is gone."""
LOOK_BACK = 100
"""How many messages of a channel are searched at least for a post that was perhaps sent before a crash."""
FARTHEST = 2000
"""How many are searched at most: as many as came since the post was queued."""
CLOCKS = timedelta(minutes=10)
"""By how much the bot's clock and Discord's can differ."""


class Messages:
    """Shows posts on Discord for the announcer.

    `unsure` are those that were perhaps sent in this life of the bot, but could not be noted.
    """

    def __init__(self, bot: Host, threads: MatchThreads) -> None:
        self._bot = bot
        self._threads = threads
        self.unsure: set[PostId] = set()

    async def show(self, due: Delivery) -> tuple[int, int] | None:
        """Send a post or edit its message, and return the ids of its channel and message.

        None where the card of matches that aren't played is gone: then their thread is only archived; and where what
        is gone only told something, has had its time, or asks what nobody has to answer any more.
        """
        if isinstance(due.post, ThreadPost):
            due = await self._threads.ready(due, due.post, mark_of(due.row))
        row, answer = due.row, with_clickable(await message(self._bot, due), self._bot.command_ids)
        channel_id, message_id = await self._standing(due)
        if message_id is not None and not await self._edited(due, channel_id, message_id, answer):
            message_id = None
        if message_id is None and row.kind == THREAD_OVER:
            await self._threads.rest(channel_id)
            return None
        if message_id is None:
            if row.message_id is not None:
                row = await self._bot.database.write(delivery.lost, row.id)
                if row.is_over(self._bot.now()):
                    return None
                kind = post_kinds.of(row)
                if pending_questions.asks(kind):
                    return await self._ask_again(row)
                if not kind.stands:
                    return None
            channel_id = await self._address(due)
            message_id = await self._sent(due, row, channel_id, answer)
        await self._complete(due, channel_id, message_id, answer)
        return channel_id, message_id

    async def _ask_again(self, row: PostRow) -> tuple[int, int] | None:
        """Send a question whose message is gone as it is asked the first time: with who has to answer."""
        due = await steps.load(self._bot.database, row.id, self._bot.now())
        return None if due is None else await self.show(due)

    async def _complete(self, due: Delivery, channel_id: int, message_id: int, answer: Answer) -> None:
        """Do what belongs to a message before it is noted: after a crash in between, it's found and that done again."""
        new, row = message_id != due.row.message_id, due.row
        if new and row.kind == BOARD:
            await pin(self._channel(due, channel_id).get_partial_message(message_id))
        elif isinstance(due.post, ThreadPost):

            def mentioning(people: Sequence[int]) -> dict[str, Any]:
                return edit_parts(replace(answer, ping_ids=tuple(people)), mark_of(row))

            card, named = (
                self._channel(due, channel_id).get_partial_message(message_id),
                "\n".join(texts_of(answer.parts)),
            )
            await self._threads.keep(card, due.post, mentioning, named, new=new)
        if due.row.target is Target.LEAGUE and channel_id != due.league.channel_id:
            await self._threads.rest(channel_id)

    async def delete(self, post: QueuedPost) -> None:
        """Delete the message of a post, if it is there; one that was perhaps sent is looked for."""
        if self.is_unsent(post):
            return
        channel_id, message_id = await self._place(post), post.message_id
        try:
            if message_id is None:
                row = await self._bot.database.read(delivery.row, post.id)
                channel_id, message_id = await self._looked_for(row, channel_id)
            place = self._bot.get_partial_messageable(channel_id)
            if message_id is not None and not await self._deleted(place.get_partial_message(message_id)):
                return
        except discord.NotFound as error:
            if error.code == UNKNOWN_CHANNEL:
                return
            if error.code != UNKNOWN_MESSAGE:
                raise
        await self._threads.rest(channel_id)

    async def _deleted(self, message: discord.PartialMessage) -> bool:
        """Delete a message, in an archived thread too; False for one in a locked thread: it stays and does nothing."""
        try:
            await message.delete()
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
            try:
                await self._threads.revive(message.channel.id, for_now=True)
            except discord.Forbidden as locked:
                if passes(locked):
                    raise
                _log.info("message %s stays in thread %s: %s", message.id, message.channel.id, locked)
                return False
            await message.delete()
        return True

    async def _place(self, post: QueuedPost) -> int:
        """Return the channel in which a message is, or would be had it been sent."""
        if post.message_id is None and post.person_id is not None and post.target is Target.PERSON:
            return (await self._bot.create_dm(discord.Object(post.person_id))).id
        return post.channel_id

    async def _address(self, due: Delivery) -> int:
        """Return the channel a new message goes to, which for a direct message Discord has to name."""
        if due.row.target is Target.PERSON and due.row.person_id is not None:
            return (await self._bot.create_dm(discord.Object(due.row.person_id))).id
        return due.channel_id

    def _channel(self, due: Delivery, channel_id: int) -> discord.PartialMessageable:
        direct = due.row.target is Target.PERSON
        return self._bot.get_partial_messageable(channel_id, guild_id=None if direct else due.league.guild_id)

    async def _standing(self, due: Delivery) -> tuple[int, int | None]:
        """Return the channel of a post and its message there; None for one that isn't sent yet."""
        row = due.row
        channel_id = row.channel_id or await self._address(due)
        return (channel_id, row.message_id) if row.message_id is not None else await self._looked_for(row, channel_id)

    async def _edited(self, due: Delivery, channel_id: int, message_id: int, answer: Answer) -> bool:
        """Edit the message of a post; False where it is gone, perhaps with its channel.

        One that was found is noted where Discord refuses the edit, so that no other is sent for it.
        """
        try:
            await self._edit(due, channel_id, message_id, answer)
        except discord.NotFound as error:
            in_thread = due.row.kind in (THREAD, THREAD_OVER)
            if error.code != UNKNOWN_MESSAGE and (error.code != UNKNOWN_CHANNEL or in_thread):
                raise
            return False
        except discord.HTTPException as error:
            if due.row.message_id is None and not passes(error):
                where: Any = {"channel_id": channel_id, "message_id": message_id, "rest": due.rest}
                await self._bot.database.write(delivery.sent, due.row.id, now=self._bot.now(), version=0, **where)
            raise
        return True

    async def _edit(self, due: Delivery, channel_id: int, message_id: int, answer: Answer) -> None:
        """Edit a message, in an archived thread too."""
        message = self._channel(due, channel_id).get_partial_message(message_id)
        try:
            await message.edit(**edit_parts(answer, mark_of(due.row)))
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
            await self._threads.revive(channel_id, for_now=not _is_for_players(due))
            await message.edit(**edit_parts(answer, mark_of(due.row)))

    async def _looked_for(self, row: PostRow, channel_id: int) -> tuple[int, int | None]:
        """Look for a post that was perhaps sent before the bot could note it, in this life or an earlier one.

        It stands where it went then: its match may have got a thread since, or lost it. None where it's nowhere.
        """
        if self.is_unsent(row):
            return channel_id, None
        for place in dict.fromkeys((channel_id, *await self._bot.database.read(perhaps_in, row))):
            message_id = await self._found(self._bot.get_partial_messageable(place), row)
            if message_id is not None:
                return place, message_id
        return channel_id, None

    def is_unsent(self, post: PostRow | QueuedPost) -> bool:
        """Return whether nothing of a post can be on Discord: no attempt to send it failed, or ended with the bot."""
        return post.message_id is None and post.attempts == 0 and post.id not in self.unsure

    async def _found(self, channel: discord.PartialMessageable, row: PostRow) -> int | None:
        """Return the message of a post in a channel, by its mark."""
        user, looked = self._bot.user, 0
        try:
            async for message in channel.history(limit=FARTHEST):
                looked += 1
                marks = [getattr(component, "id", None) for component in message.components]
                if user is not None and message.author.id == user.id and mark_of(row) in marks:
                    return message.id
                if looked >= LOOK_BACK and message.created_at < row.created_at - CLOCKS:
                    return None
        except discord.Forbidden as error:
            if passes(error):
                raise
            # Without the right to read back, the nonce alone keeps a repeat away, for some minutes.
            _log.warning("channel %s cannot be read back for post %s", channel.id, row.key)
        return None

    async def _sent(self, due: Delivery, row: PostRow, channel_id: int, answer: Answer) -> int:
        """Send a message; one that an earlier try made and people deleted counts as gone, and another is made."""
        channel = self._channel(due, channel_id)
        for tries_left in reversed(range(NONCES)):
            try:
                parts = message_parts(answer, mark_of(row))
                return (await channel.send(**parts, nonce=_nonce(row, channel_id))).id
            except discord.NotFound as error:
                if error.code != UNKNOWN_MESSAGE or not tries_left:
                    raise
            row = await self._bot.database.write(delivery.lost, row.id)
        raise AssertionError


def _is_for_players(due: Delivery) -> bool:
    """Whether players still have something to do with what a post shows: the card of matches without a result."""
    return isinstance(due.post, ThreadPost) and not due.post.over


def mark_of(row: PostRow) -> int:
    """Return the invisible id of a post's message, by which the bot finds its own post again; above small numbers."""
    digest = hashlib.sha256(_one(row).encode()).digest()
    return int.from_bytes(digest[:4]) % 2**30 + 2**30


def _nonce(row: PostRow, channel_id: int) -> str:
    """Return what Discord knows a repeat of the same try by: for some minutes, also once the message is deleted."""
    return hashlib.sha256(f"{_one(row)}/{channel_id}/{row.gone}".encode()).hexdigest()[:25]


def _one(row: PostRow) -> str:
    """Return what no other post has: its id in this database, and when it was queued, which no other one shares."""
    return f"{row.id}/{int(row.created_at.timestamp())}"


_LINES = 5
"""How many messages after a pinned one are searched for the line that Discord writes about it."""


async def pin(message: discord.PartialMessage) -> None:
    """Pin a message as far as the bot may; without the right it stays unpinned."""
    try:
        await message.pin()
        async for line in message.channel.history(after=message, limit=_LINES):
            if line.type is discord.MessageType.pins_add:
                await line.delete()
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        _log.info(
            "message %s in channel %s isn't pinned or its line not deleted: %s", message.id, message.channel.id, error
        )
