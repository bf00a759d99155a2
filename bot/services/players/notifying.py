"""How a player wants to be told: they look it up and change it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.league.errors import Invalid, NotFound
from bot.services.base.act import Look, act, look
from bot.services.base.permissions import Actor
from storage.database import Database
from storage.rows import LeagueId, LeagueRow, PlayerRow
from storage.tables import notify, players
from storage.tables.notify import How, Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """How a player wants to be told of each topic; `refused` is whether a direct message didn't reach them."""

    league: LeagueRow
    how: Mapping[Topic, How]
    refused: bool


async def choices(db: Database, *, actor: Actor, league_id: LeagueId) -> Choices:
    """Return how the actor wants to be told; raises NotFound for someone who never signed up."""
    async with look(db, actor, league_id) as see:
        return await _choices(see, await _player(see))


async def choose(db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, topic: Topic, how: How) -> Choices:
    """Change how the actor wants to be told of a topic; raises Invalid for a question they can't turn off."""
    if topic is Topic.QUESTION and how is How.OFF:
        raise Invalid("Questions can cost you a result, so they can't be off. Choose a mention or a direct message.")
    async with act(db, actor, now, league_id) as do:
        player = await _player(do)
        before = (await notify.chosen(do.conn, player.id))[topic]
        if before is not how:
            await notify.choose(do.conn, player.id, topic, how)
            await do.note("player.notify", player.name, before={topic: before}, after={topic: how})
        return await _choices(do, player)


async def _player(see: Look) -> PlayerRow:
    player = await players.by_discord(see.conn, see.league.id, see.actor.user_id or 0)
    if player is None:
        raise NotFound(f"You haven't signed up in {see.league.name} yet. Once you have, choose here how you're told.")
    return player


async def _choices(see: Look, player: PlayerRow) -> Choices:
    how, refused = await notify.chosen(see.conn, player.id), await notify.refused(see.conn, player.id)
    return Choices(league=see.league, how=how, refused=refused)
