"""Promised posts: what is due, shown, deleted or expired, what went wrong, how often a message is edited at most."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from storage.database import Connection
from storage.posts import PostId, PostRow
from storage.query import Change, One, Rows, Table, Value, many, run, value
from storage.rows import LeagueId, MatchId, RoundId, SeasonId
from storage.tables.rounds import PLAYED_AT_ONCE

_POSTS: Table[PostRow, PostId] = Table(PostRow, "outbox")
get, find, some = _POSTS.get, _POSTS.find, _POSTS.some


EDIT_SECONDS = 10
"""A message is edited at most once in this time."""
OLD_EDIT_SECONDS = 60
"""A message an hour old is edited at most once in this time: Discord limits those harder."""

PAUSE = "CASE WHEN sent_at < :now - 3600 THEN :old_pause ELSE :pause END"
_TRIED = "(message_id IS NULL AND attempts > 0 AND state <> 'withdrawn')"
"""A message was perhaps sent, because an attempt failed; nobody knows which it is."""
PERHAPS = f"({_TRIED} OR message_id IS NULL AND state = 'due' AND due_at <= :now AND kind <> 'thread')"
"""A message was perhaps sent, or is being sent at this moment; the card of a thread that is being made is kept."""
_OUT = (
    " wanted = wanted + 1, due_at = :now,"
    " state = CASE WHEN message_id IS NULL AND NOT {} THEN 'withdrawn' ELSE 'due' END"
)
"""A message that exists is due once more, to be edited or deleted, and one for which a condition holds."""
_TAKE_OUT = _OUT.format(PERHAPS)
"""One that was perhaps sent is due too: it's looked for where an attempt failed, or a life of the bot ended since."""
_SUPERSEDED = f"UPDATE outbox SET superseded = 1, removed = 1,{_TAKE_OUT}"  # another post can have its key
_DROPPED = "wanted = wanted + 1, removed = max(removed, {0}), state = CASE WHEN {0} THEN 'due' ELSE 'withdrawn' END"
DROPPED = _DROPPED.format(PERHAPS)
"""Nothing is queued but the deletion of what was perhaps sent."""
_SHOWN = " AND removed = 0 AND kind IN (SELECT value FROM json_each(:kinds))"
_OF_KEY = "key = :key OR (key > :key || ':' AND key < :key || ';')"
"""A post, and its copies for others."""
_INVALIDATE = (
    "UPDATE outbox SET wanted = wanted + 1,"
    f" due_at = CASE state WHEN 'done' THEN max(:now, coalesce(edited_at + {PAUSE}, 0)) ELSE due_at END,"
    " state = CASE state WHEN 'done' THEN 'due' ELSE state END WHERE state <> 'withdrawn'"
)


def add(
    conn: Connection, *, key: str | None, kind: str, now: datetime, due_at: datetime | None = None, **columns: Any
) -> None:
    """Enqueue a post, now or later, unless one of this key is queued or sent already; without a key it gets its own."""
    if key is None:
        key = f"{kind}:{newest(conn) + 1}:{int(now.timestamp())}"
    columns |= {"key": key, "kind": kind, "created_at": now, "due_at": due_at or now}
    places = ", ".join(f":{name}" for name in columns)
    once = "ON CONFLICT (key) WHERE superseded = 0 DO NOTHING"
    run(conn, f"INSERT INTO outbox ({', '.join(columns)}) VALUES ({places}) {once}", **columns)


def invalidate(
    conn: Connection,
    *kinds: str,
    now: datetime,
    season_id: SeasonId | None = None,
    round_id: RoundId | None = None,
    match_id: MatchId | None = None,
    key: str | None = None,
) -> None:
    """Enqueue a new version of the posts of these kinds about a match, a round or a season, and of the one of a key.

    A round's change shows in the posts about its matches until they are confirmed.
    """
    shown = (
        " AND ((season_id = :season OR round_id = :round OR match_id = :match)"
        " AND kind IN (SELECT value FROM json_each(:kinds)) AND (:round IS NULL OR match_id IS NULL"
        f" OR (SELECT state FROM matches m WHERE m.id = match_id) <> 'confirmed') OR {_OF_KEY})"
    )
    edit(conn, _INVALIDATE + shown, now, season=season_id, round=round_id, match=match_id, kinds=kinds, key=key)


def invalidate_match(
    conn: Connection,
    match_id: MatchId,
    round_id: RoundId,
    page: str,
    *,
    kinds: Sequence[str],
    listing: Sequence[str],
    now: datetime,
) -> None:
    """Enqueue a new version of the posts of these kinds about a match, of those `listing` its round, and of its page.

    Its round, or those played at once with it. It shows in posts about other matches there until they are confirmed.
    """
    shown = (
        " AND (match_id = :match AND kind IN (SELECT value FROM json_each(:kinds))"
        f" OR round_id IN {PLAYED_AT_ONCE} AND kind IN (SELECT value FROM json_each(:listing)) AND (match_id IS NULL"
        " OR (SELECT state FROM matches m WHERE m.id = match_id) <> 'confirmed')"
        f" OR {_OF_KEY})"
    )
    edit(conn, _INVALIDATE + shown, now, match=match_id, round=round_id, key=page, kinds=kinds, listing=listing)


def invalidate_key(conn: Connection, key: str, *, now: datetime, pause: int | None = None) -> None:
    """Enqueue a new version of one post and its copies for others, edited once in so many seconds; with 0 at once."""
    pauses = {} if pause is None else {"pause": pause, "old_pause": pause}
    edit(conn, f"{_INVALIDATE} AND ({_OF_KEY})", now, key=key, **pauses)
    if pause == 0:
        run(conn, "UPDATE outbox SET due_at = min(due_at, ?) WHERE key = ?", now, key)


def reword(conn: Connection, key: str, facts: Mapping[str, Any], *, now: datetime) -> None:
    """Let a post that is queued or shown have other facts; nothing changes where it has these."""
    changed = "SELECT 1 FROM outbox WHERE key = ? AND superseded = 0 AND facts <> json(?)"
    if value(conn, changed, key, facts) is not None:
        run(conn, "UPDATE outbox SET facts = ?2 WHERE key = ?1 AND superseded = 0", key, facts)
        invalidate_key(conn, key, now=now)


def edit(conn: Connection, sql: str, now: datetime, **named: Any) -> None:
    """Run a statement that says when the next edit of a message may come."""
    run(conn, sql, now=now, **{"pause": EDIT_SECONDS, "old_pause": OLD_EDIT_SECONDS, **named})


def remove(
    conn: Connection,
    kinds: Sequence[str],
    *,
    now: datetime,
    league_id: LeagueId | None = None,
    season_id: SeasonId | None = None,
    match_id: MatchId | None = None,
) -> None:
    """Enqueue the deletion of the messages of these kinds about a match, a season or a league; unsent ones aren't sent.

    One that is being sent at this moment is deleted as soon as its message is known.
    """
    about = " WHERE (match_id = :match OR season_id = :season OR league_id = :league)"
    sql = f"UPDATE outbox SET removed = 1,{_TAKE_OUT}{about}{_SHOWN}"
    run(conn, sql, match=match_id, season=season_id, league=league_id, kinds=kinds, now=now)


def remove_with_copies(conn: Connection, key: str, *, now: datetime) -> None:
    """Enqueue the deletion of the post of this key and of all copies of it; they can be queued again.

    So can those whose deletion was queued before.
    """
    run(conn, f"{_SUPERSEDED} WHERE ({_OF_KEY}) AND superseded = 0", key=key, now=now)


def remove_copies_of_others(conn: Connection, key: str, people: Sequence[int], *, now: datetime) -> None:
    """Enqueue the deletion of the copies of a post for others than these people; they can be queued again."""
    copies = "key > :key || ':to:' AND key < :key || ':to;' AND superseded = 0"
    others = "person_id NOT IN (SELECT value FROM json_each(:people))"
    run(conn, f"{_SUPERSEDED} WHERE {copies} AND {others}", key=key, people=people, now=now)


def post_again(
    conn: Connection, season_id: SeasonId, kind: str, fact: str, about: Sequence[int], *, now: datetime
) -> None:
    """Delete a season's messages of a kind that ask about these rows, and enqueue the newest about each once more.

    A post names its row in this fact; without one it's the match the post is about.
    """
    named = f"facts ->> '$.{fact}'" if fact else "match_id"
    shown = (
        "SELECT * FROM outbox WHERE season_id = ? AND kind = ? AND removed = 0"
        f" AND {named} IN (SELECT value FROM json_each(?)) ORDER BY id"
    )
    newest: dict[Any, PostRow] = {}
    for post in many(conn, PostRow, shown, season_id, kind, about):
        newest[post.facts.get(fact, post.match_id)] = post
        remove_with_copies(conn, post.key, now=now)
    for post in newest.values():
        place: dict[str, Any] = {"season_id": post.season_id, "round_id": post.round_id, "match_id": post.match_id}
        whose: dict[str, Any] = {"league_id": post.league_id, "target": post.target}
        add(conn, key=post.key, kind=post.kind, now=now, facts=post.facts, **whose, **place)


free_gone = Change[str](
    "UPDATE outbox SET superseded = 1 WHERE key = ? AND superseded = 0 AND (removed OR state = 'withdrawn')"
)
"""Let a post of a key be queued again if its message is deleted, or is about to be."""


def delete(conn: Connection, post_id: PostId, *, now: datetime) -> None:
    """Enqueue the deletion of a post's message."""
    run(conn, f"UPDATE outbox SET removed = 1,{_TAKE_OUT} WHERE id = :post", post=post_id, now=now)


def retract_kinds(conn: Connection, kinds: Sequence[str], *, league_id: LeagueId, now: datetime) -> None:
    """Enqueue the deletion of a league's messages of these kinds, and free their keys: they can be queued again."""
    run(conn, f"{_SUPERSEDED} WHERE league_id = :league{_SHOWN}", league=league_id, now=now, kinds=kinds)


of_round = Rows[PostRow, RoundId](
    PostRow,
    "SELECT * FROM outbox WHERE round_id = ?1 OR match_id IN (SELECT id FROM matches WHERE round_id = ?1) ORDER BY id",
)
"""The posts about a round or one of its matches."""

of_match = Rows[PostRow, MatchId, Sequence[str]](
    PostRow, "SELECT * FROM outbox WHERE match_id = ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY id"
)
"""The posts of some kinds about a match, those that are deleted too, oldest first."""

decided_together = Rows[PostRow, SeasonId, MatchId](
    PostRow,
    "SELECT * FROM outbox WHERE season_id = ? AND kind = 'decided-together'"
    " AND EXISTS (SELECT 1 FROM json_each(facts, '$.matches') WHERE value = ?) ORDER BY id",
)
"""The posts that tell of a match which was decided together with others, oldest first."""


def withdraw(
    conn: Connection,
    post: PostRow,
    *,
    kind: str,
    facts: Mapping[str, Any],
    delete: bool,
    now: datetime,
    thread_id: int | None = None,
    place: int | None = None,
) -> None:
    """Free a post's key and let go of what it was about; one sent already is queued as another kind, or its deletion.

    One that was perhaps sent, or is being sent at this moment, is looked for and deleted, in a place that is given or
    where it would go now. The other kind is queued, too, where its thread was made but perhaps not its card.
    """
    freed = (
        "UPDATE outbox SET superseded = 1, kind = :kind, facts = :facts, round_id = NULL,"
        f" match_id = NULL, removed = removed OR :delete OR ({PERHAPS} AND :thread IS NULL),"
        " channel_id = coalesce(channel_id, :thread, :place),"
    )
    sql = freed + _OUT.format(f"({PERHAPS} OR :thread IS NOT NULL)") + " WHERE id = :post"
    run(conn, sql, post=post.id, now=now, kind=kind, facts=facts, delete=delete, thread=thread_id, place=place)


def cancel_unsent(
    conn: Connection,
    kinds: Sequence[str],
    *,
    now: datetime,
    season_id: SeasonId | None = None,
    round_id: RoundId | None = None,
) -> None:
    """Cancel the unsent posts about a round or a season, of these kinds or any.

    One that is being sent at this moment is deleted as soon as its message is known.
    """
    sql = (
        f"UPDATE outbox SET {DROPPED}"
        " WHERE state IN ('due', 'failed') AND message_id IS NULL"
        " AND (season_id = :season OR round_id = :round)"
        " AND (:kinds = '[]' OR kind IN (SELECT value FROM json_each(:kinds)))"
    )
    run(conn, sql, season=season_id, round=round_id, kinds=kinds, now=now)


by_message = One[PostRow, int](PostRow, "SELECT * FROM outbox WHERE message_id = ?")
"""The post that a message shows, or None."""

to_come = Rows[PostRow, SeasonId, str, datetime](
    PostRow,
    "SELECT * FROM outbox WHERE season_id = ? AND kind = ? AND state = 'due' AND message_id IS NULL"
    " AND due_at > ? ORDER BY id",
)
"""The posts of a kind about a season that are to be sent later, in order."""

drop = Change[PostId](f"UPDATE outbox SET {_DROPPED.format(_TRIED)} WHERE id = ?")
"""Cancel a post that isn't being sent at this moment; one that was perhaps sent is looked for and deleted."""

newest = Value[int]("SELECT coalesce(max(id), 0) FROM outbox")
"""The id of the post that was queued last, 0 where there is none; ids are never used again."""


def change_account(conn: Connection, league_id: LeagueId, *, old: int, new: int, now: datetime) -> None:
    """Let a league's posts mean another Discord account of the same person.

    Unsent ones go to the new account; a message someone has already stays where it is.
    """
    sql = (
        "SELECT * FROM outbox WHERE league_id = ?1 AND state <> 'withdrawn'"
        " AND (person_id = ?2 OR instr(facts, ?2)) ORDER BY id"
    )
    for post in many(conn, PostRow, sql, league_id, old):
        changed: dict[str, Any] = {"facts": _with_account(post.facts, old, new)}
        if post.removed or post.person_id != old or post.message_id is not None:
            _POSTS.change(conn, post.id, **changed)
        else:
            key = re.sub(f":to:{old}$", f":to:{new}", post.key)
            send_elsewhere(conn, post, now=now, person_id=new, key=key, **changed)


def send_elsewhere(conn: Connection, post: PostRow, *, now: datetime, **changed: Any) -> None:
    """Enqueue an unsent post at another place; a direct message that was perhaps sent is looked for and deleted.

    One can be on its way at this moment, too. So another row queues the post, and this one the deletion.
    """
    perhaps = "SELECT 1 FROM outbox WHERE id = ? AND target = 'person' AND (attempts > 0 OR due_at <= ?)"
    if value(conn, perhaps, post.id, now) is None:
        _POSTS.change(conn, post.id, **changed)
        return
    about = "kind, league_id, season_id, round_id, match_id, expires_at, created_at"
    again = (
        f"INSERT INTO outbox ({about}, key, target, person_id, facts, due_at)"
        f" SELECT {about}, :key, :target, :person_id, :facts, :now FROM outbox WHERE id = :post"
    )
    run(conn, f"{_SUPERSEDED} WHERE id = :post", post=post.id, now=now)
    places = {name: getattr(post, name) for name in ("key", "target", "person_id", "facts")}
    run(conn, again, post=post.id, now=now, **places | changed)


def _with_account(fact: Any, old: int, new: int) -> Any:
    match fact:
        case dict():
            return {name: _with_account(value, old, new) for name, value in fact.items()}
        case list() | tuple():
            return [_with_account(value, old, new) for value in fact]
        case _:
            return new if fact == old else fact


about_waiting = Rows[PostRow](PostRow, "SELECT * FROM outbox WHERE kind = 'waiting' AND removed = 0 ORDER BY league_id")
"""The posts about what waits for moderators that aren't deleted, of all leagues."""

_WANTED = "kind = 'correction' AND removed = 0 AND state <> 'withdrawn'"
wanted_of_match = Rows[PostRow, MatchId](PostRow, f"SELECT * FROM outbox WHERE match_id = ? AND {_WANTED} ORDER BY id")
"""The post that asks for a correction of a match, if one waits."""
wanted_in_season = Rows[PostRow, SeasonId](
    PostRow, f"SELECT * FROM outbox WHERE season_id = ? AND match_id IS NOT NULL AND {_WANTED} ORDER BY id"
)
"""The posts that ask for corrections of a season's matches."""
CORRECTIONS = f"SELECT league_id, match_id AS id, created_at AS since FROM outbox WHERE {_WANTED}"
"""The matches whose correction organisers are asked for, with their league and since when."""
