"""Ties organisers are asked about, for which places and how they were settled, and reports of tie-break matches."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from storage.query import Change, One, Rows, Table
from storage.question_rows import QuestionRows
from storage.rows import EntrantId, LeagueId, SeasonId, TieId, TieRow

_TIES: Table[TieRow, TieId] = Table(TieRow, "ties")
add, change, get, find, some = _TIES.add, _TIES.change, _TIES.get, _TIES.find, _TIES.some
ASKED = QuestionRows(
    table="ties",
    waits="t.settled_at IS NULL AND t.match_at IS NULL",
    joined="JOIN seasons s ON s.id = t.season_id",
)
"""The organiser is asked, until they answer or call a tie-break match."""

waiting = Rows[TieRow, SeasonId](
    TieRow, "SELECT * FROM ties WHERE season_id = ? AND settled_at IS NULL ORDER BY first, id"
)
"""The ties of a season that are not settled, the best places first."""

decided = Rows[TieRow, SeasonId, int](
    TieRow,
    "SELECT * FROM ties WHERE season_id = ? AND after_round = ? AND settled_at IS NOT NULL AND how <> 'gone'"
    " ORDER BY id",
)
"""The ties after a round whose order was decided and stands."""

waiting_of_league = Rows[TieRow, LeagueId](
    TieRow,
    "SELECT t.* FROM ties t JOIN seasons s ON s.id = t.season_id"
    " WHERE t.settled_at IS NULL AND s.league_id = ? ORDER BY t.first, t.id",
)
"""The ties of a league's season being played that are not settled."""

WAITING = (
    "SELECT s.league_id, t.id, t.asked_at AS since FROM ties t"
    " JOIN seasons s ON s.id = t.season_id WHERE t.settled_at IS NULL"
)
"""The ties that wait for organisers, with their league and since when."""


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
add_report, change_report, get_report, find_report = _REPORTS.add, _REPORTS.change, _REPORTS.get, _REPORTS.find
REPORT_ASKED = QuestionRows(
    table="tie_reports",
    until="counts_at",
    waits="t.disputed_at IS NULL",
    joined="JOIN ties o ON o.id = t.tie_id JOIN seasons s ON s.id = o.season_id",
)

report_of = One[TieReportRow, TieId](TieReportRow, "SELECT * FROM tie_reports WHERE tie_id = ?")
"""What is reported about a tie-break match, or None."""

remove_report = Change[TieId]("DELETE FROM tie_reports WHERE tie_id = ?")
"""Delete what is reported about a tie-break match."""
