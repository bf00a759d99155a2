"""Hello in a server the bot was just invited to: the channel it's said in, and the first steps it names."""

import logging
from typing import Any

import aiohttp
import discord
from discord.ext import commands

from bot.services.leagues import greeting
from cogs.ui.cards import card
from cogs.ui.commands import LeagueCog
from cogs.ui.replies import message_parts, with_clickable

_log = logging.getLogger(__name__)

WHAT = (
    "Fairpair runs your league, season after season: players sign up, the bot pairs and posts every round, takes the"
    " results, and anyone can check its pairings."
)
STEPS = """\
1. `/league create` sets up a league in a channel (needs Manage Server).
2. Played before? `/league import` brings your past in. Do it before the first season.
3. `/season create` prepares a season; you choose how it's played and open the sign-ups.
4. Players press **Join**. You start the season, and the bot does the rest.

`/help` always shows what you can do next."""
HELLO = f"{WHAT}\n\n{STEPS}"


class Greeting(LeagueCog):
    """The way in."""

    @commands.Cog.listener("on_guild_join")
    async def greet(self, guild: discord.Guild) -> None:
        """Say hello once in a server the bot was invited to, where it can write."""
        channel = _first_open(guild)
        if channel is None:
            return
        now, db = self.bot.now(), self.bot.database
        invited: Any = {"guild_id": guild.id, "joined_at": guild.me.joined_at or now, "now": now}
        if not (await db.read(greeting.due, **invited) and await db.write(greeting.greet, **invited)):
            return
        try:
            await channel.send(
                **message_parts(with_clickable(card("Hello, I'm Fairpair", HELLO), self.bot.command_ids))
            )
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            _log.warning("hello can't be said in server %s: %s", guild.id, error)
            await self.bot.database.write(greeting.forget, guild_id=guild.id)  # said at the next start

    @commands.Cog.listener("on_ready")
    async def greet_all(self) -> None:
        """Say hello where the bot was invited while it was off."""
        for guild in self.bot.guilds:
            await self.greet(guild)

    @commands.Cog.listener("on_guild_remove")
    async def forget(self, guild: discord.Guild) -> None:
        """Forget a server the bot was removed from."""
        await self.bot.database.write(greeting.forget, guild_id=guild.id)


def _first_open(guild: discord.Guild) -> discord.TextChannel | None:
    """Return the first channel the bot can write in; the one for the server's own news comes first."""
    news = [guild.system_channel] if guild.system_channel is not None else []
    for channel in (*news, *guild.text_channels):
        have = channel.permissions_for(guild.me)
        if have.view_channel and have.send_messages:
            return channel
    return None
