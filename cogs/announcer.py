"""Keeps the promises of the services: sends and edits the posts that are due, never twice, never giving one up."""

import asyncio
import hashlib
import logging
from datetime import datetime, timedelta
from typing import Any

import aiohttp
import discord
from discord.ext import commands

from bot.league.errors import Unavailable
from bot.services.act import look
from bot.services.outbox import delivery, promises
from bot.services.permissions import BOT
from cogs.ui.context import LeagueCog
from cogs.ui.render.posts import render
from cogs.ui.replies import Answer, message_parts, view_of
from storage.rows import PostRow

_log = logging.getLogger(__name__)

LOOK_BACK = 100
"""How many messages of a channel are searched for a post that was perhaps sent before a crash."""
PATIENCE_SECONDS = 60
"""A post that takes longer holds up the others; it is tried again later."""
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(minutes=30)

UNKNOWN_MESSAGE = 10008
"""Discord's code for a message that is gone, as opposed to its channel."""
PLAYERS_ONLY = discord.AllowedMentions(everyone=False, roles=False, users=True)

Channel = discord.PartialMessageable


class Announcer(LeagueCog):
    """Sends what was promised, woken after every change and by the clock."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        self._client: commands.Bot = bot
        self._turn = asyncio.Lock()
        self._started: datetime | None = None  # the first turn; the bot's clock may not run before that
        self._closing = False
        self._unsure: set[str] = set()  # perhaps sent, but the database could not take that down

    @commands.Cog.listener("on_promise")
    async def keep_promises(self) -> None:
        """Send and edit whatever is due; one at a time, so that posts come in the order they were promised."""
        async with self._turn:
            self._started = self._started or self.now()
            try:
                while not self._closing and (owed := await delivery.due(self.db, self.now())):
                    for post in owed:
                        await self._keep(post)
            except Unavailable as error:
                _log.warning("posts wait until the clock asks again: %s", error)

    @commands.Cog.listener("on_guild_join")
    async def back_in(self, guild: discord.Guild) -> None:
        """Make the posts that failed while the bot was out of a server."""
        await delivery.try_again(self.db, guild_id=guild.id, now=self.now())
        await self.keep_promises()

    @commands.Cog.listener("on_guild_channel_update")
    async def opened(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Make the posts that failed while a channel was closed to the bot."""
        me = after.guild.me
        if after.permissions_for(me).send_messages and not before.permissions_for(me).send_messages:
            await self.back_in(after.guild)

    async def cog_unload(self) -> None:
        """Finish what is being sent before the bot closes."""
        self._closing = True
        async with self._turn:
            pass

    async def _keep(self, post: PostRow) -> None:
        """Show one post, and remember it where the database could not take down how that went."""
        try:
            await self._try(post)
        except BaseException:
            self._unsure.add(post.key)
            raise
        self._unsure.discard(post.key)

    async def _try(self, post: PostRow) -> None:
        """Show one post; whatever goes wrong is noted on it, so that it never stops the others."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._show(post)
        except (discord.Forbidden, discord.NotFound) as error:
            await self._note(post, f"Discord refuses it: {error.text or error}", retry=False)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            # Perhaps it was sent all the same: the next try looks before it sends.
            await self._note(post, f"Discord did not answer: {error}", retry=True)
        except Unavailable:
            raise
        except Exception as error:
            _log.exception("post %s cannot be shown", post.key)
            await self._note(post, f"the bot made a mistake: {error}", retry=True)

    async def _note(self, post: PostRow, problem: str, *, retry: bool) -> None:
        wait = min(FIRST_WAIT * 2 ** min(post.attempts, 10), LONGEST_WAIT)
        now = self.now()
        _log.warning("post %s: %s", post.key, problem)
        await delivery.failed(self.db, post.id, now=now, problem=problem[:300], retry_at=now + wait if retry else None)

    async def _show(self, post: PostRow) -> None:
        facts = await delivery.facts(self.db, post.id)
        answer = _signed(render(facts), post.key)
        async with look(self.db, BOT, post.league_id) as see:
            league = see.league
        channel_id = post.channel_id or promises.channel_of(league, post.target)
        channel = self._client.get_partial_messageable(channel_id, guild_id=league.guild_id)
        message_id = await self._edited(channel, post, answer) or await self._sent(channel, post, answer)
        await delivery.sent(
            self.db, post.id, now=self.now(), channel_id=channel_id, message_id=message_id, version=post.wanted
        )

    async def _edited(self, channel: Channel, post: PostRow, answer: Answer) -> int | None:
        """Edit the message a post has; None where it has none, or somebody deleted it."""
        message_id = post.message_id or await self._found(channel, post)
        if message_id is None:
            return None
        try:
            await channel.get_partial_message(message_id).edit(
                content=answer.text or None,
                embeds=list(answer.embeds),
                view=view_of(answer.buttons),
                allowed_mentions=PLAYERS_ONLY,
            )
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            return None
        return message_id

    async def _found(self, channel: Channel, post: PostRow) -> int | None:
        """Look for a post that was perhaps sent before the bot could note it, in this life or an earlier one."""
        if (
            post.attempts == 0
            and self._started is not None
            and post.created_at > self._started
            and post.key not in self._unsure
        ):
            return None
        user = self._client.user
        try:
            async for message in channel.history(limit=LOOK_BACK):
                if user is not None and message.author.id == user.id and _key_of(message) == post.key:
                    return message.id
        except discord.Forbidden:
            # Without the right to read back, the nonce alone keeps a repeat away, for some minutes.
            _log.warning("channel %s cannot be read back for post %s", channel.id, post.key)
        return None

    async def _sent(self, channel: Channel, post: PostRow, answer: Answer) -> int:
        nonce = hashlib.sha256(post.key.encode()).hexdigest()[:25]
        message = await channel.send(**message_parts(answer), nonce=nonce, allowed_mentions=PLAYERS_ONLY)
        return message.id


def _signed(answer: Answer, key: str) -> Answer:
    """Put the key into the footer of the last embed, where the bot finds its own post again."""
    answer.embeds[-1].set_footer(text=key)
    return answer


def _key_of(message: discord.Message) -> str | None:
    return message.embeds[-1].footer.text if message.embeds else None


async def setup(bot: Any) -> None:
    """Add the announcer to the bot."""
    await bot.add_cog(Announcer(bot))
