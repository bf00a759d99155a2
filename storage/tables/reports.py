"""What players reported about their matches, disputes about it, and the press that made a result count."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from storage.database import Connection
from storage.query import Change, One, Rows, Table, run
from storage.rows import DisputeRow, EntrantId, MatchId, ReportRow, Says, SeasonId


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeback:
    """The press that made a match count: who and when, the match's version since then, and what stood before."""

    match_id: MatchId
    entrant_id: EntrantId
    version: int
    at: datetime
    reports: tuple[int, ...]
    dispute_id: int | None


_REPORTS: Table[ReportRow, int] = Table(ReportRow, "reports")
_DISPUTES: Table[DisputeRow, int] = Table(DisputeRow, "disputes")


def add(conn: Connection, *, match_id: MatchId, entrant_id: EntrantId, at: datetime, **columns: Any) -> ReportRow:
    """Note a player's report in place of their earlier one."""
    sql = "UPDATE reports SET replaced_at = ? WHERE match_id = ? AND entrant_id = ? AND replaced_at IS NULL"
    run(conn, sql, at, match_id, entrant_id)
    return _REPORTS.add(conn, match_id=match_id, entrant_id=entrant_id, at=at, **columns)


clear = Change[MatchId, datetime]("UPDATE reports SET replaced_at = ?2 WHERE match_id = ?1 AND replaced_at IS NULL")
"""Stop counting the reports of a match."""


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
) -> DisputeRow:
    """Open a dispute; raises sqlite3.IntegrityError where one is open."""
    return _DISPUTES.add(conn, match_id=match_id, entrant_id=entrant_id, says=says, reason=reason, at=at)


state = Change[int, str]("UPDATE reports SET statement = ?2 WHERE id = ?1")
"""Keep what a player tells the moderators about their report."""

settle = Change[MatchId, datetime]("UPDATE disputes SET settled_at = ?2 WHERE match_id = ?1 AND settled_at IS NULL")
"""Close the open dispute of a match, if there is one."""


def forget(conn: Connection, match_ids: Sequence[MatchId]) -> None:
    """Delete what was said of matches that are taken back or get another player; the audit keeps it."""
    for table in ("takebacks", "reports", "disputes"):
        run(conn, f"DELETE FROM {table} WHERE match_id IN (SELECT value FROM json_each(?))", match_ids)


of_match = Rows[ReportRow, MatchId](ReportRow, "SELECT * FROM reports WHERE match_id = ? ORDER BY id")
"""Every report of a match, those that don't count any more too, oldest first."""

disputes_of = Rows[DisputeRow, MatchId](DisputeRow, "SELECT * FROM disputes WHERE match_id = ? ORDER BY id")
"""Every dispute about a match, those that are settled too, oldest first."""

standing = Rows[ReportRow, Sequence[MatchId]](
    ReportRow,
    "SELECT * FROM reports WHERE match_id IN (SELECT value FROM json_each(?)) AND replaced_at IS NULL ORDER BY id",
)
"""The reports of these matches that count, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedWhen:
    """What tells when a match was played: the day an imported file says, the time agreed, and that of its report."""

    match_id: MatchId
    day: str | None
    agreed_at: datetime | None
    reported_at: datetime | None


played_when = Rows[PlayedWhen, SeasonId](
    PlayedWhen,
    "SELECT m.id AS match_id, m.played_on AS day, m.agreed_at, max(p.at) AS reported_at FROM matches m"
    " JOIN rounds r ON r.id = m.round_id LEFT JOIN reports p ON p.match_id = m.id AND p.replaced_at IS NULL"
    " WHERE r.season_id = ? AND m.state = 'confirmed' GROUP BY m.id",
)
"""When each match of a season that has a result was played."""


keep_before = One[Takeback, MatchId, EntrantId, int, datetime, Sequence[int], int | None](
    Takeback,
    "INSERT OR REPLACE INTO takebacks (match_id, entrant_id, version, at, reports, dispute_id)"
    " VALUES (?, ?, ?, ?, ?, ?) RETURNING *",
)
"""Keep who made a match count, its version since then and what stood before, in place of an earlier one."""


DISPUTES = (
    "SELECT s.league_id, m.id, d.at AS since FROM disputes d"
    " JOIN matches m ON m.id = d.match_id JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
    " WHERE d.settled_at IS NULL AND r.phase = 'open' AND s.phase IN ('signup', 'running', 'finals')"
)
"""The matches that wait for moderators because their players disagree, with their league and since when."""
