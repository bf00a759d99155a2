"""Promised posts: which are due, and what becomes of one whose subject is gone."""

import sqlite3
from datetime import timedelta

import pytest

from storage import personal
from storage.database import Connection, Database
from storage.posts import PostRow, Target
from storage.query import run
from storage.tables.outbox import deliveries, outbox_rows
from tests.files import change_by_hand
from tests.storage.scene import NOW, Scene

HOUR = timedelta(hours=1)


def a_post(conn: Connection, scene: Scene) -> PostRow:
    """Enqueue a post that is worth sending for an hour only."""
    enqueue(conn, scene)
    (found,) = deliveries.due(conn, NOW)
    return outbox_rows.get(conn, found.id)


def enqueue(conn: Connection, scene: Scene, key: str = "k") -> None:
    outbox_rows.add(
        conn,
        key=key,
        kind="match",
        league_id=scene.league,
        target=Target.LEAGUE,
        facts={},
        match_id=scene.match,
        now=NOW,
        expires_at=NOW + HOUR,
    )


def to_edit_later(conn: Connection, scene: Scene) -> PostRow:
    """Return a post that was sent, with an edit that is due in two hours."""
    post = a_post(conn, scene)
    deliveries.sent(conn, post.id, now=NOW, channel_id=1, message_id=2, version=post.wanted)
    outbox_rows.invalidate(conn, "match", match_id=scene.match, now=NOW + 2 * HOUR)
    return post


def test_a_post_that_was_not_sent_in_time_is_due_no_more(db: Database) -> None:
    with change_by_hand(db) as conn:
        a_post(conn, Scene.build(conn))
        assert len(deliveries.due(conn, NOW + HOUR - timedelta(seconds=1))) == 1
        assert deliveries.due(conn, NOW + HOUR) == ()


def test_posts_of_a_league_expire_once(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        a_post(conn, scene)
        assert [deliveries.expire(conn, scene.league, NOW + HOUR) for _ in range(2)] == [True, False]


def test_a_post_that_was_sent_in_time_is_still_edited_after_it(db: Database) -> None:
    with change_by_hand(db) as conn:
        post = to_edit_later(conn, Scene.build(conn))
        assert [queued.id for queued in deliveries.due(conn, NOW + 2 * HOUR)] == [post.id]


def test_an_edit_that_is_due_when_the_bot_starts_has_its_first_try_before_it(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        to_edit_later(conn, scene)
        enqueue(conn, scene, "new")
        deliveries.begin(conn, NOW + 2 * HOUR)
        assert [(queued.key, queued.attempts) for queued in deliveries.due(conn, NOW)] == [("new", 1)]
        assert [queued.attempts for queued in deliveries.due(conn, NOW + 2 * HOUR)] == [0]


def test_a_moderators_post_that_goes_with_a_forgotten_person_stays_one_until_it_is_deleted(db: Database) -> None:
    """As one of the league's channel it was taken for a message in a channel the league has left, and stayed there."""
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        outbox_rows.add(
            conn, key="m", kind="match", league_id=scene.league, target=Target.MODERATION, facts={}, now=NOW
        )
        (queued,) = deliveries.due(conn, NOW)
        deliveries.sent(conn, queued.id, now=NOW, channel_id=2, message_id=3, version=1)
        personal.show_again(conn, [queued.id], NOW, delete=True)
        kept = outbox_rows.get(conn, queued.id)
        assert (kept.removed, kept.target) == (True, Target.MODERATION)


def test_new_posts_come_before_edits(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        post = a_post(conn, scene)
        deliveries.sent(conn, post.id, now=NOW, channel_id=1, message_id=2, version=post.wanted)
        outbox_rows.invalidate(conn, "match", match_id=scene.match, now=NOW)
        enqueue(conn, scene, "new")
        assert [queued.key for queued in deliveries.due(conn, NOW)] == ["new", "k"]


def test_a_post_of_one_key_is_owed_once_and_without_a_key_each_time(db: Database) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        queued = {"kind": "notice", "league_id": scene.league, "target": Target.LEAGUE, "facts": {}, "now": NOW}
        for key in ("k", "k", None, None):
            outbox_rows.add(conn, key=key, **queued)
        assert len({post.key for post in deliveries.due(conn, NOW)}) == 3


def test_a_key_is_of_one_post_until_that_is_superseded(db: Database) -> None:
    with change_by_hand(db) as conn:
        first = a_post(conn, Scene.build(conn))
        deliveries.sent(conn, first.id, now=NOW, channel_id=1, message_id=2, version=first.wanted)
        with pytest.raises(sqlite3.IntegrityError, match=r"outbox\.key"):
            run(
                conn,
                "INSERT INTO outbox (key, kind, league_id, target, due_at, created_at)"
                " SELECT key, kind, league_id, target, due_at, created_at FROM outbox WHERE id = ?",
                first.id,
            )
        outbox_rows.remove_with_copies(conn, first.key, now=NOW)
        outbox_rows.add(
            conn, key=first.key, kind=first.kind, league_id=first.league_id, target=first.target, facts={}, now=NOW
        )
        again, deleted = deliveries.due(conn, NOW)
        assert (again.key, again.removed) == (deleted.key, not deleted.removed) == (first.key, False)


@pytest.mark.parametrize("sent", [False, True])
def test_a_post_whose_subject_is_gone_is_edited_if_it_was_sent_and_else_never_sent(db: Database, sent: bool) -> None:
    with change_by_hand(db) as conn:
        scene = Scene.build(conn)
        post = a_post(conn, scene)
        if sent:
            deliveries.sent(conn, post.id, now=NOW, channel_id=1, message_id=2, version=post.wanted)
        outbox_rows.withdraw(conn, post, kind="gone", facts={"text": "gone"}, delete=False, now=NOW)
        after = outbox_rows.get(conn, post.id)
        assert (after.removed, after.kind, after.match_id) == (not sent, "gone", None)
        assert [late.removed for late in deliveries.due(conn, NOW)] == [not sent]
        enqueue(conn, scene)  # its key is free again
        assert len(deliveries.due(conn, NOW)) == 2
