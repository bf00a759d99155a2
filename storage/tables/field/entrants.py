"""Entrants of seasons, which of them checked in, their departures and their requests to come back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.league.season.model import Name
from storage.database import Connection
from storage.query import Change, Exists, One, Rows, Table, insert, insert_many, one, records, update
from storage.question_rows import QuestionRows
from storage.rows import DepartureRow, EntrantId, EntrantRow, PlayerId, SeasonId


@dataclass(frozen=True, slots=True, kw_only=True)
class RejoinRow:
    """An entrant's request to come back, and the answer."""

    id: int
    entrant_id: EntrantId
    asked_at: datetime
    answered_at: datetime | None
    accepted: bool | None


CURRENT = (
    "coalesce((SELECT r.number + (r.phase = 'closed' AND s.ended_at IS NULL) FROM rounds r"
    " JOIN seasons s ON s.id = r.season_id WHERE r.season_id = {season} ORDER BY r.number DESC LIMIT 1), 1)"
)
"""The round a season is in: the one that is played or previewed, or the next, or the last of one that has ended."""
_IN_ROUND = (
    "SELECT t.*, p.id AS person_id, CASE WHEN p.id <> t.player_id THEN x.name END AS person, p.discord_id,"
    " d.kind AS departed FROM entrants t LEFT JOIN substitutes x ON x.entrant_id = t.id AND x.round ="
    " (SELECT max(round) FROM substitutes WHERE entrant_id = t.id AND round <= {round})"
    " JOIN players p ON p.id = coalesce(x.player_id, t.player_id)"
    " LEFT JOIN departures d ON d.entrant_id = t.id AND d.rejoined IS NULL"
)
_SELECT = _IN_ROUND.format(round=CURRENT.format(season="t.season_id"))
_OF_SEASON = f"{_IN_ROUND.format(round=CURRENT.format(season='?1'))} WHERE t.season_id = ?1"
_ENTRANTS: Table[EntrantRow, EntrantId] = Table(EntrantRow, "entrants", select=_SELECT)
_REQUESTS: Table[RejoinRow, int] = Table(RejoinRow, "rejoin_requests")
add, change, get, find, some = _ENTRANTS.add, _ENTRANTS.change, _ENTRANTS.get, _ENTRANTS.find, _ENTRANTS.some
request, requests = _REQUESTS.find, _REQUESTS.some
CHECK_IN = QuestionRows(
    table="entrants",
    until="asked_at",
    waits="t.checked_in = 0",
    joined="JOIN seasons s ON s.id = t.season_id",
)
"""Players are asked to check in; who was asked late keeps their place, so it says since when they are."""


remove = Change[EntrantId]("DELETE FROM entrants WHERE id = ?")
"""Delete an entrant who withdraws before the start, once nothing else is held of them."""

forget_asked = Change[SeasonId]("UPDATE entrants SET asked_at = NULL WHERE season_id = ?")
"""Forget who was asked to check in: everyone is asked again."""

of_season = Rows[EntrantRow, SeasonId](EntrantRow, f"{_OF_SEASON} ORDER BY t.id")
"""A season's entrants in order of sign-up."""


def ids_of(conn: Connection, season_id: SeasonId) -> dict[Name, EntrantId]:
    """Return the ids of a season's entrants by name."""
    return dict(records(conn, "SELECT name, id FROM entrants WHERE season_id = ? ORDER BY id", season_id))


in_round = Rows[EntrantRow, SeasonId, int](
    EntrantRow, f"{_IN_ROUND.format(round='?2')} WHERE t.season_id = ?1 ORDER BY t.id"
)
"""A season's entrants in order of sign-up, with the people who sit in their seats in a round."""


def one_in_round(conn: Connection, entrant_id: EntrantId, number: int) -> EntrantRow:
    """Return an entrant with the person who sits in their seat in a round."""
    row = one(conn, EntrantRow, f"{_IN_ROUND.format(round='?2')} WHERE t.id = ?1", entrant_id, number)
    assert row is not None
    return row


_AT_LAST = _IN_ROUND.format(round="round")


def one_at_last(conn: Connection, entrant_id: EntrantId) -> EntrantRow:
    """Return an entrant with the person who sits in their seat in the end, as far as is known.

    Who takes a seat over does so with the next round, or later where rounds were undone.
    """
    row = one(conn, EntrantRow, f"{_AT_LAST} WHERE t.id = ?", entrant_id)
    assert row is not None
    return row


some_in_round = Rows[EntrantRow, Sequence[EntrantId], int](
    EntrantRow, f"{_IN_ROUND.format(round='?2')} WHERE t.id IN (SELECT value FROM json_each(?1))"
)
"""These entrants with the people who sit in their seats in a round."""

by_discord = One[EntrantRow, SeasonId, int](
    EntrantRow,
    f"{_OF_SEASON} AND t.id IN (SELECT e.id FROM seasons s"
    " JOIN players p ON p.league_id = s.league_id AND p.discord_id = ?2 JOIN entrants e ON e.player_id = p.id"
    " WHERE s.id = ?1 UNION ALL SELECT x.entrant_id FROM seasons s"
    " JOIN players p ON p.league_id = s.league_id AND p.discord_id = ?2 JOIN substitutes x ON x.player_id = p.id"
    " WHERE s.id = ?1)",
)
"""The entrant in whose seat a Discord user sits, sat or will sit in a season, or None."""

by_player = One[EntrantRow, SeasonId, PlayerId](
    EntrantRow,
    f"{_OF_SEASON} AND t.id IN (SELECT id FROM entrants WHERE player_id = ?2"
    " UNION ALL SELECT entrant_id FROM substitutes WHERE player_id = ?2)",
)
"""The entrant in whose seat a player sits, sat or will sit in a season, or None."""

ever = Exists[PlayerId]("SELECT 1 FROM entrants WHERE player_id = ? LIMIT 1")
"""Whether a player has or had a place of their own in a season."""

by_name = One[EntrantRow, SeasonId, str](EntrantRow, f"{_OF_SEASON} AND t.name = ?2")
"""The entrant of exactly this name in a season, or None."""


def add_many(conn: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert entrants in order, all with the same columns; raises sqlite3.IntegrityError as `add` does."""
    insert_many(conn, "entrants", rows)


draw_names = Change[Sequence[EntrantId]]("UPDATE entrants SET drawn = 1 WHERE id IN (SELECT value FROM json_each(?))")
"""Note that the salt of a season is made of the names of these entrants."""


def depart_many(conn: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Note who has left in order, all with the same columns; raises as `depart` does."""
    insert_many(conn, "departures", rows)


def depart(conn: Connection, **columns: Any) -> None:
    """Note that an entrant has left; raises sqlite3.IntegrityError where they had left already."""
    insert(conn, "departures", **columns)


departures_of = Rows[DepartureRow, SeasonId](
    DepartureRow,
    "SELECT d.* FROM departures d JOIN entrants e ON e.id = d.entrant_id WHERE e.season_id = ? ORDER BY d.id",
)
"""A season's departures in order."""

last_departure = One[DepartureRow, EntrantId](
    DepartureRow, "SELECT * FROM departures WHERE entrant_id = ? ORDER BY id DESC LIMIT 1"
)
"""The newest departure of an entrant, or None."""


def change_departure(conn: Connection, departure_id: int, **columns: Any) -> None:
    """Change columns of a departure."""
    update(conn, "departures", departure_id, **columns)


forget_departure = Change[int]("DELETE FROM departures WHERE id = ?")
"""Delete a departure, as if it had never happened."""


def ask_back(conn: Connection, entrant_id: EntrantId, at: datetime) -> int:
    """Note a request to come back; raises sqlite3.IntegrityError where one waits for an answer."""
    return insert(conn, "rejoin_requests", entrant_id=entrant_id, asked_at=at)


waiting_request = One[RejoinRow, EntrantId](
    RejoinRow, "SELECT * FROM rejoin_requests WHERE entrant_id = ? AND answered_at IS NULL"
)
"""An entrant's unanswered request to come back, or None."""

waiting_requests = Rows[RejoinRow, SeasonId](
    RejoinRow,
    "SELECT q.* FROM rejoin_requests q JOIN entrants e ON e.id = q.entrant_id"
    " WHERE e.season_id = ? AND q.answered_at IS NULL ORDER BY q.id",
)
"""A season's unanswered requests to come back."""


def answer(conn: Connection, request_id: int, *, accepted: bool, at: datetime) -> None:
    """Note the answer to a request to come back."""
    update(conn, "rejoin_requests", request_id, accepted=accepted, answered_at=at)


refused_at = Rows[RejoinRow, SeasonId, datetime](
    RejoinRow,
    "SELECT q.* FROM entrants e JOIN rejoin_requests q ON q.entrant_id = e.id"
    " WHERE e.season_id = ? AND q.answered_at = ? AND q.accepted = 0 AND NOT EXISTS"
    " (SELECT 1 FROM rejoin_requests o WHERE o.entrant_id = q.entrant_id AND o.id > q.id) ORDER BY q.id",
)
"""A season's requests to come back that were refused at a moment, of those who haven't asked since."""

ask_back_again = Change[int]("UPDATE rejoin_requests SET answered_at = NULL, accepted = NULL WHERE id = ?")
"""Let a request to come back wait again."""

_THEIRS = "entrant_id IN (SELECT id FROM entrants WHERE season_id = ?1)"
_leave_before_pairing = Change[SeasonId, int](
    f"UPDATE departures SET round = ?2, after_pairing = 0 WHERE round >= ?2 AND rejoined IS NULL AND {_THEIRS}"
)
_GONE_NOW = "EXISTS (SELECT 1 FROM departures d WHERE d.entrant_id = departures.entrant_id AND d.rejoined IS NULL)"
_never_leave = Change[SeasonId, int](
    "DELETE FROM departures WHERE round >= ?2 AND rejoined IS NOT NULL"
    # Who left before round 1 was paired isn't one of those the season started with, and becomes none.
    f" AND (after_pairing OR round > 1 OR {_GONE_NOW}) AND {_THEIRS}"
)
_be_back_before_pairing = Change[SeasonId, int](
    f"UPDATE departures SET rejoined = ?2 WHERE round < ?2 AND rejoined > ?2 AND {_THEIRS}"
)


def unpaired(conn: Connection, season_id: SeasonId, number: int) -> None:
    """Let who left or came back since this round was paired count as gone or back before it: it's taken back."""
    _leave_before_pairing(conn, season_id, number)
    _never_leave(conn, season_id, number)
    _be_back_before_pairing(conn, season_id, number)


REJOIN_REQUESTS = (
    "SELECT s.league_id, q.id, q.asked_at AS since FROM rejoin_requests q"
    " JOIN entrants e ON e.id = q.entrant_id JOIN seasons s ON s.id = e.season_id"
    " WHERE q.answered_at IS NULL AND s.phase IN ('running', 'finals')"
)
"""The requests to come back that wait for organisers, with their league and since when."""
