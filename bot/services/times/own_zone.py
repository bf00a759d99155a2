"""When a person can play: their time zone and weekly hours, which they say once for all leagues."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from bot.league.errors import Invalid
from bot.league.formats import by_key
from bot.league.match_day.starts import Person
from bot.league.match_day.weekly_hours import hours_words, read_hours
from bot.league.match_day.zones import zone_called
from bot.league.season.phases import SeasonPhase
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.base.transaction import live_if_any, read_transaction, transaction
from storage.database import Connection
from storage.rows import EntrantId, EntrantRow, LeagueRow
from storage.tables import times
from storage.tables.people import players


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """What a person said: their time zone, None before they did, and their weekly hours as they are shown."""

    league: LeagueRow
    zone: ZoneInfo | None
    hours: str


def own(conn: Connection, order: Order) -> Availability:
    """Return what the actor said about when they can play."""
    tx = read_transaction(conn, order)
    return _own(tx.conn, tx.league, order.actor)


def _own(conn: Connection, league: LeagueRow, actor: Actor) -> Availability:
    user_id = actor.user_id or 0
    row = times.hours_of(conn, [user_id]).get(user_id)
    zone, hours = (None, "") if row is None else (zone_called(row.time_zone), row.hours)
    return Availability(league=league, zone=zone, hours=hours)


def is_to_ask(conn: Connection, order: Order) -> bool:
    """Whether the actor, who has joined a season in groups, hasn't said yet what time it is for them."""
    tx = read_transaction(conn, order, live_if_any)
    season = tx.found
    groups = season is not None and season.phase is SeasonPhase.SIGNUP and by_key(season.format).in_groups
    return groups and _own(conn, tx.league, order.actor).zone is None


def say(conn: Connection, order: Order, *, time_zone: str | None = None, hours: str | None = None) -> Availability:
    """Keep the actor's time zone or weekly hours, or both; an empty text removes the hours. Raises Invalid."""
    tx = transaction(conn, order)
    before = _own(tx.conn, tx.league, order.actor)
    zone = before.zone if time_zone is None else zone_called(time_zone)
    if zone is None:
        raise Invalid("Set your time zone first: weekly hours are read in it.")
    words = before.hours if hours is None else hours_words(read_hours(hours))
    if (zone, words) != (before.zone, before.hours):
        times.keep_hours(tx.conn, order.actor.user_id or 0, time_zone=zone.key, hours=words)
        # Organisers read the audit log, and where people live is none of their business.
        tx.note("player.availability", order.actor.name)
    return Availability(league=tx.league, zone=zone, hours=words)


def forget(conn: Connection, order: Order) -> Availability:
    """Delete the actor's time zone and weekly hours; of someone who never joined the log keeps no name either."""
    tx, user_id = transaction(conn, order), order.actor.user_id or 0
    times.forget_hours(conn, user_id)
    actor = order.actor
    if players.by_discord(conn, tx.league.id, user_id) is None:
        actor = Actor(user_id=None, name="someone who isn't a player")
        times.forget_saying(conn, tx.league.id, user_id, actor.name)
    replace(tx, actor=actor).note("player.availability-gone", actor.name)
    return Availability(league=tx.league, zone=None, hours="")


def people(conn: Connection, sides: Iterable[EntrantRow]) -> Mapping[EntrantId, Person]:
    """Return when players can play, by their entries; those who haven't said where they live are left out."""
    ids = {side.id: side.discord_id for side in sides if side.discord_id is not None}
    rows = times.hours_of(conn, ids.values())
    return {
        entrant: Person(zone=zone_called(rows[person].time_zone), hours=read_hours(rows[person].hours))
        for entrant, person in ids.items()
        if person in rows
    }
