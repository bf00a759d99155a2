"""Threads of matches and groups: which one a match has, who was added, if it works, and that it's archived later."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from storage.database import Connection
from storage.personal import ACCOUNTS, PLAYED, Forget
from storage.query import Change, Column, One, Value, column, records, run, value
from storage.rows import EntrantId, MatchId, RoundId, SeasonId


class Lost(StrEnum):
    """Why posts about a match go to the league's channel again: its thread was deleted, or is closed to the bot."""

    DELETED = "deleted"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadRow:
    """The thread of a match, or of a group whose matches are all open: then `match_id` is the first of them.

    `thread_id` is None while it may be being made, `people` are the Discord ids in it. `private` is whether it was made
    for them alone, `archived` whether the bot archives it, because nothing happens in it any more.
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
        """Whether posts about its matches go here."""
        return self.thread_id is not None and self.lost is None


_OF = "(SELECT thread FROM thread_matches WHERE match_id = ?1)"
_TO_PLAY = (
    "EXISTS (SELECT 1 FROM thread_matches about JOIN matches m ON m.id = about.match_id"
    " WHERE about.thread = threads.id AND m.state <> 'confirmed')"
)


def begin(conn: Connection, match_id: MatchId, match_ids: Sequence[MatchId]) -> bool:
    """Note that the thread of some matches is about to be made, which one keeps; False where that was noted before."""
    if not run(conn, "INSERT OR IGNORE INTO threads (match_id) VALUES (?)", match_id):
        return False
    about = (
        "INSERT INTO thread_matches (match_id, thread)"
        " SELECT value, (SELECT id FROM threads WHERE match_id = ?) FROM json_each(?)"
    )
    run(conn, about, match_id, match_ids)
    return True


note_made = Change[MatchId, int, bool]("UPDATE threads SET thread_id = ?2, private = ?3 WHERE match_id = ?1")
"""Note which thread was made; its round may have been undone meanwhile."""

find = One[ThreadRow, MatchId](ThreadRow, f"SELECT * FROM threads WHERE id = {_OF}")
"""The thread a match is talked about in, working or not, or None where none was begun."""


def known(conn: Connection, thread_ids: Sequence[int]) -> frozenset[int]:
    """Return which of these threads belong to a match or a group."""
    sql = "SELECT thread_id FROM threads WHERE thread_id IN (SELECT value FROM json_each(?))"
    return frozenset(column(conn, sql, thread_ids))


def working(conn: Connection, match_ids: Sequence[MatchId]) -> dict[MatchId, int]:
    """Return the threads of these matches, where they have one that works."""
    sql = (
        "SELECT about.match_id, t.thread_id FROM thread_matches about JOIN threads t ON t.id = about.thread"
        " WHERE about.match_id IN (SELECT value FROM json_each(?)) AND t.thread_id IS NOT NULL AND t.lost IS NULL"
    )
    return dict(records(conn, sql, match_ids))


def keepers(conn: Connection, season_id: SeasonId) -> dict[EntrantId, MatchId]:
    """Return the match that keeps the thread of each player's first match in an open round, where that thread works."""
    sql = (
        "SELECT s.entrant_id, t.match_id, min(r.number) FROM rounds r JOIN seats s ON s.round_id = r.id"
        " JOIN thread_matches about ON about.match_id = s.match_id JOIN threads t ON t.id = about.thread"
        " WHERE r.season_id = ? AND r.phase = 'open' AND t.thread_id IS NOT NULL AND t.lost IS NULL"
        " GROUP BY s.entrant_id"
    )
    return {EntrantId(entrant): MatchId(match) for entrant, match, _ in records(conn, sql, season_id)}


def match_of(conn: Connection, thread_id: int | None) -> MatchId | None:
    """Return the match a thread is about, the first of a group's; None for any other thread and where there is none."""
    return None if thread_id is None else value(conn, "SELECT match_id FROM threads WHERE thread_id = ?", thread_id)


to_play = Value[MatchId, int](f"SELECT {_TO_PLAY} FROM threads WHERE id = {_OF}")
"""Whether a match has no result, or another one of its group's thread."""

add_people = Change[MatchId, Sequence[int]](f"UPDATE threads SET people = ?2 WHERE id = {_OF}")
"""Note who is in the thread of a match now."""

lose = Change[MatchId, Lost](f"UPDATE threads SET lost = ?2 WHERE id = {_OF}")
"""Note that the thread of a match doesn't work any more."""

reopen = Change[MatchId](f"UPDATE threads SET lost = NULL WHERE id = {_OF} AND lost = 'closed'")
"""Let the thread of a match that was closed to the bot work again."""

rest = Change[MatchId, datetime](
    f"UPDATE threads SET archive_at = CASE WHEN NOT {_TO_PLAY} THEN ?2 + 86400 END, archived = 0 WHERE id = {_OF}"
)
"""Archive the thread of a match a day after all it's about was settled; one that was archived works again."""

rest_unfinished = Change[RoundId, datetime](
    f"UPDATE threads SET archive_at = ?2 + 86400 WHERE {_TO_PLAY} AND id IN (SELECT about.thread"
    " FROM thread_matches about JOIN matches m ON m.id = about.match_id WHERE m.round_id = ?1)"
)
"""Archive the threads of a round's matches without a result a day later, because no one plays them any more."""

to_archive = Column[MatchId, datetime](
    "SELECT match_id FROM threads WHERE archive_at <= ? ORDER BY archive_at, match_id"
)
"""The matches that keep threads which are to be archived, the longest waiting first."""

rests = Value[int, int](
    "SELECT EXISTS (SELECT 1 FROM threads WHERE thread_id = ?1 AND archived AND lost IS NULL)"
    " OR EXISTS (SELECT 1 FROM outbox WHERE channel_id = ?1 AND kind = 'thread-over')"
)
"""Whether a channel is a thread that is kept archived: its match has been over for a day, or isn't played."""

archive = Change[MatchId]("UPDATE threads SET archive_at = NULL, archived = 1 WHERE match_id = ?")
"""Note that the bot archives a match's thread."""


def forget(conn: Connection, match_ids: Sequence[MatchId]) -> None:
    """Delete what is known of the threads of matches that are taken back or get another; a group's goes with its first.

    The rounds of a stage are taken back one after the other, the first of them last.
    """
    some = "WHERE match_id IN (SELECT value FROM json_each(?))"
    run(conn, f"DELETE FROM thread_matches {some}", match_ids)
    run(conn, f"DELETE FROM threads {some}", match_ids)


forget_person = Forget(
    "UPDATE threads SET people = (SELECT json_group_array(value) FROM json_each(threads.people)"
    f" WHERE value NOT IN {ACCOUNTS}) WHERE id IN (SELECT thread FROM thread_matches WHERE match_id IN {PLAYED})"
)
"""Delete that someone was added to the threads of their matches."""
