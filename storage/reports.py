"""What players reported about their matches, and disputes about it."""

from datetime import datetime
from typing import TypedDict, Unpack

from storage.database import Connection
from storage.query import insert, many, one, run
from storage.rows import DisputeRow, EntrantId, MatchId, ReportRow, RoundId


class NewReport(TypedDict):
    """A report, seen from the side of the player who reports: `won`, `lost` or `draw`."""

    match_id: MatchId
    entrant_id: EntrantId
    result: str
    own_games: int | None
    their_games: int | None
    at: datetime


async def add(conn: Connection, **columns: Unpack[NewReport]) -> int:
    """Note a player's report in place of their earlier one."""
    await run(
        conn,
        "UPDATE reports SET replaced_at = ? WHERE match_id = ? AND entrant_id = ? AND replaced_at IS NULL",
        columns["at"],
        columns["match_id"],
        columns["entrant_id"],
    )
    return await insert(conn, "reports", **columns)


async def clear(conn: Connection, match_id: MatchId, at: datetime) -> None:
    """Let no report of a match count any more."""
    await run(conn, "UPDATE reports SET replaced_at = ? WHERE match_id = ? AND replaced_at IS NULL", at, match_id)


async def dispute(
    conn: Connection, *, match_id: MatchId, entrant_id: EntrantId | None, reason: str, at: datetime
) -> int:
    """Open a dispute; raises sqlite3.IntegrityError where one is open."""
    return await insert(conn, "disputes", match_id=match_id, entrant_id=entrant_id, reason=reason, at=at)


async def settle(conn: Connection, match_id: MatchId, at: datetime) -> None:
    """Close the open dispute of a match, if there is one."""
    await run(conn, "UPDATE disputes SET settled_at = ? WHERE match_id = ? AND settled_at IS NULL", at, match_id)


async def standing_in_round(conn: Connection, round_id: RoundId) -> tuple[ReportRow, ...]:
    """Return the reports of a round's matches that stand, oldest first."""
    return await many(
        conn,
        ReportRow,
        "SELECT p.* FROM reports p JOIN matches m ON m.id = p.match_id"
        " WHERE m.round_id = ? AND p.replaced_at IS NULL ORDER BY p.id",
        round_id,
    )


async def open_disputes_in_round(conn: Connection, round_id: RoundId) -> tuple[DisputeRow, ...]:
    """Return the open disputes of a round's matches, oldest first."""
    return await many(
        conn,
        DisputeRow,
        "SELECT d.* FROM disputes d JOIN matches m ON m.id = d.match_id"
        " WHERE m.round_id = ? AND d.settled_at IS NULL ORDER BY d.id",
        round_id,
    )


async def forget_round(conn: Connection, round_id: RoundId) -> None:
    """Delete the reports and disputes of a round that is taken back; the audit keeps them."""
    matches = "(SELECT id FROM matches WHERE round_id = ?)"
    for table in ("reports", "disputes"):
        await run(conn, f"DELETE FROM {table} WHERE match_id IN {matches}", round_id)  # noqa: S608 (names from code)


async def standing(conn: Connection, match_id: MatchId) -> tuple[ReportRow, ...]:
    """Return the reports of a match that stand, oldest first."""
    return await many(
        conn, ReportRow, "SELECT * FROM reports WHERE match_id = ? AND replaced_at IS NULL ORDER BY id", match_id
    )


async def open_dispute(conn: Connection, match_id: MatchId) -> DisputeRow | None:
    """Return the open dispute of a match, or None."""
    return await one(conn, DisputeRow, "SELECT * FROM disputes WHERE match_id = ? AND settled_at IS NULL", match_id)
