"""What the announcer notes of a thread of matches while it makes and keeps it, and what follows once it's lost."""

from collections.abc import Sequence
from datetime import datetime

from bot.services.base import outbox, post_kinds
from bot.services.base.failed_posts import tell_of_trouble
from bot.services.base.outbox import GROUP, THREAD, thread_key
from bot.services.matches import group_cards, views
from storage.database import Connection
from storage.posts import PostId, Target
from storage.rows import MatchId
from storage.tables import threads
from storage.tables.outbox import outbox_rows, post_failures
from storage.tables.threads import Lost, ThreadRow


def begin(conn: Connection, match_id: MatchId, *others: MatchId) -> bool:
    """Note that the thread of a match is about to be made, and of others of its group.

    False where an earlier try may have made it already.
    """
    return threads.begin(conn, match_id, (match_id, *others))


def made(conn: Connection, match_id: MatchId, thread_id: int, *, now: datetime, private: bool = False) -> None:
    """Note which thread was made for a match or its group, and whether only its players and moderators can read it.

    The card of the group leads there from now on.
    """
    threads.note_made(conn, match_id, thread_id, private)
    group_cards.show_thread(conn, match_id, now=now)


def of_no_match(conn: Connection, thread_ids: Sequence[int]) -> frozenset[int]:
    """Return which of these threads no match is known to have."""
    return frozenset(thread_ids) - threads.known(conn, thread_ids)


def rests(conn: Connection, channel_id: int) -> bool:
    """Return whether a channel is a thread that has to be archived, because nothing happens in its match any more."""
    return threads.rests(conn, channel_id) > 0


def added(conn: Connection, match_id: MatchId, people: Sequence[int]) -> None:
    """Note which people are in a match's thread now, by their Discord ids."""
    threads.add_people(conn, match_id, people)


def closed(conn: Connection, post_id: PostId, *, channel_id: int | None, now: datetime, problem: str) -> bool:
    """Let posts about a match go to the channel because its thread is closed to the bot, as one of them showed.

    The organisers are told once and can have it tried again; False where the post wasn't meant for a thread. It was
    meant for `channel_id`: where another post has shown this a moment ago, a new message only goes elsewhere.
    """
    post = outbox_rows.find(conn, post_id)
    if post is None or post.target is not Target.LEAGUE:
        return False
    row = _known(conn, post.thread_match)
    if row is None or not row.works:
        return row is not None and post.message_id is None and row.thread_id is not None and row.thread_id == channel_id
    threads.lose(conn, row.match_id, Lost.CLOSED)
    group_cards.show_thread(conn, row.match_id, now=now)
    opening = post_failures.fail_key(conn, thread_key(row.match_id), problem, now=now)
    if opening is not None and threads.to_play(conn, row.match_id):
        tell_of_trouble(conn, opening, now, channel_closed=False)
    if post.kind == THREAD:
        post_failures.fail_alike(conn, post, problem, now=now)
    return True


def deleted(conn: Connection, thread_id: int, *, now: datetime) -> bool:
    """Let posts about a match go to the channel because its thread was deleted, and ask there what was asked in it.

    The organisers are told, once a round; False where it was the thread of no match.
    """
    row = _known(conn, threads.match_of(conn, thread_id))
    if row is None or row.lost is Lost.DELETED:
        return False
    threads.lose(conn, row.match_id, Lost.DELETED)
    group_cards.show_thread(conn, row.match_id, now=now)
    again = [kind for kind in post_kinds.every() if kind.asked_again]
    post_failures.send_again(conn, thread_id, again, now)
    if threads.to_play(conn, row.match_id):
        view, card = views.match_view(conn, row.match_id), group_cards.of_match(conn, row.match_id)
        whose = view.label if card is None else group_cards.called(GROUP.facts(card).name)
        text = f"The thread of {whose} was deleted. Posts about such a match now come to the league's channel."
        once = f"thread of round {view.round.id} deleted"
        outbox.tell(conn, view.season, text, now=now, target=Target.MODERATION, once=once)
    return True


def gone(conn: Connection, post_id: PostId, *, channel_id: int | None, now: datetime) -> bool:
    """Do what follows where a post showed that its match's thread was deleted; False where it wasn't meant for one.

    It was meant for `channel_id`. Where another post has shown it a moment ago, a new message only goes elsewhere.
    """
    post = outbox_rows.find(conn, post_id)
    row = None if post is None or post.target is not Target.LEAGUE else _known(conn, post.thread_match)
    if post is None or row is None or row.thread_id is None:
        return False
    return deleted(conn, row.thread_id, now=now) or (post.message_id is None and row.thread_id == channel_id)


def _known(conn: Connection, match_id: MatchId | None) -> ThreadRow | None:
    """Return the thread a match has, working or not."""
    return None if match_id is None else threads.find(conn, match_id)
