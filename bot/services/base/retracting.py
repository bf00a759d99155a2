"""What becomes of the posts of a round that is undone, and of the thread of a match that isn't played."""

from collections.abc import Sequence
from datetime import datetime

from bot.services.base.addresses import working_thread
from bot.services.base.outbox import GROUP, ROUND, THREAD, THREAD_OVER, WITHDRAWN, NoticeFacts
from storage.database import Connection
from storage.facts import written
from storage.posts import PostRow
from storage.rows import MatchId, RoundId
from storage.tables import threads
from storage.tables.outbox import outbox_rows


def replace_sent(
    conn: Connection, round_id: RoundId, match_ids: Sequence[MatchId], text: str, *, now: datetime
) -> None:
    """Cancel the posts of a round that is about to be deleted: of those people have seen, the first shows this text.

    So does each direct message about the round, and the card of each thread of its matches, which are forgotten; the
    other messages are deleted.
    """
    keys: set[int | None] = set()
    for post in outbox_rows.of_round(conn, round_id):
        if post.kind == THREAD:
            end_thread(conn, post, text, now=now)
            continue
        once = post.kind in (ROUND, GROUP) and post.person_id not in keys
        if once and post.message_id is not None:
            keys.add(post.person_id)
        outbox_rows.withdraw(
            conn,
            post,
            kind=WITHDRAWN,
            facts=written(NoticeFacts(text=text)),
            delete=not once,
            now=now,
            place=working_thread(conn, post),
        )
    threads.forget(conn, match_ids)


def end_thread(conn: Connection, post: PostRow, text: str, *, now: datetime) -> None:
    """Let the card of a thread say why it's over; the thread is archived, with what people wrote in it.

    Also one that was made a moment ago, whose card isn't there yet.
    """
    row = None if post.match_id is None else threads.find(conn, post.match_id)
    thread_id = None if row is None or not row.works else row.thread_id
    outbox_rows.withdraw(
        conn, post, kind=THREAD_OVER, facts=written(NoticeFacts(text=text)), delete=False, now=now, thread_id=thread_id
    )
