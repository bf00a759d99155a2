"""Which servers a process looks after, where several share the work."""

from collections.abc import Sequence
from typing import TypeVar

from storage.database import Connection, Shards
from storage.query import column
from storage.rows import LeagueId
from storage.tables import leagues

_Id = TypeVar("_Id", bound=int)


def leagues_elsewhere(conn: Connection, shards: Shards) -> tuple[LeagueId, ...]:
    """Return the leagues of the file whose servers belong to other processes."""
    if shards.count == 1:
        return ()
    sql = "SELECT id FROM leagues WHERE (guild_id >> 22) % ? NOT IN (SELECT value FROM json_each(?)) ORDER BY id"
    return column(conn, sql, shards.count, shards.ids)


def servers_elsewhere(conn: Connection, shards: Shards) -> tuple[int, ...]:
    """Return the ids of these servers, each once."""
    sql = "SELECT DISTINCT guild_id FROM leagues WHERE id IN (SELECT value FROM json_each(?)) ORDER BY guild_id"
    return column(conn, sql, leagues_elsewhere(conn, shards))


def here(conn: Connection, table: str, ids: Sequence[_Id], elsewhere: Sequence[LeagueId]) -> tuple[_Id, ...]:
    """Return which of these rows of a table aren't about a league elsewhere."""
    if not elsewhere or not ids:
        return tuple(ids)
    elsewhere_too = leagues.belonging_to(conn, "id IN (SELECT value FROM json_each(:leagues))")[table]
    sql = f"SELECT id FROM {table} WHERE id IN (SELECT value FROM json_each(:ids)) AND {elsewhere_too}"
    away = {*column(conn, sql, ids=tuple(ids), leagues=tuple(elsewhere))}
    return tuple(row for row in ids if row not in away)
