"""Who asks, where, and what the bot offers its commands and buttons."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol, TypedDict, cast

import discord
from discord.ext import commands

from bot.league.errors import NotAllowed
from bot.services.base import find
from bot.services.base.permissions import Actor
from bot.settings import Settings
from bot.worker import Worker
from storage.database import Database
from storage.rows import LeagueId, LeagueRow

Interaction = discord.Interaction[Any]


class Newest:
    """The newest of many ids."""

    def __init__(self, most: int = 1000) -> None:
        self._most = most
        self._ids: dict[int, None] = {}

    def add(self, one: int) -> bool:
        """Return whether an id is new, and remember it."""
        if one in self._ids:
            return False
        self._ids[one] = None
        if len(self._ids) > self._most:
            del self._ids[next(iter(self._ids))]
        return True


class Host(Protocol):
    """What the surface needs of the bot it runs in."""

    settings: Settings
    database: Database
    now: Callable[[], datetime]
    sleep: Callable[[float], Awaitable[None]]
    worker: Worker
    painter: Worker
    """Draws the pictures, so that none waits behind a long computation."""
    importer: Worker
    """Reads files of leagues, with a limit to its memory."""
    answering: set[asyncio.Task[Any]]
    """The answers being worked on; the bot closes after them."""
    taken: Newest
    """The last interactions, by which one that is delivered twice is known."""
    shared: dict[int, int]
    """The private messages whose table was shown to everyone, each with the press that did it."""
    command_ids: Mapping[str, int]
    """Discord's id of each command, by its whole name; empty until they were sent."""

    @property
    def guilds(self) -> Sequence[discord.Guild]:
        """The servers the bot is in."""
        ...

    def announce(self) -> None:
        """Wake the announcer: something may have been promised."""
        ...


def host(interaction: Interaction) -> Host:
    """Return the bot an interaction came through."""
    return cast(Host, interaction.client)


def actor(interaction: Interaction) -> Actor:
    """Return who asks, with the rights Discord sent along; raises NotAllowed for a command outside a server."""
    if interaction.guild_id is None and interaction.message is not None:
        return Actor(user_id=interaction.user.id, name=interaction.user.display_name, direct=True)
    if interaction.guild_id is None:
        raise NotAllowed("This works only in a server: go to your league's channel and try again there.")
    member = interaction.user
    rights = interaction.permissions
    roles = member.roles if isinstance(member, discord.Member) else []
    return Actor(
        user_id=member.id,
        name=member.display_name,
        role_ids=frozenset(role.id for role in roles),
        manage_guild=rights.manage_guild or rights.administrator,
        guild_id=interaction.guild_id,
        channel_id=interaction.channel_id,
    )


async def league_meant(interaction: Interaction, name: str | None) -> LeagueRow:
    """Return the league a command means: the one named, the channel's (also in its threads), or the server's only."""
    here = interaction.channel
    channel_id = here.parent_id if isinstance(here, discord.Thread) else interaction.channel_id
    return await find.league_meant(**who(interaction), channel_id=channel_id or 0, name=name)


class Who(TypedDict):
    """Who asks, and the database of the bot, as services take it."""

    db: Database
    actor: Actor


class By(Who):
    """Who acts, and when."""

    now: datetime


class Asked(Who):
    """Who asks something of a league."""

    league_id: LeagueId


class Ordered(By):
    """Who wants something done in a league, and when."""

    league_id: LeagueId


def who(interaction: Interaction) -> Who:
    """Return who asks."""
    return Who(db=host(interaction).database, actor=actor(interaction))


def by(interaction: Interaction) -> By:
    """Return who acts, now."""
    return By(**who(interaction), now=host(interaction).now())


async def asked(interaction: Interaction, league: str | None) -> Asked:
    """Return who asks, and the league that is meant."""
    return Asked(**who(interaction), league_id=(await league_meant(interaction, league)).id)


async def ordered(interaction: Interaction, league: str | None) -> Ordered:
    """Return who wants something done, now, and the league that is meant."""
    return Ordered(**by(interaction), league_id=(await league_meant(interaction, league)).id)


def looking(who: Ordered) -> Asked:
    """Return who would do something as someone who only asks what it would change."""
    return Asked(db=who["db"], actor=who["actor"], league_id=who["league_id"])


class LeagueCog(commands.Cog):
    """A group of commands on one subject."""

    def __init__(self, bot: Host) -> None:
        self.bot = bot
