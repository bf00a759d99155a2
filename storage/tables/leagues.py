"""Leagues of guilds, what waits in them, and the guilds where the bot has said hello."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from storage.belonging import belonging
from storage.database import Connection
from storage.query import Change, Rows, Table, column, many, run
from storage.rows import LeagueId, LeagueRow

_LEAGUES: Table[LeagueRow, int] = Table(LeagueRow, "leagues")
add, change, get, find = _LEAGUES.add, _LEAGUES.change, _LEAGUES.get, _LEAGUES.find

of_guild = Rows[LeagueRow, int](LeagueRow, "SELECT * FROM leagues WHERE guild_id = ? ORDER BY id")
"""A guild's leagues, oldest first."""

everywhere = Rows[LeagueRow](LeagueRow, "SELECT * FROM leagues ORDER BY id")
"""All leagues, oldest first."""

with_pages = Rows[LeagueRow](LeagueRow, "SELECT * FROM leagues WHERE site = 1 ORDER BY id")
"""The leagues that have pages, oldest first."""

_NOT_OF_LEAGUES = frozenset({"guilds", "availability", "arrivals", "sqlite_sequence"})
"""Tables of servers, and of people in all leagues."""


def belonging_to(conn: Connection, condition: str) -> dict[str, str]:
    """Return which rows of each table belong to the leagues of this condition, tables after those they refer to."""
    roles = f"league_id IN (SELECT id FROM leagues WHERE {condition})"  # those of deleted leagues belong to none
    return belonging(conn, {"leagues": condition, "held_roles": roles}, beside=_NOT_OF_LEAGUES, what="a league")


def remove(conn: Connection, league_id: LeagueId) -> None:
    """Delete a league with everything that belongs to it."""
    run(conn, "PRAGMA defer_foreign_keys = ON")  # a season names its champion, who goes first
    for table, condition in reversed(belonging_to(conn, "id = :league").items()):
        run(conn, f"DELETE FROM {table} WHERE {condition}", league=league_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One thing that waits, since when."""

    kind: str
    id: int
    since: datetime


def waiting_in(conn: Connection, league_id: LeagueId, waits: Mapping[str, str]) -> tuple[Waiting, ...]:
    """Return everything that waits in a league, of the kinds that these queries find."""
    sql = f"SELECT kind, id, since FROM ({_all(waits)}) WHERE league_id = ? ORDER BY since, id"
    return many(conn, Waiting, sql, league_id)


def waiting_since(conn: Connection, waits: Mapping[str, str]) -> dict[LeagueId, datetime]:
    """Return the leagues in which something waits for moderators, with the moment the oldest of it began to wait."""
    sql = f"SELECT league_id, min(since) AS since FROM ({_all(waits)}) GROUP BY league_id"
    return {row[0]: datetime.fromtimestamp(row[1], UTC) for row in conn.execute_fetchall(sql)}


def _all(waits: Mapping[str, str]) -> str:
    return " UNION ALL ".join(f"SELECT '{kind}' AS kind, * FROM ({sql})" for kind, sql in waits.items())


def greet(conn: Connection, guild_id: int, *, joined_at: datetime, now: datetime) -> bool:
    """Note that the bot says hello in a server, unless it has since it joined; return whether it was noted."""
    sql = (
        "INSERT INTO guilds (guild_id, said_hello_at) VALUES (?1, max(?2, ?3))"  # the server's clock may be ahead
        " ON CONFLICT (guild_id) DO UPDATE SET said_hello_at = excluded.said_hello_at WHERE said_hello_at < ?2"
    )
    return run(conn, sql, guild_id, joined_at, now) > 0


def greeted(conn: Connection, guild_id: int, joined_at: datetime) -> bool:
    """Whether the bot has said hello in a server since it joined."""
    return bool(column(conn, "SELECT 1 FROM guilds WHERE guild_id = ? AND said_hello_at >= ?", guild_id, joined_at))


look_at_roles = Change[LeagueId]("UPDATE leagues SET roles_seen = 0 WHERE id = ?")
"""Let it be looked at who should have a league's roles."""

forget_guild = Change[int]("DELETE FROM guilds WHERE guild_id = ?")
"""Forget a server the bot was removed from."""
