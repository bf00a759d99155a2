"""The way in: hello in a new server, and what a person can do right now."""

import logging

import aiohttp
import discord
from discord.ext import commands

from bot.services.base import find
from bot.services.leagues import greeting
from bot.services.reads import guidance
from bot.services.reads.guidance import Guidance
from cogs.ui.cards import Answer, card
from cogs.ui.commands import LeagueCog, command
from cogs.ui.context import Interaction, caller, league_meant
from cogs.ui.options.names import LeagueName
from cogs.ui.replies import Reply, message_parts, with_clickable
from cogs.ui.text import shown, with_commands

_log = logging.getLogger(__name__)

WHAT = (
    "Fairpair runs your league, season after season: players sign up, the bot pairs and posts every round, takes the"
    " results, and anyone can check its pairings."
)
STEPS = """\
1. `/league create` sets up a league in a channel (needs Manage Server).
2. `/season create` prepares a season; you choose how it's played and open the sign-ups.
3. Players press **Join**. You start the season, and the bot does the rest.

`/help` always shows what you can do next."""
HELLO = f"{WHAT}\n\n{STEPS}"
NO_LEAGUE = "This server has no league yet. Someone with Manage Server can set one up."


class Help(LeagueCog):
    """Help for newcomers and for everyone else."""

    @command()
    async def help(self, interaction: Interaction, league: LeagueName | None = None) -> Reply:
        """Show what you can do right now."""
        who = caller(interaction)
        if not await who.see(find.league_names):
            return card("Welcome to Fairpair", HELLO if who.actor.manage_guild else f"{WHAT}\n\n{NO_LEAGUE}")
        meant = await league_meant(interaction, league)
        return help_answer(await who.of(meant.id).see(guidance.guidance))

    @commands.Cog.listener("on_guild_join")
    async def greet(self, guild: discord.Guild) -> None:
        """Say hello once in a server the bot was invited to, where it can write."""
        channel = _first_open(guild)
        if channel is None:
            return
        now = self.bot.now()
        joined_at = guild.me.joined_at or now
        if not await self.bot.database.write(greeting.greet, guild_id=guild.id, joined_at=joined_at, now=now):
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


def help_answer(found: Guidance) -> Answer:
    """Return what a person can do now, a short list for each thing they are."""
    parts = [
        "\n".join([f"**{heading}**", *(f"• {with_commands(line)}" for line in lines)])
        for heading, lines in found.parts.items()
    ]
    return card(f"{shown(found.league.name)}: what you can do now", "\n\n".join(parts))
