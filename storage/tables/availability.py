"""When people can play: their time zone and weekly hours, the same in all leagues."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from storage.database import Connection
from storage.query import many, run


@dataclass(frozen=True, slots=True, kw_only=True)
class AvailabilityRow:
    """A person's time zone (an IANA name) and weekly hours as they are shown; empty where they gave none."""

    discord_id: int
    time_zone: str
    hours: str


def of_people(conn: Connection, people: Iterable[int]) -> Mapping[int, AvailabilityRow]:
    """Return what people said about when they can play, by Discord id; those who said nothing are left out."""
    sql = "SELECT * FROM availability WHERE discord_id IN (SELECT value FROM json_each(?))"
    return {row.discord_id: row for row in many(conn, AvailabilityRow, sql, list(people))}


def keep(conn: Connection, discord_id: int, *, time_zone: str, hours: str) -> None:
    """Keep what a person says about when they can play."""
    sql = (
        "INSERT INTO availability (discord_id, time_zone, hours) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET time_zone = excluded.time_zone, hours = excluded.hours"
    )
    run(conn, sql, discord_id, time_zone, hours)


def copy(conn: Connection, *, old: int, new: int) -> None:
    """Keep for another account of a person what they said from the old one, unless the new one has said something."""
    sql = (
        "INSERT INTO availability (discord_id, time_zone, hours)"
        " SELECT ?2, time_zone, hours FROM availability WHERE discord_id = ?1 ON CONFLICT DO NOTHING"
    )
    run(conn, sql, old, new)
