"""How a player wants to be told of each topic: they look it up and change it, but can't turn questions off."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.league.errors import Invalid, NotFound
from bot.services.base.order import Order
from bot.services.base.transaction import ReadTransaction, read_transaction, transaction
from storage.database import Connection
from storage.rows import LeagueRow, PlayerRow
from storage.tables.people import notify, players
from storage.tables.people.notify import How, Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """How a player wants to be told of each topic; `refused` is whether a direct message didn't reach them."""

    league: LeagueRow
    how: Mapping[Topic, How]
    refused: bool


def choices(conn: Connection, order: Order) -> Choices:
    """Return how the actor wants to be told; raises NotFound for someone who never signed up."""
    tx = read_transaction(conn, order)
    return _choices(tx, _player(tx))


def choose(conn: Connection, order: Order, *, topic: Topic, how: How) -> Choices:
    """Change how the actor wants to be told of a topic; raises Invalid for a question they can't turn off."""
    if topic is Topic.QUESTION and how is How.OFF:
        raise Invalid("Questions can cost you a result, so they can't be off. Choose a mention or a direct message.")
    tx = transaction(conn, order)
    player = _player(tx)
    before = notify.chosen(tx.conn, player.id)[topic]
    if before is not how:
        notify.choose(tx.conn, player.id, topic, how)
        tx.note("player.notify", player.name, before={topic: before}, after={topic: how})
    return _choices(tx, player)


def _player(tx: ReadTransaction) -> PlayerRow:
    player = players.by_discord(tx.conn, tx.league.id, tx.actor.user_id or 0)
    if player is None:
        raise NotFound(f"You haven't signed up in {tx.league.name} yet. Once you have, choose here how you're told.")
    return player


def _choices(tx: ReadTransaction, player: PlayerRow) -> Choices:
    how, refused = notify.chosen(tx.conn, player.id), notify.refused(tx.conn, player.id)
    return Choices(league=tx.league, how=how, refused=refused)
