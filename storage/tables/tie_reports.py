"""What the two players of a tie-break match report about it."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from storage.database import Connection
from storage.query import Table, column, one, run
from storage.rows import EntrantId, SeasonId, TieId

TieReportId = NewType("TieReportId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class TieReportRow:
    """A player says that they won; it counts at `counts_at`, once the other was asked, unless they dispute it."""

    id: TieReportId
    tie_id: TieId
    entrant_id: EntrantId
    reported_at: datetime
    counts_at: datetime | None
    disputed_at: datetime | None


_REPORTS: Table[TieReportRow, TieReportId] = Table(TieReportRow, "tie_reports")
add, change, find = _REPORTS.add, _REPORTS.change, _REPORTS.find


def of_tie(conn: Connection, tie_id: TieId) -> TieReportRow | None:
    """Return what is reported about a tie-break match, or None."""
    return one(conn, TieReportRow, "SELECT * FROM tie_reports WHERE tie_id = ?", tie_id)


def remove(conn: Connection, tie_id: TieId) -> None:
    """Delete what is reported about a tie-break match."""
    run(conn, "DELETE FROM tie_reports WHERE tie_id = ?", tie_id)


def move_answers(conn: Connection, season_id: SeasonId, *, after: datetime, seconds: int) -> None:
    """Move when reports of a season count where that lies after a moment."""
    sql = (
        "UPDATE tie_reports SET counts_at = counts_at + ?3 WHERE counts_at > ?2"
        " AND tie_id IN (SELECT id FROM ties WHERE season_id = ?1)"
    )
    run(conn, sql, season_id, after, seconds)


def due(conn: Connection, now: datetime) -> tuple[TieReportId, ...]:
    """Return the reports that count now without an answer, in seasons that aren't paused, for the clock."""
    sql = (
        "SELECT r.id FROM tie_reports r INDEXED BY reports_of_ties_due JOIN ties t ON t.id = r.tie_id"
        " JOIN seasons s ON s.id = t.season_id WHERE r.disputed_at IS NULL AND r.counts_at <= ?"
        " AND s.paused_until IS NULL AND s.phase IN ('running', 'finals') ORDER BY r.counts_at, r.id"
    )
    return column(conn, sql, now)
