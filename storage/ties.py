"""Ties an organiser is asked about: who is equal for which places, and how it was settled."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from storage.database import Connection
from storage.query import insert, many, one, the, update
from storage.rows import LeagueId, SeasonId

TieId = NewType("TieId", int)


class Settled(StrEnum):
    """What settled a tie; `gone` where results or players changed, so that there is none any more."""

    DRAW = "draw"
    ORDER = "order"
    MATCH = "match"
    SILENCE = "silence"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class TieRow:
    """A tie from place `first` on; `going_on` enter the finals, 0 where there are none.

    `match_at` is when a tie-break match was called; `names` is the order that stands once it is settled.
    """

    id: TieId
    season_id: SeasonId
    after_round: int
    first: int
    going_on: int
    names: tuple[str, ...]
    asked_at: datetime
    match_at: datetime | None
    settled_at: datetime | None
    how: Settled | None


async def add(
    conn: Connection,
    *,
    season_id: SeasonId,
    after_round: int,
    first: int,
    going_on: int,
    names: tuple[str, ...],
    asked_at: datetime,
) -> TieRow:
    """Insert a tie; raises sqlite3.IntegrityError where the same one waits already."""
    tie_id = await insert(
        conn,
        "ties",
        season_id=season_id,
        after_round=after_round,
        first=first,
        going_on=going_on,
        names=names,
        asked_at=asked_at,
    )
    return await get(conn, TieId(tie_id))


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


async def change(
    conn: Connection,
    tie_id: TieId,
    *,
    names: tuple[str, ...],
    match_at: datetime | None,
    settled_at: datetime | None = None,
    how: Settled | None = None,
) -> TieRow:
    """Note the order of a tie, that a match about it was called, or how it was settled."""
    await update(conn, "ties", tie_id, names=names, match_at=match_at, settled_at=settled_at, how=how)
    return await get(conn, tie_id)
