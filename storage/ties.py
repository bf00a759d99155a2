"""Ties an organiser is asked about: which players are equal, for which places, and how it was settled."""

from datetime import datetime
from typing import TypedDict, Unpack

from storage.database import Connection
from storage.query import insert, many, one, the, update
from storage.rows import LeagueId, SeasonId, Settled, TieId, TieRow


class TieChanges(TypedDict, total=False):
    """What can change about a tie: its order, a match that was called, how it was settled."""

    names: tuple[str, ...]
    match_at: datetime | None
    settled_at: datetime | None
    how: Settled | None


class NewTie(TieChanges):
    """A tie to insert; the names are needed too."""

    season_id: SeasonId
    after_round: int
    first: int
    going_on: int
    asked_at: datetime


async def add(conn: Connection, **columns: Unpack[NewTie]) -> TieRow:
    """Insert a tie; raises sqlite3.IntegrityError where the same one waits already."""
    return await get(conn, TieId(await insert(conn, "ties", **columns)))


async def get(conn: Connection, tie_id: TieId) -> TieRow:
    """Return a tie; raises LookupError."""
    return await the(conn, TieRow, "SELECT * FROM ties WHERE id = ?", tie_id)


async def find(conn: Connection, tie_id: int) -> TieRow | None:
    """Return a tie, or None."""
    return await one(conn, TieRow, "SELECT * FROM ties WHERE id = ?", tie_id)


async def waiting(conn: Connection, season_id: SeasonId) -> tuple[TieRow, ...]:
    """Return the ties of a season that are not settled, the best places first."""
    return await many(
        conn, TieRow, "SELECT * FROM ties WHERE season_id = ? AND settled_at IS NULL ORDER BY first, id", season_id
    )


async def waiting_of_league(conn: Connection, league_id: LeagueId) -> tuple[TieRow, ...]:
    """Return the ties of a league's season being played that are not settled."""
    return await many(
        conn,
        TieRow,
        "SELECT t.* FROM ties t JOIN seasons s ON s.id = t.season_id WHERE s.league_id = ?"
        " AND s.phase IN ('running', 'finals') AND t.settled_at IS NULL ORDER BY t.first, t.id",
        league_id,
    )


async def unanswered(conn: Connection) -> tuple[TieRow, ...]:
    """Return the ties nobody has answered, of the seasons being played, the longest waiting first, for the clock."""
    return await many(
        conn,
        TieRow,
        "SELECT t.* FROM ties t JOIN seasons s ON s.id = t.season_id WHERE t.settled_at IS NULL"
        " AND t.match_at IS NULL AND s.phase IN ('running', 'finals') ORDER BY t.asked_at, t.id",
    )


async def change(conn: Connection, tie_id: TieId, **columns: Unpack[TieChanges]) -> TieRow:
    """Change columns of a tie."""
    await update(conn, "ties", tie_id, **columns)
    return await get(conn, tie_id)
