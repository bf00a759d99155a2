"""Threads of matches: which one a match has, who was added to it, if it works, and that it's archived a day later."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from storage.database import Connection
from storage.personal import ACCOUNTS, PLAYED, Forget
from storage.query import Change, Column, One, Value, column, run, value
from storage.rows import MatchId, RoundId


class Lost(StrEnum):
    """Why posts about a match go to the league's channel again: its thread was deleted, or is closed to the bot."""

    DELETED = "deleted"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadRow:
    """A match's thread; `thread_id` is None while it may be being made, `people` are the Discord ids in it.

    `private` is whether it was made for them alone, `archived` whether the bot archives it, because nothing happens in
    the match any more.
    """

    match_id: MatchId
    thread_id: int | None
    people: tuple[int, ...]
    lost: Lost | None
    archive_at: datetime | None
    archived: bool
    private: bool

    @property
    def works(self) -> bool:
        """Whether posts about the match go here."""
        return self.thread_id is not None and self.lost is None


def begin(conn: Connection, match_id: MatchId) -> bool:
    """Note that a match's thread is about to be made; False where that was noted before."""
    return run(conn, "INSERT OR IGNORE INTO threads (match_id) VALUES (?)", match_id) > 0


made = Change[MatchId, int, bool]("UPDATE threads SET thread_id = ?2, private = ?3 WHERE match_id = ?1")
"""Note which thread was made for a match; its round may have been undone meanwhile."""

find = One[ThreadRow, MatchId](ThreadRow, "SELECT * FROM threads WHERE match_id = ?")
"""The thread of a match, working or not, or None where none was begun."""


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
    """Return the match a thread is about, None for any other thread and where there is none."""
    return None if thread_id is None else value(conn, "SELECT match_id FROM threads WHERE thread_id = ?", thread_id)


add_people = Change[MatchId, Sequence[int]]("UPDATE threads SET people = ?2 WHERE match_id = ?1")
"""Note who is in a match's thread now."""

lose = Change[MatchId, Lost]("UPDATE threads SET lost = ?2 WHERE match_id = ?1")
"""Note that a match's thread doesn't work any more."""

reopen = Change[MatchId]("UPDATE threads SET lost = NULL WHERE match_id = ? AND lost = 'closed'")
"""Let a match's thread that was closed to the bot work again."""

rest = Change[MatchId, datetime | None]("UPDATE threads SET archive_at = ?2 + 86400, archived = 0 WHERE match_id = ?1")
"""Archive a match's thread a day after it was settled, None for not; one that was archived works again."""

rest_unfinished = Change[RoundId, datetime](
    "UPDATE threads SET archive_at = ?2 + 86400 WHERE match_id IN"
    " (SELECT id FROM matches WHERE round_id = ?1 AND state <> 'confirmed')"
)
"""Archive the threads of a round's matches without a result a day later, because no one plays them any more."""

to_archive = Column[MatchId, datetime](
    "SELECT match_id FROM threads WHERE archive_at <= ? ORDER BY archive_at, match_id"
)
"""The matches whose threads are to be archived, the longest waiting first."""

rests = Value[int, int](
    "SELECT EXISTS (SELECT 1 FROM threads WHERE thread_id = ?1 AND archived AND lost IS NULL)"
    " OR EXISTS (SELECT 1 FROM outbox WHERE channel_id = ?1 AND kind = 'thread-over')"
)
"""Whether a channel is a thread that is kept archived: its match has been over for a day, or isn't played."""

archive = Change[MatchId]("UPDATE threads SET archive_at = NULL, archived = 1 WHERE match_id = ?")
"""Note that the bot archives a match's thread."""

forget = Change[Sequence[MatchId]]("DELETE FROM threads WHERE match_id IN (SELECT value FROM json_each(?))")
"""Delete what is known of the threads of matches that are taken back or get another."""

forget_person = Forget(
    "UPDATE threads SET people = (SELECT json_group_array(value) FROM json_each(threads.people)"
    f" WHERE value NOT IN {ACCOUNTS}) WHERE match_id IN {PLAYED}"
)
"""Delete that someone was added to the threads of their matches."""
