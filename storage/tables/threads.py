"""Threads of matches: which one a match is talked about in, who was added to it, and whether it still works."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from storage.database import Connection
from storage.query import column, one, run, value
from storage.rows import MatchId, RoundId


class Lost(StrEnum):
    """Why posts about a match go to the league's channel again: its thread was deleted, or is closed to the bot."""

    DELETED = "deleted"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadRow:
    """A match's thread; `thread_id` is None while it may be being made, `people` are the Discord ids in it.

    `archived` is whether the bot archives it, because nothing happens in the match any more.
    """

    match_id: MatchId
    thread_id: int | None
    people: tuple[int, ...]
    lost: Lost | None
    archive_at: datetime | None
    archived: bool

    @property
    def works(self) -> bool:
        """Whether posts about the match go here."""
        return self.thread_id is not None and self.lost is None


def begin(conn: Connection, match_id: MatchId) -> bool:
    """Note that a match's thread is about to be made; False where that was noted before."""
    return run(conn, "INSERT OR IGNORE INTO threads (match_id) VALUES (?)", match_id) > 0


def made(conn: Connection, match_id: MatchId, thread_id: int) -> None:
    """Note which thread was made for a match; its round may have been undone meanwhile."""
    run(conn, "UPDATE threads SET thread_id = ? WHERE match_id = ?", thread_id, match_id)


def find(conn: Connection, match_id: MatchId) -> ThreadRow | None:
    """Return the thread of a match, working or not, or None where none was begun."""
    return one(conn, ThreadRow, "SELECT * FROM threads WHERE match_id = ?", match_id)


def known(conn: Connection, thread_ids: Sequence[int]) -> frozenset[int]:
    """Return which of these threads belong to a match."""
    sql = "SELECT thread_id FROM threads WHERE thread_id IN (SELECT value FROM json_each(?))"
    return frozenset(column(conn, sql, thread_ids))


def working(conn: Connection, match_ids: Sequence[MatchId]) -> frozenset[MatchId]:
    """Return which of these matches have a thread that works."""
    sql = (
        "SELECT match_id FROM threads WHERE match_id IN (SELECT value FROM json_each(?))"
        " AND thread_id IS NOT NULL AND lost IS NULL"
    )
    return frozenset(column(conn, sql, match_ids))


def match_of(conn: Connection, thread_id: int | None) -> MatchId | None:
    """Return the match a thread is about, None for any other channel."""
    return value(conn, "SELECT match_id FROM threads WHERE thread_id = ?", thread_id)


def add_people(conn: Connection, match_id: MatchId, people: Sequence[int]) -> None:
    """Note who is in a match's thread now."""
    run(conn, "UPDATE threads SET people = ? WHERE match_id = ?", people, match_id)


def lose(conn: Connection, match_id: MatchId, why: Lost) -> None:
    """Note that a match's thread doesn't work any more."""
    run(conn, "UPDATE threads SET lost = ? WHERE match_id = ?", why, match_id)


def reopen(conn: Connection, match_id: MatchId) -> None:
    """Let a match's thread that was closed to the bot work again."""
    run(conn, "UPDATE threads SET lost = NULL WHERE match_id = ? AND lost = 'closed'", match_id)


def rest(conn: Connection, match_id: MatchId, *, since: datetime | None) -> None:
    """Archive a match's thread a day after it was settled, None for not; one that was archived works again."""
    run(conn, "UPDATE threads SET archive_at = ? + 86400, archived = 0 WHERE match_id = ?", since, match_id)


def rest_unfinished(conn: Connection, round_id: RoundId, since: datetime) -> None:
    """Archive the threads of a round's matches without a result a day later, because no one plays them any more."""
    sql = (
        "UPDATE threads SET archive_at = ?2 + 86400"
        " WHERE match_id IN (SELECT id FROM matches WHERE round_id = ?1 AND state <> 'confirmed')"
    )
    run(conn, sql, round_id, since)


def to_archive(conn: Connection, now: datetime) -> tuple[MatchId, ...]:
    """Return the matches whose threads are to be archived, the longest waiting first."""
    sql = "SELECT match_id FROM threads WHERE archive_at <= ? ORDER BY archive_at, match_id"
    return column(conn, sql, now)


def archive(conn: Connection, match_id: MatchId) -> None:
    """Note that the bot archives a match's thread."""
    run(conn, "UPDATE threads SET archive_at = NULL, archived = 1 WHERE match_id = ?", match_id)


def forget(conn: Connection, match_id: MatchId) -> None:
    """Delete what is known of a match's thread, because the match gets another."""
    run(conn, "DELETE FROM threads WHERE match_id = ?", match_id)
