"""Times proposed for matches, and how they were answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import NewType

from storage.database import Connection
from storage.query import Rows, Table, run
from storage.rows import EntrantId, MatchId

ProposalId = NewType("ProposalId", int)


class TimeAnswer(StrEnum):
    """What became of proposed times."""

    ACCEPTED = "accepted"
    DECLINED = "declined"
    REPLACED = "replaced"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeProposalRow:
    """Starts a player proposes for their match, in seconds since 1970; `accepted` is the one agreed on."""

    id: ProposalId
    match_id: MatchId
    entrant_id: EntrantId
    proposed_at: datetime
    starts: tuple[int, ...]
    answer: TimeAnswer | None
    answered_at: datetime | None
    accepted: datetime | None

    @property
    def moments(self) -> tuple[datetime, ...]:
        """The starts, the earliest first."""
        return tuple(datetime.fromtimestamp(start, UTC) for start in self.starts)


_PROPOSALS: Table[TimeProposalRow, ProposalId] = Table(TimeProposalRow, "time_proposals")
add, find = _PROPOSALS.add, _PROPOSALS.find

of_match = Rows[TimeProposalRow, MatchId](
    TimeProposalRow, "SELECT * FROM time_proposals WHERE match_id = ? ORDER BY id"
)
"""Everything that was proposed for a match, oldest first."""

waiting = Rows[TimeProposalRow, Sequence[MatchId]](
    TimeProposalRow,
    "SELECT * FROM time_proposals WHERE match_id IN (SELECT value FROM json_each(?)) AND answered_at IS NULL"
    " ORDER BY id",
)
"""What is proposed for some matches and not answered, oldest first."""


def settle(
    conn: Connection,
    match_id: MatchId,
    answer: TimeAnswer,
    now: datetime,
    *,
    by: EntrantId | None = None,
    accepted: datetime | None = None,
) -> None:
    """Note what became of the waiting proposals of a match: those of one player, or of both."""
    sql = (
        "UPDATE time_proposals SET answer = ?2, answered_at = ?3, accepted = ?5"
        " WHERE match_id = ?1 AND answered_at IS NULL AND (?4 IS NULL OR entrant_id = ?4)"
    )
    run(conn, sql, match_id, answer, now, by, accepted)
