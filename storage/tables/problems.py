"""What players say keeps their match from being played, the opponent's answer, how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from storage.database import Connection
from storage.personal import OWN_SIDES, PLAYED, Forget
from storage.query import Rows, Table, column, run
from storage.question_rows import QuestionRows
from storage.rows import EntrantId, MatchId

ProblemId = NewType("ProblemId", int)


class ProblemKind(StrEnum):
    """What keeps a match from being played."""

    NO_ANSWER = "no-answer"
    ABSENT = "absent"
    TOO_LATE = "too-late"


class ProblemEnd(StrEnum):
    """How a problem ended: by a result, by the player who made it, or by a moderator without a result."""

    RESULT = "result"
    WITHDRAWN = "withdrawn"
    MORE_TIME = "more-time"
    NO_CHANGE = "no-change"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemRow:
    """A problem; the opponent can answer until it ends, and from `handed_at` on it waits for the moderators.

    `answer_until` is None until the question to the opponent was sent.
    """

    id: ProblemId
    match_id: MatchId
    entrant_id: EntrantId
    kind: ProblemKind
    text: str
    at: datetime
    answer_until: datetime | None
    answer: str | None
    answered_at: datetime | None
    handed_at: datetime | None
    ended_at: datetime | None
    how: ProblemEnd | None


_PROBLEMS: Table[ProblemRow, ProblemId] = Table(ProblemRow, "problems")
add, change, get, find = _PROBLEMS.add, _PROBLEMS.change, _PROBLEMS.get, _PROBLEMS.find
ASKED = QuestionRows(
    table="problems",
    until="answer_until",
    waits="t.handed_at IS NULL AND t.ended_at IS NULL",
    joined="JOIN matches m ON m.id = t.match_id JOIN rounds r ON r.id = m.round_id"
    " JOIN seasons s ON s.id = r.season_id",
    live="r.phase = 'open' AND +s.phase IN ('running', 'finals')",
)
"""The opponent is asked, until the moderators are told."""

of_match = Rows[ProblemRow, MatchId](ProblemRow, "SELECT * FROM problems WHERE match_id = ? ORDER BY id")
"""Every problem about a match, those that ended too, oldest first."""


def finish(conn: Connection, match_id: MatchId, how: ProblemEnd, now: datetime) -> bool:
    """End the open problem about a match; return whether there was one."""
    sql = "UPDATE problems SET ended_at = ?2, how = ?3 WHERE match_id = ?1 AND ended_at IS NULL RETURNING id"
    return bool(column(conn, sql, match_id, now, how))


def forget(conn: Connection, match_ids: Sequence[MatchId]) -> None:
    """Delete the problems about matches that are taken back or get another player; the audit keeps them."""
    run(conn, "DELETE FROM problems WHERE match_id IN (SELECT value FROM json_each(?))", match_ids)


WAITING = (
    "SELECT s.league_id, m.id, p.handed_at AS since FROM problems p"
    " JOIN matches m ON m.id = p.match_id JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
    " WHERE p.ended_at IS NULL AND p.handed_at IS NOT NULL AND r.phase = 'open'"
    " AND s.phase IN ('signup', 'running', 'finals')"
)
"""The matches whose problem waits for moderators, with their league and since when."""

forget_person = Forget(
    "UPDATE problems SET answer = '(deleted)' WHERE answer IS NOT NULL"
    f" AND match_id IN {PLAYED} AND (match_id, entrant_id) NOT IN {OWN_SIDES}",
    f"UPDATE problems SET text = '(deleted)' WHERE (match_id, entrant_id) IN {OWN_SIDES}",
)
"""Delete what someone said keeps their match from being played, answered to that, and showed."""
