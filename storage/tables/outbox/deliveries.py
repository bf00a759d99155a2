"""Promised posts as the announcer delivers them: what is due, sent, deleted, failed for now, or expired."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from storage.database import Connection
from storage.posts import PostId, PostRow, QueuedPost
from storage.query import Change, Joined, One, column, many, run, value
from storage.rows import LeagueId, LeagueRow
from storage.tables.outbox.outbox_rows import DROPPED, PAUSE, edit


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaguePost:
    """A post with its league."""

    post: PostRow
    league: LeagueRow


with_league = Joined[LeaguePost, PostId](
    LeaguePost, "FROM outbox post JOIN leagues league ON league.id = post.league_id WHERE post.id = ?"
)
"""The post of an id with its league; nothing where there is none."""

begin = Change[datetime](
    "UPDATE outbox SET attempts = 1 WHERE state = 'due' AND message_id IS NULL AND attempts = 0"
    " AND (removed OR due_at <= max(?, (SELECT coalesce(max(created_at), 0) FROM outbox)))"
)
"""Note at the start of the bot that each post that is due, or was when the clock stood later, was perhaps sent.

So was each that was taken back on its way.
"""


def oldest_unsent(conn: Connection, now: datetime) -> datetime | None:
    """Return since when the oldest of the posts waits that are due and have no message, None where none is."""
    sql = (
        "SELECT min(CASE WHEN problem IS NULL THEN due_at ELSE created_at END) FROM outbox"
        " WHERE state = 'due' AND due_at <= ? AND message_id IS NULL AND removed = 0"
    )
    since = value(conn, sql, now)
    return None if since is None else datetime.fromtimestamp(since, UTC)


def due(conn: Connection, now: datetime, elsewhere: Sequence[LeagueId] = ()) -> tuple[QueuedPost, ...]:
    """Return the posts to send, edit or delete now, new ones first, in the order they were queued; none that expired.

    Those of leagues elsewhere aren't among them.
    """
    sql = (
        "SELECT o.id, o.key, o.kind, o.target, o.person_id, o.message_id, o.attempts, o.removed, coalesce(o.channel_id,"
        " CASE o.target WHEN 'league' THEN t.thread_id WHEN 'moderation' THEN l.moderation_channel_id END,"
        " l.channel_id) AS channel_id"
        " FROM outbox o CROSS JOIN leagues l ON l.id = o.league_id"
        " LEFT JOIN thread_matches about ON about.match_id = coalesce(o.match_id, o.facts ->> 'thread_match')"
        " LEFT JOIN threads t ON t.id = about.thread AND t.lost IS NULL"
        " WHERE o.state = 'due' AND o.due_at <= ?1"
        " AND (o.message_id IS NOT NULL OR o.removed OR o.expires_at IS NULL OR o.expires_at > ?1)"
        " AND o.league_id NOT IN (SELECT value FROM json_each(?2)) ORDER BY o.message_id IS NOT NULL, o.id"
    )
    return many(conn, QueuedPost, sql, now, tuple(elsewhere))


def expired(conn: Connection, now: datetime) -> tuple[LeagueId, ...]:
    """Return the leagues with posts that were not sent before they expired."""
    sql = (
        "SELECT league_id FROM outbox WHERE state IN ('due', 'failed') AND message_id IS NULL AND removed = 0"
        " AND expires_at <= ?"
        " ORDER BY expires_at, id"
    )
    return tuple(dict.fromkeys(column(conn, sql, now)))


def expire(conn: Connection, league_id: LeagueId, now: datetime) -> bool:
    """Cancel the posts of a league that were not sent before they expired; False for none."""
    sql = (
        f"UPDATE outbox SET {DROPPED} WHERE state IN ('due', 'failed') AND message_id IS NULL AND removed = 0"
        " AND expires_at <= :now AND league_id = :league"
    )
    return run(conn, sql, now=now, league=league_id) > 0


_BY_LATER_CLOCK = (
    "state = 'due' AND due_at > :now AND (edited_at > :now OR failing_since > :now"
    " OR created_at > :now AND due_at <= created_at AND problem IS NULL"
    " OR due_at > :now + 3600 AND (message_id IS NOT NULL OR removed OR problem IS NOT NULL))"
)
"""A clock that was ahead said when; a post that is planned isn't meant, and none that was tried rests for an hour."""


def waiting_by_later_clock(conn: Connection, now: datetime) -> tuple[LeagueId, ...]:
    """Return the leagues with posts that wait for a time which a clock that was ahead gave them."""
    sql = f"SELECT league_id FROM outbox WHERE {_BY_LATER_CLOCK} ORDER BY due_at, id"
    return tuple(dict.fromkeys(column(conn, sql, now=now)))


def bring_forward(conn: Connection, league_id: LeagueId, now: datetime) -> bool:
    """Make the posts of a league due that wait for a time which a clock that was ahead gave them; False for none."""
    sql = (
        "UPDATE outbox SET due_at = :now, edited_at = min(edited_at, :now), failing_since = min(failing_since, :now)"
        f" WHERE {_BY_LATER_CLOCK} AND league_id = :league"
    )
    return run(conn, sql, now=now, league=league_id) > 0


def sent(conn: Connection, post_id: PostId, *, now: datetime, channel_id: int, message_id: int, version: int) -> None:
    """Note that a message shows this version; it stays due where more is wanted already."""
    sql = (
        "UPDATE outbox SET channel_id = :channel, message_id = :message, shown = max(shown, :version), attempts = 0,"
        " edited_at = CASE WHEN message_id IS NULL THEN NULL ELSE :now END, sent_at = coalesce(sent_at, :now),"
        " problem = NULL, failed_at = NULL, failing_since = NULL,"
        f" due_at = CASE WHEN removed OR message_id IS NULL THEN :now ELSE :now + {PAUSE} END,"
        " state = CASE WHEN max(shown, :version) = wanted THEN 'done' ELSE 'due' END WHERE id = :post"
    )
    edit(conn, sql, now, post=post_id, channel=channel_id, message=message_id, version=version)


removed = One[PostRow, PostId](
    PostRow, "UPDATE outbox SET state = 'withdrawn', message_id = NULL WHERE id = ? RETURNING *"
)
"""Note that a message is deleted, and return its post, or None where there is none any more."""

perhaps_sent = Change[PostId](
    "UPDATE outbox SET attempts = 1 WHERE id = ? AND state = 'due' AND message_id IS NULL AND attempts = 0"
)
"""Note that a post was perhaps sent, so that it's looked for whatever becomes of it."""

failed = Change[PostId, str, datetime, datetime](
    "UPDATE outbox SET attempts = attempts + 1, problem = ?2, failing_since = coalesce(failing_since, ?3), due_at = ?4"
    " WHERE id = ?1 AND state = 'due'"
)
"""Note a failure that passes, and when it was: the post is tried again at a later time."""
