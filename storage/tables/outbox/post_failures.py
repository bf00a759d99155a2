"""Promised posts that could not be made: failed until the reason is gone or an hour has passed, or made otherwise.

Otherwise is: in place of a message that is gone, in another channel, for more people.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from storage.database import Connection
from storage.posts import PostId, PostRow
from storage.query import Change, Column, Rows, column, many, one, run, value
from storage.rows import LeagueId

REST = timedelta(hours=1)
"""How long a failed post waits for its next try, if nothing else brings it back."""

_FAIL = (
    "UPDATE outbox SET state = 'failed', problem = :problem, failed_at = coalesce(failed_at, :now),"
    " failing_since = coalesce(failing_since, :now), due_at = :retry, attempts = attempts + 1"
)
"""Any of them can be on its way at this moment: as after an attempt, it's looked for before it is sent."""
_ALIKE = " WHERE league_id = :league AND state = 'failed' AND target = :target AND problem = :problem"
_FIRST = (
    "SELECT * FROM outbox WHERE id IN (SELECT min(id) FROM outbox WHERE state = 'failed' AND {}"
    " GROUP BY league_id, target, problem, CASE WHEN kind = 'thread' AND message_id IS NOT NULL THEN match_id END)"
    " ORDER BY id"
)
"""The first of each channel and reason; each thread that was made is a channel of its own."""


def fail(conn: Connection, post_id: PostId, problem: str, *, now: datetime) -> None:
    """Note that a post failed: it rests for an hour."""
    sql = _FAIL + " WHERE id = :post AND state = 'due'"
    run(conn, sql, problem=problem, now=now, retry=now + REST, post=post_id)


def fail_alike(conn: Connection, post: PostRow, problem: str, *, now: datetime) -> None:
    """Let fail the unsent posts of a league of the same kind as one, because they would fail alike."""
    where = " WHERE league_id = :league AND kind = :kind AND state = 'due' AND message_id IS NULL AND removed = 0"
    run(conn, _FAIL + where, problem=problem, now=now, retry=now + REST, league=post.league_id, kind=post.kind)


def fail_key(conn: Connection, key: str, problem: str, *, now: datetime) -> PostRow | None:
    """Let the post of a key fail, shown or not, and return it as it was; None where there is none."""
    post = one(conn, PostRow, "SELECT * FROM outbox WHERE key = ? AND superseded = 0 AND removed = 0", key)
    if post is not None:
        sql = _FAIL + ", wanted = wanted + 1 WHERE id = :post"
        run(conn, sql, problem=problem, now=now, retry=now + REST, post=post.id)
    return post


retry = Change[PostId, datetime, int](
    "UPDATE outbox SET state = 'due', due_at = ?2, attempts = 1, failed_at = NULL,"
    " shown = CASE WHEN channel_id = ?3 THEN shown ELSE 0 END,"
    " gone = gone + (message_id IS NOT NULL AND channel_id <> ?3),"
    " message_id = CASE WHEN channel_id = ?3 THEN message_id END,"
    " channel_id = CASE WHEN channel_id = ?3 THEN channel_id END WHERE id = ?1 AND state = 'failed'"
)
"""Make a failed post due now; a message in another channel than this is forgotten, so that it is sent again.

One attempt stays noted, so that a message perhaps sent already is looked for. Failing again, it's failed afresh.
"""


def probe(conn: Connection, post: PostRow, *, now: datetime) -> None:
    """Make a failed post due now; those failed like it wait for another hour."""
    run(conn, "UPDATE outbox SET due_at = :retry" + _ALIKE, **_alike(post), retry=now + REST)
    bring_back(conn, post.id, now)


bring_back = Change[PostId, datetime]("UPDATE outbox SET state = 'due', due_at = ?2 WHERE id = ?1")
"""Make a failed post due now; since when it was failed stays noted until it is made."""


def alike(conn: Connection, post: PostRow) -> tuple[PostRow, ...]:
    """Return the posts of a league failed for the same reason as one, in the same channel."""
    return many(conn, PostRow, f"SELECT * FROM outbox{_ALIKE} ORDER BY id", **_alike(post))


def _alike(post: PostRow) -> dict[str, Any]:
    return {"league": post.league_id, "target": post.target, "problem": post.problem}


_RESTED = "(due_at <= {0} OR due_at > {0} + 3600)"
"""It has waited long enough, or a clock that was ahead said until when."""

rested = Column[LeagueId, datetime](
    f"SELECT DISTINCT league_id FROM outbox WHERE state = 'failed' AND {_RESTED.format('?1')} ORDER BY league_id"
)
"""The leagues with posts that have waited long enough for another try."""

first_rested = Rows[PostRow, LeagueId, datetime](PostRow, _FIRST.format(f"league_id = ?1 AND {_RESTED.format('?2')}"))
"""A league's posts that have waited long enough for another try, the first of each channel and reason."""

first_of_guild = Rows[PostRow, int](PostRow, _FIRST.format("league_id IN (SELECT id FROM leagues WHERE guild_id = ?)"))
"""The failed posts of a server's leagues, the first of each channel and reason."""

of_league = Rows[PostRow, LeagueId](
    PostRow, "SELECT * FROM outbox WHERE league_id = ? AND state = 'failed' ORDER BY id"
)
"""A league's failed posts."""

missing = Rows[PostRow, LeagueId](
    PostRow,
    "SELECT * FROM outbox WHERE league_id = ? AND state IN ('due', 'failed') AND problem IS NOT NULL ORDER BY id",
)
"""A league's posts that were tried in vain, whether failed or tried again soon."""


_NOTES = (
    " FROM outbox note INDEXED BY outbox_troubles LEFT JOIN outbox post ON post.id = note.facts ->> 'post_id'"
    " WHERE note.kind = 'trouble' AND note.removed = 0 AND note.state <> 'withdrawn' AND note.facts ->> 'over' IS NULL"
    " AND (post.id IS NULL OR post.problem IS NULL OR post.removed OR post.state NOT IN ('due', 'failed'))"
)
"""The notes of a missing post that don't say yet that it isn't missing any more, in whatever way it ended."""


def leagues_to_tell(conn: Connection, _: datetime) -> tuple[LeagueId, ...]:
    """Return the leagues with a note of a post that isn't missing any more."""
    return column(conn, f"SELECT DISTINCT note.league_id{_NOTES} ORDER BY note.league_id")


notes_to_tell = Rows[PostRow, LeagueId](PostRow, f"SELECT note.*{_NOTES} AND note.league_id = ? ORDER BY note.id")
"""A league's notes of posts that aren't missing any more."""


def add_another(conn: Connection, post: PostRow, *, only: Sequence[int], now: datetime) -> None:
    """Enqueue a post like another, for people it had no room to mention; it's edited and deleted as that one is."""
    sql = (
        "INSERT INTO outbox (key, kind, league_id, season_id, round_id, match_id, target, facts, due_at, expires_at,"
        " created_at) SELECT key || ':more', kind, league_id, season_id, round_id, match_id, target,"
        " json_set(facts, '$.only', json(?2)), ?3, expires_at, created_at FROM outbox WHERE id = ?1"
        " ON CONFLICT (key) WHERE superseded = 0 DO NOTHING"
    )
    run(conn, sql, post.id, only, now)


def is_queued_elsewhere(conn: Connection, post: PostRow) -> bool:
    """Return whether what a post asks is queued or shown in another one: in the channel, or as a direct message."""
    sql = (
        "SELECT 1 FROM outbox WHERE id <> ?1 AND kind = ?2 AND season_id IS ?3 AND match_id IS ?4 AND removed = 0"
        " AND state <> 'withdrawn' AND json_remove(facts, '$.direct', '$.explain')"
        " = (SELECT json_remove(facts, '$.direct', '$.explain') FROM outbox WHERE id = ?1) LIMIT 1"
    )
    return value(conn, sql, post.id, post.kind, post.season_id, post.match_id) is not None


lost = Change[PostId](
    "UPDATE outbox SET message_id = NULL, channel_id = NULL, gone = gone + 1 WHERE id = ? AND state <> 'done'"
)
"""Note that the message of a post is gone, or that one perhaps sent before was made and is gone."""

send_again = Change[int, Sequence[str], datetime](
    "UPDATE outbox SET state = 'due', due_at = ?3, shown = 0, channel_id = NULL, message_id = NULL, gone = gone + 1"
    " WHERE match_id IN (SELECT about.match_id FROM threads t JOIN thread_matches about ON about.thread = t.id"
    " WHERE t.thread_id = ?1) AND channel_id = ?1"
    " AND removed = 0 AND state <> 'withdrawn' AND kind IN (SELECT value FROM json_each(?2))"
)
"""Enqueue the messages of these kinds that were in a channel once more, as new ones, because that channel is gone."""

MISSING = "SELECT league_id, id, failed_at AS since FROM outbox INDEXED BY outbox_failed WHERE state = 'failed'"
"""The posts that wait for someone, with their league and since when."""
LATE = (
    "SELECT league_id, id, failing_since AS since FROM outbox INDEXED BY outbox_missing"
    " WHERE state IN ('due', 'failed') AND problem IS NOT NULL AND state = 'due'"
)
"""The posts that are tried again soon, with their league and since when they fail."""
