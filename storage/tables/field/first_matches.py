"""Players of rounds that are all open who were asked when they play their first match, and who still hasn't begun."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from storage.personal import Forget
from storage.query import Change, Column, Exists, Rows, Table
from storage.question_rows import QuestionRows
from storage.rows import EntrantId, RoundId, SeasonId

FirstMatchId = NewType("FirstMatchId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstMatchRow:
    """The question to one player, whose time begins once it was sent and ends `until`.

    `silent_at` is when moderators were told, `settled_at` when the time was over of a player who had begun or left, or
    when a moderator let them be.
    """

    id: FirstMatchId
    entrant_id: EntrantId
    asked_at: datetime
    until: datetime | None
    silent_at: datetime | None
    settled_at: datetime | None


_QUESTIONS: Table[FirstMatchRow, FirstMatchId] = Table(FirstMatchRow, "first_matches")
add, change, get, some = _QUESTIONS.add, _QUESTIONS.change, _QUESTIONS.get, _QUESTIONS.some

_SEATED = (
    "FROM seats q CROSS JOIN rounds r ON r.id = q.round_id CROSS JOIN matches m ON m.id = q.match_id"
    " WHERE q.entrant_id = e.id AND r.together = 1"
)
_OWN = "SELECT 1 FROM {} p WHERE p.entrant_id = e.id"
_IDLE = (
    "NOT EXISTS (SELECT 1 FROM departures d WHERE d.entrant_id = e.id AND d.rejoined IS NULL)"
    f" AND EXISTS (SELECT 1 {_SEATED} AND r.phase = 'open' AND m.state = 'open')"
    f" AND NOT EXISTS (SELECT 1 {_SEATED} AND (m.agreed_at IS NOT NULL"
    " OR m.state <> 'open' AND coalesce(m.confirmed_by, '') <> 'departure'))"
    + "".join(f" AND NOT EXISTS ({_OWN.format(table)})" for table in ("reports", "time_proposals", "problems"))
)
"""A player who is here with a match to play, and has no result but what leaving brought, and no time.

Who reported, proposed times or told of a problem has done their part, whatever came of it.
"""
ASKED = QuestionRows(
    table="first_matches",
    waits="t.silent_at IS NULL AND t.settled_at IS NULL",
    joined="JOIN entrants e ON e.id = t.entrant_id JOIN seasons s ON s.id = e.season_id",
)

rounds_due = Column[RoundId, datetime](
    "SELECT r.id FROM rounds r JOIN seasons s ON s.id = r.season_id"
    " WHERE r.phase = 'open' AND r.together = 1 AND s.phase = 'running' AND s.paused_until IS NULL"
    " AND r.number = (SELECT min(number) FROM rounds o WHERE o.season_id = r.season_id AND o.phase = 'open')"
    " AND r.posted_at + r.paused + (s.settings ->> 'first_match_days') * 86400 <= ?1"
    " AND (r.deadline IS NULL OR r.deadline > ?1)"
    " AND EXISTS (SELECT 1 FROM entrants e WHERE e.season_id = s.id"
    f" AND NOT EXISTS (SELECT 1 FROM first_matches t WHERE t.entrant_id = e.id) AND {_IDLE})"
)
"""The first rounds of stages in which someone is to be asked when they play their first match."""

to_ask = Column[EntrantId, SeasonId](
    f"SELECT e.id FROM entrants e WHERE e.season_id = ? AND {_IDLE}"
    " AND NOT EXISTS (SELECT 1 FROM first_matches t WHERE t.entrant_id = e.id) ORDER BY e.id"
)
"""The players of a season who haven't begun and weren't asked."""

_OF_SEASON = "FROM entrants e JOIN first_matches t ON t.entrant_id = e.id WHERE e.season_id = ?"
is_idle = Exists[EntrantId](f"SELECT 1 FROM entrants e WHERE e.id = ? AND {_IDLE}")
"""Whether a player hasn't begun."""

of_season = Rows[FirstMatchRow, SeasonId](FirstMatchRow, f"SELECT t.* {_OF_SEASON} ORDER BY t.id")
"""Everyone a season has asked."""

unanswered = Rows[FirstMatchRow, SeasonId](
    FirstMatchRow, f"SELECT t.* {_OF_SEASON} AND t.silent_at IS NULL AND t.settled_at IS NULL AND {_IDLE} ORDER BY t.id"
)
"""Those who were asked and have time to answer."""

silent = Rows[FirstMatchRow, SeasonId](
    FirstMatchRow,
    f"SELECT t.* {_OF_SEASON} AND t.silent_at IS NOT NULL AND t.settled_at IS NULL AND {_IDLE} ORDER BY t.id",
)
"""Those who were asked, were silent, and still haven't begun."""

WAITING = (
    "SELECT s.league_id, t.id, t.silent_at AS since FROM first_matches t"
    " JOIN entrants e ON e.id = t.entrant_id JOIN seasons s ON s.id = e.season_id"
    f" WHERE t.silent_at IS NOT NULL AND t.settled_at IS NULL AND s.phase IN ('running', 'finals') AND {_IDLE}"
    f" AND NOT EXISTS (SELECT 1 {_SEATED} AND r.phase = 'open' AND m.state = 'open' AND m.overdue_at IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM problems p WHERE p.match_id = m.id AND p.ended_at IS NULL))"
)
"""The same of all leagues, with the league and since when; not those who are listed with their overdue matches."""

forget_season = Change[SeasonId](
    "DELETE FROM first_matches WHERE entrant_id IN (SELECT id FROM entrants WHERE season_id = ?)"
)
"""Delete the questions of a stage that is taken back."""

forget_person = Forget(
    "DELETE FROM first_matches WHERE entrant_id IN (SELECT id FROM entrants WHERE player_id = :player)"
)
"""Delete when someone was asked."""

withdraw = Change[EntrantId]("DELETE FROM first_matches WHERE entrant_id = ?")
"""Delete the question to an entrant who withdraws."""
