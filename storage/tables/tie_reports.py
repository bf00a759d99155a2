"""What the two players of a tie-break match report about it."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from storage.asked_rows import Asked
from storage.query import Change, One, Table
from storage.rows import EntrantId, TieId

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
add, change, get, find = _REPORTS.add, _REPORTS.change, _REPORTS.get, _REPORTS.find
ASKED = Asked(
    table="tie_reports",
    until="counts_at",
    waits="t.disputed_at IS NULL",
    joined="JOIN ties o ON o.id = t.tie_id JOIN seasons s ON s.id = o.season_id",
)

of_tie = One[TieReportRow, TieId](TieReportRow, "SELECT * FROM tie_reports WHERE tie_id = ?")
"""What is reported about a tie-break match, or None."""

remove = Change[TieId]("DELETE FROM tie_reports WHERE tie_id = ?")
"""Delete what is reported about a tie-break match."""
