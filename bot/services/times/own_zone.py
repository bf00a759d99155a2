"""When a person can play: their time zone and weekly hours, which they say once for all leagues."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.league.errors import Invalid
from bot.league.match_day.starts import Person
from bot.league.match_day.weekly_hours import hours_words, read_hours
from bot.league.match_day.zones import zone_called
from bot.services.base.act import act, look
from bot.services.base.permissions import Actor
from storage.database import Connection, Database
from storage.rows import EntrantId, EntrantRow, LeagueId, LeagueRow
from storage.tables import availability


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """What a person said: their time zone, None before they did, and their weekly hours as they are shown."""

    league: LeagueRow
    zone: ZoneInfo | None
    hours: str


async def own(db: Database, *, actor: Actor, league_id: LeagueId) -> Availability:
    """Return what the actor said about when they can play."""
    async with look(db, actor, league_id) as see:
        return await _own(see.conn, see.league, actor)


async def _own(conn: Connection, league: LeagueRow, actor: Actor) -> Availability:
    known = actor.user_id or 0
    row = (await availability.of_people(conn, [known])).get(known)
    zone, hours = (None, "") if row is None else (zone_called(row.time_zone), row.hours)
    return Availability(league=league, zone=zone, hours=hours)


async def say(
    db: Database,
    *,
    actor: Actor,
    now: datetime,
    league_id: LeagueId,
    time_zone: str | None = None,
    hours: str | None = None,
) -> Availability:
    """Keep the actor's time zone or weekly hours, or both; an empty text removes the hours. Raises Invalid."""
    async with act(db, actor, now, league_id) as do:
        before = await _own(do.conn, do.league, actor)
        zone = before.zone if time_zone is None else zone_called(time_zone)
        if zone is None:
            raise Invalid("Set your time zone first: weekly hours are read in it.")
        words = before.hours if hours is None else hours_words(read_hours(hours))
        if (zone, words) != (before.zone, before.hours):
            await availability.keep(do.conn, actor.user_id or 0, time_zone=zone.key, hours=words)
            # Organisers read the audit log, and where people live is none of their business.
            await do.note("player.availability", actor.name)
        return Availability(league=do.league, zone=zone, hours=words)


async def people(conn: Connection, sides: Iterable[EntrantRow]) -> Mapping[EntrantId, Person]:
    """Return when players can play, by their entries; those who haven't said where they live are left out."""
    ids = {side.id: side.discord_id for side in sides if side.discord_id is not None}
    rows = await availability.of_people(conn, ids.values())
    return {
        entrant: Person(zone=zone_called(rows[who].time_zone), hours=read_hours(rows[who].hours))
        for entrant, who in ids.items()
        if who in rows
    }
