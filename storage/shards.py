"""Which servers a process looks after, where several share the work."""

from collections.abc import Sequence
from typing import TypeVar

from storage.database import Connection, Shards
from storage.query import column, records
from storage.rows import LeagueId

_Id = TypeVar("_Id", bound=int)


_LEAGUE_OF = {
    "leagues": "SELECT t.id, t.id FROM leagues t",
    "seasons": "SELECT t.id, t.league_id FROM seasons t",
    "rounds": "SELECT t.id, s.league_id FROM rounds t JOIN seasons s ON s.id = t.season_id",
    "matches": "SELECT t.id, s.league_id FROM matches t JOIN rounds r ON r.id = t.round_id"
    " JOIN seasons s ON s.id = r.season_id",
    "claims": "SELECT t.id, s.league_id FROM claims t JOIN matches m ON m.id = t.match_id"
    " JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id",
    "ties": "SELECT t.id, s.league_id FROM ties t JOIN seasons s ON s.id = t.season_id",
    "waitlist": "SELECT t.id, s.league_id FROM waitlist t JOIN seasons s ON s.id = t.season_id",
    "finals_places": "SELECT t.id, s.league_id FROM finals_places t JOIN entrants e ON e.id = t.entrant_id"
    " JOIN seasons s ON s.id = e.season_id",
    "tie_reports": "SELECT t.id, s.league_id FROM tie_reports t JOIN ties o ON o.id = t.tie_id"
    " JOIN seasons s ON s.id = o.season_id",
    "list_sets": "SELECT t.id, s.league_id FROM list_sets t JOIN seasons s ON s.id = t.season_id",
}


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
    known = _LEAGUE_OF[table] + " WHERE t.id IN (SELECT value FROM json_each(?))"
    found = records(conn, known, tuple(ids))
    away = {row for row, league in found if league in elsewhere}
    return tuple(row for row in ids if row not in away)
