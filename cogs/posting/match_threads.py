"""The threads of matches and groups on Discord: made once whatever happens, their names, who is in them, archiving."""

import contextlib
import logging
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from typing import Any

import discord

from bot.services.base.outbox import THREAD_OVER
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Delivery
from bot.services.reads.details import ThreadPost
from bot.services.threads import thread_notes
from cogs.posting.refusals import ARCHIVED, LOCKED, UNKNOWN_CHANNEL
from cogs.ui.context import Host
from storage.database import Database
from storage.posts import QueuedPost

_log = logging.getLogger(__name__)

Mentioning = Callable[[Sequence[int]], dict[str, Any]]

LOOK_BACK = 100
"""How many archived threads, and messages of a thread, are searched for what was perhaps made before a crash."""
NEAR = 20
"""How many of the newest messages are searched for the line Discord writes about a new thread."""
LISTED: Any = 10080
"""Minutes without a message after which Discord hides a thread: a week, its most."""


class MatchThreads:
    """Makes and keeps threads for the announcer."""

    def __init__(self, bot: Host) -> None:
        self._bot = bot
        self._revived: set[int] = set()

    @property
    def _db(self) -> Database:
        return self._bot.database

    async def ready(self, due: Delivery, post: ThreadPost, mark: int) -> Delivery:
        """Return the card of a thread for the one it has, one that was made before a crash, or a new one.

        That it may be there is noted before it is made, so that it's looked for only where it may be.
        """
        if post.thread_id is not None:
            return replace(due, channel_id=post.thread_id)  # never elsewhere, also where it was closed meanwhile
        parent = await self._parent(due.league.channel_id)
        may_exist = not await self._db.write(thread_notes.begin, *post.matches)
        thread = await self._made_before(parent, post, mark) if may_exist else None
        if thread is None:
            kind = _kind(parent, private=post.private)
            thread = await parent.create_thread(name=post.name, type=kind, auto_archive_duration=LISTED)
        noted: Any = {"now": self._bot.now(), "private": post.private}
        await self._db.write(thread_notes.made, post.matches[0], thread.id, **noted)
        return replace(due, channel_id=thread.id)

    async def _parent(self, channel_id: int) -> Any:
        return self._bot.get_channel(channel_id) or await self._bot.fetch_channel(channel_id)

    async def _made_before(self, parent: Any, post: ThreadPost, mark: int) -> discord.Thread | None:
        """Find a thread the bot made but couldn't note: of this name and no other match, empty or with this card."""
        threads = [thread for thread in await parent.guild.active_threads() if thread.parent_id == parent.id]
        with contextlib.suppress(discord.Forbidden):
            old = parent.archived_threads(private=post.private, joined=post.private, limit=LOOK_BACK)
            threads += [thread async for thread in old]
        me = parent.guild.me.id
        looked_for = (post.name, me, post.private)
        alike = [thread for thread in threads if (thread.name, thread.owner_id, thread.is_private()) == looked_for]
        unknown = await self._db.read(thread_notes.of_no_match, [thread.id for thread in alike])
        mine = [thread for thread in alike if thread.id in unknown and await _opens_with(thread, mark, me)]
        return mine[0] if mine else None

    async def keep(
        self, card: discord.PartialMessage, post: ThreadPost, mentioning: Mentioning, named: str, *, new: bool
    ) -> None:
        """Do the rest once a thread shows its card: its line in the channel, its name, who is in it.

        `named` is the text of the card, `mentioning` how it's edited so that it mentions people.
        """
        thread = await self._thread(card.channel.id)
        if new:
            await _delete_line(thread)
        elif thread.name != post.name:  # a player is called otherwise, or another person plays
            await _tried(thread.edit(name=post.name), f"rename thread {thread.id}")
        if set(post.inside) != set(post.ping_ids):
            by_card = {person for person in post.ping_ids if f"<@{person}>" in named} - set(post.inside)
            if by_card:  # an edit lets them all in, and notifies no one
                await _tried(card.edit(**mentioning(sorted(by_card))), f"add {len(by_card)} to thread {thread.id}")
            await self._let_in(thread, post, by_card)

    async def _thread(self, thread_id: int) -> Any:
        return self._bot.get_channel(thread_id) or await self._bot.fetch_channel(thread_id)

    async def _let_in(self, thread: discord.Thread, post: ThreadPost, by_card: Set[int]) -> None:
        """Add who plays, so that the thread is in their list, and take out of a private one who doesn't."""
        for person in set(post.ping_ids) - set(post.inside) - by_card:
            await _tried(thread.add_user(discord.Object(person)), f"add {person} to thread {thread.id}")
        for person in set(post.inside) - set(post.ping_ids) if post.private else ():
            await _tried(thread.remove_user(discord.Object(person)), f"take {person} out of thread {thread.id}")
        await self._db.write(thread_notes.added, post.matches[0], post.ping_ids)

    async def revive(self, thread_id: int, *, for_now: bool) -> None:
        """Bring an archived thread back, so that messages in it can be edited; `for_now`, until that is done."""
        await (await self._thread(thread_id)).edit(archived=False)
        if for_now:
            self._revived.add(thread_id)

    async def rest(self, channel_id: int) -> None:
        """Archive a thread that was archived until now, or in which nothing happens any more, once a post is made."""
        if channel_id in self._revived or await self._db.read(thread_notes.rests, channel_id):
            await (await self._thread(channel_id)).edit(archived=True)
        self._revived.discard(channel_id)

    async def lost(self, post: QueuedPost, error: discord.HTTPException, problem: str) -> bool:
        """Send a post to the channel instead where its match's thread is gone or closed; False for another failure.

        Nothing is left to do in the thread of a match that isn't played.
        """
        closed = error.code in (ARCHIVED, LOCKED) or isinstance(error, discord.Forbidden)
        if post.kind == THREAD_OVER and (closed or error.code == UNKNOWN_CHANNEL):
            await self._db.write(delivery.removed, post.id)
            return True
        if error.code == UNKNOWN_CHANNEL:
            return await self._db.write(thread_notes.gone, post.id, channel_id=post.channel_id, now=self._bot.now())
        about: Any = {"channel_id": post.channel_id, "now": self._bot.now(), "problem": problem}
        return closed and await self._db.write(thread_notes.closed, post.id, **about)


def _kind(parent: discord.TextChannel, *, private: bool) -> discord.ChannelType:
    if private:
        return discord.ChannelType.private_thread
    return discord.ChannelType.news_thread if parent.is_news() else discord.ChannelType.public_thread


async def _opens_with(thread: discord.Thread, mark: int, me: int) -> bool:
    """Whether a thread holds nothing by the bot yet, or the card with this mark."""
    async for message in thread.history(limit=LOOK_BACK, oldest_first=True):
        if message.author.id == me and not message.is_system():
            return mark in [getattr(component, "id", None) for component in message.components]
    return True


async def _delete_line(thread: discord.Thread) -> None:
    """Delete the line Discord writes into the channel about a new thread; where it may not, the line stays.

    The line refers to its thread; whether its id is above or below the thread's, Discord doesn't say.
    """
    parent = thread.parent
    if not isinstance(parent, discord.TextChannel):
        return
    with contextlib.suppress(discord.HTTPException):
        async for line in parent.history(limit=NEAR):
            if line.type is discord.MessageType.thread_created and _is_about(line, thread):
                await line.delete()
                return


def _is_about(line: discord.Message, thread: discord.Thread) -> bool:
    if line.reference is not None:
        return line.reference.channel_id == thread.id
    return (line.content, line.author.id) == (thread.name, thread.owner_id)


async def _tried(request: Any, doing: str) -> None:
    """Do what may fail because a person has left the server or a right is missing; the thread works without it."""
    try:
        await request
    except discord.HTTPException as refused:
        _log.warning("can't %s: %s", doing, refused)
