"""What is asked as people join: players who asked to be let into a season, and what they answered for opponents."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from storage.query import Change, Exists, One, Rows, Table, Value
from storage.rows import PlayerId, SeasonId

JoinRequestId = NewType("JoinRequestId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequestRow:
    """A player who asked to join; answered without `accepted` where they stopped waiting."""

    id: JoinRequestId
    season_id: SeasonId
    player_id: PlayerId
    discord_id: int | None
    name: str
    page: int
    asked_at: datetime
    answered_at: datetime | None
    accepted: bool | None


_SELECT = "SELECT t.*, p.discord_id, p.name FROM join_requests t JOIN players p ON p.id = t.player_id"
_REQUESTS: Table[JoinRequestRow, JoinRequestId] = Table(JoinRequestRow, "join_requests", select=_SELECT)
add, change, find, some = _REQUESTS.add, _REQUESTS.change, _REQUESTS.find, _REQUESTS.some

waiting = Rows[JoinRequestRow, SeasonId](
    JoinRequestRow, f"{_SELECT} WHERE t.season_id = ? AND t.answered_at IS NULL ORDER BY t.id"
)
"""Those who wait to be let into a season, in order of asking."""

of_page = Rows[JoinRequestRow, SeasonId, int](
    JoinRequestRow, f"{_SELECT} WHERE t.season_id = ? AND t.page = ? ORDER BY t.id"
)
"""Those on a page of a season's post, in order of asking."""

last_page = Rows[JoinRequestRow, SeasonId](
    JoinRequestRow,
    f"{_SELECT} WHERE t.season_id = ?1 AND t.page = (SELECT max(page) FROM join_requests WHERE season_id = ?1)"
    " ORDER BY t.id",
)
"""Those on the last page of a season's post, in order of asking."""

of_player = One[JoinRequestRow, SeasonId, PlayerId](
    JoinRequestRow, f"{_SELECT} WHERE t.season_id = ? AND t.player_id = ? AND t.answered_at IS NULL"
)
"""A player's request that waits for its answer, or None."""

by_discord = One[JoinRequestRow, SeasonId, int](
    JoinRequestRow, f"{_SELECT} WHERE t.season_id = ? AND p.discord_id = ? AND t.answered_at IS NULL"
)
"""A Discord user's request that waits for its answer, or None."""

stopped_at = Rows[JoinRequestRow, SeasonId, datetime](
    JoinRequestRow,
    f"{_SELECT} WHERE t.season_id = ? AND t.answered_at = ? AND t.accepted IS NULL AND NOT EXISTS"
    " (SELECT 1 FROM join_requests o WHERE o.season_id = t.season_id AND o.player_id = t.player_id AND o.id > t.id)"
    " ORDER BY t.id",
)
"""Those who waited no longer at a moment without an answer, and haven't asked since, in order of asking."""

stop_where_over = Change[datetime, PlayerId](
    "UPDATE join_requests SET answered_at = ? WHERE id IN (SELECT q.id FROM players p"
    " JOIN seasons s ON s.league_id = p.league_id AND s.phase IN ('finished', 'cancelled')"
    " JOIN join_requests q ON q.season_id = s.id AND q.player_id = p.id AND q.answered_at IS NULL WHERE p.id = ?)"
)
"""Let a player wait no more, at a moment, for seasons that are over."""

was_refused = Exists[SeasonId, PlayerId](
    "SELECT 1 FROM join_requests WHERE season_id = ? AND player_id = ? AND accepted = 0"
)
"""Whether organisers didn't let a player into a season."""

WAITING = (
    "SELECT s.league_id, q.id, q.asked_at AS since FROM join_requests q"
    " JOIN seasons s ON s.id = q.season_id"
    " WHERE q.answered_at IS NULL AND s.phase IN ('signup', 'running')"
)
"""The requests that wait for organisers, with their league and since when."""

answer_of = Value[str | None, PlayerId, str]("SELECT answer FROM signup_answers WHERE player_id = ? AND question = ?")
"""A player's answer to a question for their opponents, which are told apart by a key; None without one."""

keep_answer = Change[PlayerId, str, str](
    "INSERT INTO signup_answers (player_id, question, answer) VALUES (?, ?, ?)"
    " ON CONFLICT DO UPDATE SET answer = excluded.answer"
)
"""Keep a player's answer to a question in place of the one before."""

remove_answers = Change[PlayerId]("DELETE FROM signup_answers WHERE player_id = ?")
"""Delete what someone answered in another's name."""
