"""How a player wants to be told of each topic: they look it up and change it, but can't turn questions off."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.league.errors import Invalid, NotFound
from bot.services.base.act import Look, act, look
from bot.services.base.order import Order
from storage.database import Connection
from storage.rows import LeagueRow, PlayerRow
from storage.tables import notify, players
from storage.tables.notify import How, Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """How a player wants to be told of each topic; `refused` is whether a direct message didn't reach them."""

    league: LeagueRow
    how: Mapping[Topic, How]
    refused: bool


def choices(conn: Connection, order: Order) -> Choices:
    """Return how the actor wants to be told; raises NotFound for someone who never signed up."""
    see = look(conn, order)
    return _choices(see, _player(see))


def choose(conn: Connection, order: Order, *, topic: Topic, how: How) -> Choices:
    """Change how the actor wants to be told of a topic; raises Invalid for a question they can't turn off."""
    if topic is Topic.QUESTION and how is How.OFF:
        raise Invalid("Questions can cost you a result, so they can't be off. Choose a mention or a direct message.")
    do = act(conn, order)
    player = _player(do)
    before = notify.chosen(do.conn, player.id)[topic]
    if before is not how:
        notify.choose(do.conn, player.id, topic, how)
        do.note("player.notify", player.name, before={topic: before}, after={topic: how})
    return _choices(do, player)


def _player(see: Look) -> PlayerRow:
    player = players.by_discord(see.conn, see.league.id, see.actor.user_id or 0)
    if player is None:
        raise NotFound(f"You haven't signed up in {see.league.name} yet. Once you have, choose here how you're told.")
    return player


def _choices(see: Look, player: PlayerRow) -> Choices:
    how, refused = notify.chosen(see.conn, player.id), notify.refused(see.conn, player.id)
    return Choices(league=see.league, how=how, refused=refused)
