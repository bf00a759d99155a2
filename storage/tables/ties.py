"""Ties an organiser is asked about: which players are equal, for which places, and how it was settled."""

from datetime import datetime

from storage.database import Connection
from storage.query import Table, column, many, run
from storage.rows import LeagueId, SeasonId, TieId, TieRow

_TIES: Table[TieRow, TieId] = Table(TieRow, "ties")
add, change, get, find = _TIES.add, _TIES.change, _TIES.get, _TIES.find

_OF_PLAYED_SEASONS = (
    "SELECT {} FROM ties t JOIN seasons s ON s.id = t.season_id"
    " WHERE t.settled_at IS NULL AND s.phase IN ('running', 'finals')"
)


def waiting(conn: Connection, season_id: SeasonId) -> tuple[TieRow, ...]:
    """Return the ties of a season that are not settled, the best places first."""
    sql = "SELECT * FROM ties WHERE season_id = ? AND settled_at IS NULL ORDER BY first, id"
    return many(conn, TieRow, sql, season_id)


def waiting_of_league(conn: Connection, league_id: LeagueId) -> tuple[TieRow, ...]:
    """Return the ties of a league's season being played that are not settled."""
    sql = f"{_OF_PLAYED_SEASONS.format('t.*')} AND s.league_id = ? ORDER BY t.first, t.id"
    return many(conn, TieRow, sql, league_id)


def unanswered(conn: Connection, now: datetime) -> tuple[TieId, ...]:
    """Return the ties nobody has answered in time, in seasons being played, for the clock."""
    late = _OF_PLAYED_SEASONS.format("t.id") + " AND t.match_at IS NULL AND t.until <= ? ORDER BY t.until, t.id"
    return column(conn, late, now)


def move_answers(conn: Connection, season_id: SeasonId, *, after: datetime, seconds: int) -> None:
    """Move the times to answer about a season's ties that lie after a moment."""
    sql = "UPDATE ties SET until = until + ?3 WHERE season_id = ?1 AND settled_at IS NULL AND until > ?2"
    run(conn, sql, season_id, after, seconds)
