"""What players reported about their matches, disputes about it, and the press that made a result count."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from storage.database import Connection
from storage.query import insert, many, run
from storage.rows import DisputeRow, EntrantId, MatchId, ReportRow, RoundId, Says


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeback:
    """The press that made a match count: who and when, the match's version since then, and what stood before."""

    match_id: MatchId
    entrant_id: EntrantId
    version: int
    at: datetime
    reports: tuple[int, ...]
    dispute_id: int | None


def add(conn: Connection, *, match_id: MatchId, entrant_id: EntrantId, at: datetime, **columns: Any) -> None:
    """Note a player's report in place of their earlier one."""
    sql = "UPDATE reports SET replaced_at = ? WHERE match_id = ? AND entrant_id = ? AND replaced_at IS NULL"
    run(conn, sql, at, match_id, entrant_id)
    insert(conn, "reports", match_id=match_id, entrant_id=entrant_id, at=at, **columns)


def clear(conn: Connection, match_id: MatchId, at: datetime) -> None:
    """Stop counting the reports of a match."""
    run(conn, "UPDATE reports SET replaced_at = ? WHERE match_id = ? AND replaced_at IS NULL", at, match_id)


def restore(conn: Connection, report_ids: Sequence[int], dispute_id: int | None) -> None:
    """Let earlier reports count again, and a dispute wait again."""
    run(conn, "UPDATE reports SET replaced_at = NULL WHERE id IN (SELECT value FROM json_each(?))", report_ids)
    run(conn, "UPDATE disputes SET settled_at = NULL WHERE id = ?", dispute_id)


def dispute(
    conn: Connection,
    *,
    match_id: MatchId,
    entrant_id: EntrantId | None,
    reason: str,
    at: datetime,
    says: Says | None = None,
) -> None:
    """Open a dispute; raises sqlite3.IntegrityError where one is open."""
    insert(conn, "disputes", match_id=match_id, entrant_id=entrant_id, says=says, reason=reason, at=at)


def state(conn: Connection, report_id: int, statement: str) -> None:
    """Keep what a player tells the moderators about their report."""
    run(conn, "UPDATE reports SET statement = ? WHERE id = ?", statement, report_id)


def settle(conn: Connection, match_id: MatchId, at: datetime) -> None:
    """Close the open dispute of a match, if there is one."""
    run(conn, "UPDATE disputes SET settled_at = ? WHERE match_id = ? AND settled_at IS NULL", at, match_id)


def forget_round(conn: Connection, round_id: RoundId) -> None:
    """Delete what was said of the matches of a round that is taken back; the audit keeps it."""
    matches = "(SELECT id FROM matches WHERE round_id = ?)"
    for table in ("takebacks", "reports", "disputes"):
        run(conn, f"DELETE FROM {table} WHERE match_id IN {matches}", round_id)  # noqa: S608 (names from code)


def of_match(conn: Connection, match_id: MatchId) -> tuple[ReportRow, ...]:
    """Return every report of a match, those that don't count any more too, oldest first."""
    return many(conn, ReportRow, "SELECT * FROM reports WHERE match_id = ? ORDER BY id", match_id)


def disputes_of(conn: Connection, match_id: MatchId) -> tuple[DisputeRow, ...]:
    """Return every dispute about a match, those that are settled too, oldest first."""
    return many(conn, DisputeRow, "SELECT * FROM disputes WHERE match_id = ? ORDER BY id", match_id)


def standing(conn: Connection, match_ids: Sequence[MatchId]) -> tuple[ReportRow, ...]:
    """Return the reports of these matches that count, oldest first."""
    sql = "SELECT * FROM reports WHERE match_id IN (SELECT value FROM json_each(?)) AND replaced_at IS NULL ORDER BY id"
    return many(conn, ReportRow, sql, match_ids)


def open_disputes(conn: Connection, match_ids: Sequence[MatchId]) -> tuple[DisputeRow, ...]:
    """Return the open disputes of these matches, oldest first."""
    sql = "SELECT * FROM disputes WHERE match_id IN (SELECT value FROM json_each(?)) AND settled_at IS NULL ORDER BY id"
    return many(conn, DisputeRow, sql, match_ids)


def keep_before(conn: Connection, match_id: MatchId, **columns: Any) -> None:
    """Keep what stood before the press that made a match count, in place of an earlier one."""
    run(conn, "DELETE FROM takebacks WHERE match_id = ?", match_id)
    insert(conn, "takebacks", match_id=match_id, **columns)


def takebacks(conn: Connection, match_ids: Sequence[MatchId]) -> tuple[Takeback, ...]:
    """Return the presses that made these matches count."""
    sql = "SELECT * FROM takebacks WHERE match_id IN (SELECT value FROM json_each(?))"
    return many(conn, Takeback, sql, match_ids)


DISPUTES = (
    "SELECT s.league_id, m.id, d.at AS since FROM disputes d INDEXED BY one_open_dispute"
    " CROSS JOIN matches m ON m.id = d.match_id JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
    " WHERE d.settled_at IS NULL AND r.phase = 'open'"
)
"""The matches that wait for moderators because their players disagree, with their league and since when."""
