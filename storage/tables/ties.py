"""Ties an organiser is asked about: which players are equal, for which places, and how it was settled."""

from storage.database import Connection
from storage.query import Table, many
from storage.rows import LeagueId, SeasonId, TieId, TieRow

_TIES: Table[TieRow, TieId] = Table(TieRow, "ties")
add, change, get, find = _TIES.add, _TIES.change, _TIES.get, _TIES.find

_OF_PLAYED_SEASONS = (
    "SELECT t.* FROM ties t JOIN seasons s ON s.id = t.season_id"
    " WHERE t.settled_at IS NULL AND s.phase IN ('running', 'finals')"
)


async def waiting(conn: Connection, season_id: SeasonId) -> tuple[TieRow, ...]:
    """Return the ties of a season that are not settled, the best places first."""
    sql = "SELECT * FROM ties WHERE season_id = ? AND settled_at IS NULL ORDER BY first, id"
    return await many(conn, TieRow, sql, season_id)


async def waiting_of_league(conn: Connection, league_id: LeagueId) -> tuple[TieRow, ...]:
    """Return the ties of a league's season being played that are not settled."""
    sql = f"{_OF_PLAYED_SEASONS} AND s.league_id = ? ORDER BY t.first, t.id"
    return await many(conn, TieRow, sql, league_id)


async def unanswered(conn: Connection) -> tuple[TieRow, ...]:
    """Return the ties nobody has answered, of the seasons being played, the longest waiting first, for the clock."""
    return await many(conn, TieRow, f"{_OF_PLAYED_SEASONS} AND t.match_at IS NULL ORDER BY t.asked_at, t.id")
