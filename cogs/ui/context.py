"""Who asks, where, and what the bot offers its commands and buttons."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import discord

from bot import steps
from bot.league.errors import NotAllowed, Unavailable
from bot.services.base import find
from bot.services.base.known_first import About
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.worker import Worker
from storage.database import Connection, Database
from storage.rows import LeagueId, SeasonRow
from storage.tables import seasons

if TYPE_CHECKING:
    from bot.client import LeagueBot as Host
else:
    Host = Any

Interaction = discord.Interaction[Any]
Given = ParamSpec("Given")
Made = TypeVar("Made")


class Newest:
    """The newest of many ids."""

    def __init__(self, most: int = 1000) -> None:
        self._most = most
        self._ids: dict[int, None] = {}

    def add(self, number: int) -> bool:
        """Return whether an id is new, and remember it."""
        if number in self._ids:
            return False
        self._ids[number] = None
        if len(self._ids) > self._most:
            del self._ids[next(iter(self._ids))]
        return True


def host(interaction: Interaction) -> Host:
    """Return the bot an interaction came through."""
    return interaction.client


def actor(interaction: Interaction) -> Actor:
    """Return who asks, with their rights on the server, whatever they may in the channel they are in.

    Raises NotAllowed for a command outside a server, and Unavailable for those who seem to manage a server that
    Discord hasn't told of since a start.
    """
    if interaction.guild_id is None and interaction.message is not None:
        return Actor(user_id=interaction.user.id, name=interaction.user.display_name, direct=True)
    if interaction.guild_id is None:
        raise NotAllowed("This works only in a server: go to your league's channel and try again there.")
    member = interaction.user
    assert isinstance(member, discord.Member)
    rights = member.guild_permissions
    if not member.roles and interaction.permissions.manage_guild:
        raise Unavailable("Discord hasn't told the bot about this server yet. Try again in a minute.")
    return Actor(
        user_id=member.id,
        name=member.display_name,
        role_ids=frozenset(role.id for role in member.roles),
        manage_guild=rights.manage_guild or rights.administrator,
        guild_id=interaction.guild_id,
        thread_id=interaction.channel_id if isinstance(interaction.channel, discord.Thread) else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks, and the bot's database: what commands and buttons hand to the services."""

    interaction: Interaction
    db: Database
    order: Order
    worker: Worker

    @property
    def actor(self) -> Actor:
        """Who asks."""
        return self.order.actor

    @property
    def now(self) -> datetime:
        """When they asked."""
        return self.order.now

    @property
    def league_id(self) -> LeagueId:
        """The league that is meant; raises LookupError where none is."""
        if self.order.league_id is None:
            raise LookupError("no league is meant here")
        return self.order.league_id

    def live_season(self, conn: Connection) -> SeasonRow | None:
        """Return the season that takes sign-ups or is played in the league that is meant."""
        return None if self.order.league_id is None else seasons.live(conn, self.order.league_id)

    def of(self, league_id: int | None) -> "Caller":
        """Return the same person who asks something of a league."""
        return replace(self, order=self.order.of(None if league_id is None else LeagueId(league_id)))

    async def write(
        self, use_case: Callable[Concatenate[Connection, Order, Given], Made], *args: Given.args, **given: Given.kwargs
    ) -> Made:
        """Let the services do something for them."""
        return await self.db.write(use_case, self.order, *args, **given)

    async def enter(
        self,
        about: About,
        use_case: Callable[Concatenate[Connection, Order, Given], Made],
        *args: Given.args,
        **given: Given.kwargs,
    ) -> Made:
        """Let the services do something for them that asks what players bring into a season."""
        return await steps.with_ratings(self.db, self.worker, about, use_case, self.order, *args, **given)

    async def look_back(
        self, look: Callable[Concatenate[Connection, Order, Given], Made], *args: Given.args, **given: Given.kwargs
    ) -> Made:
        """Let the services look up someone's career for them."""
        return await steps.look_back(self.db, self.worker, self.order, look, *args, **given)

    async def read(
        self, look: Callable[Concatenate[Connection, Order, Given], Made], *args: Given.args, **given: Given.kwargs
    ) -> Made:
        """Let the services look something up for them."""
        return await self.db.read(look, self.order, *args, **given)


def caller(interaction: Interaction) -> Caller:
    """Return who asks, now."""
    bot = host(interaction)
    order = Order(actor=actor(interaction), now=bot.now())
    return Caller(interaction=interaction, db=bot.database, worker=bot.worker, order=order)


def channel_of(interaction: Interaction) -> int:
    """Return the channel an interaction comes from, the one a thread is in."""
    here = interaction.channel
    return (here.parent_id if isinstance(here, discord.Thread) else interaction.channel_id) or 0


async def asked(interaction: Interaction, league: str | None) -> Caller:
    """Return who asks, and the league that is meant: the one named, the channel's (also in its threads), or the only.

    Raises NotFound and Invalid.
    """
    return await in_league(caller(interaction), league)


async def in_league(asker: Caller, league: str | None) -> Caller:
    """Return the same person who asks something of the league that is meant, as `asked` does."""
    meant = await asker.read(find.league_meant, channel_id=channel_of(asker.interaction), name=league)
    return asker.of(meant.id)
