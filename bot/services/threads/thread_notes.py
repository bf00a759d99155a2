"""What the announcer notes of a match's thread while it makes and keeps it, and what follows once it's lost."""

from collections.abc import Sequence
from datetime import datetime

from bot.league.season.phases import MatchState
from bot.services.base import promises
from bot.services.base.parked_posts import tell_of_trouble
from bot.services.base.post_kinds import PostKind
from bot.services.base.promises import thread_key
from bot.services.matches import views
from bot.services.matches.views import MatchView
from storage.database import Connection, Database
from storage.posts import PostId, Target
from storage.rows import MatchId
from storage.tables import outbox, parked, threads
from storage.tables.threads import Lost

ASKING = (PostKind.QUESTION, PostKind.TIMES)
"""What is asked again in the league's channel where the thread it was asked in is deleted."""


async def begin(db: Database, match_id: MatchId) -> bool:
    """Note that a thread is about to be made; False where an earlier try may have made it already."""
    async with db.transaction() as conn:
        return await threads.begin(conn, match_id)


async def made(db: Database, match_id: MatchId, thread_id: int) -> None:
    """Note which thread was made for a match."""
    async with db.transaction() as conn:
        await threads.made(conn, match_id, thread_id)


async def of_no_match(db: Database, thread_ids: Sequence[int]) -> frozenset[int]:
    """Return which of these threads no match is known to have."""
    async with db.snapshot() as conn:
        return frozenset(thread_ids) - await threads.known(conn, thread_ids)


async def added(db: Database, match_id: MatchId, people: Sequence[int]) -> None:
    """Note which people are in a match's thread now, by their Discord ids."""
    async with db.transaction() as conn:
        await threads.add_people(conn, match_id, people)


async def closed(db: Database, post_id: PostId, *, now: datetime, problem: str) -> bool:
    """Let posts about a match go to the channel because its thread is closed to the bot, as one of them showed.

    The organisers are told once and can have it tried again; False where the post wasn't meant for a thread.
    """
    async with db.transaction() as conn:
        post = await outbox.find(conn, post_id)
        if post is None or post.target is not Target.LEAGUE:
            return False
        view = await _in_thread(conn, post.match_id)
        if view is None:
            return False
        await threads.lose(conn, view.match.id, Lost.CLOSED)
        opening = await parked.park_key(conn, thread_key(view.match.id), problem, now=now)
        if opening is not None and view.match.state is not MatchState.CONFIRMED:
            await tell_of_trouble(conn, opening, now, channel_closed=False)
        if post.kind == PostKind.THREAD:
            await parked.park_alike(conn, post, problem, now=now)
        return True


async def deleted(db: Database, thread_id: int, *, now: datetime) -> bool:
    """Let posts about a match go to the channel because its thread was deleted, and ask there what was asked in it.

    The organisers are told, once a round; False where it was the thread of no match.
    """
    async with db.transaction() as conn:
        view = await _in_thread(conn, await threads.match_of(conn, thread_id))
        if view is None:
            return False
        await threads.lose(conn, view.match.id, Lost.DELETED)
        await parked.send_again(conn, thread_id, ASKING, now=now)
        if view.match.state is not MatchState.CONFIRMED:
            text = (
                f"The thread of {view.label} was deleted. Posts about such a match now come to "
                f"<#{view.league.channel_id}>."
            )
            once = f"thread of round {view.round.id} deleted"
            await promises.tell(conn, view.season, text, now, Target.MODERATION, once=once)
        return True


async def gone(db: Database, post_id: PostId, *, now: datetime) -> bool:
    """Do what follows where a post showed that its match's thread was deleted; False where it wasn't meant for one."""
    async with db.snapshot() as conn:
        post = await outbox.find(conn, post_id)
        match_id = None if post is None or post.target is not Target.LEAGUE else post.match_id
        row = None if match_id is None else await threads.find(conn, match_id)
    thread_id = None if row is None else row.thread_id
    return thread_id is not None and await deleted(db, thread_id, now=now)


async def _in_thread(conn: Connection, match_id: MatchId | None) -> MatchView | None:
    """Return a match whose thread worked until now."""
    row = None if match_id is None else await threads.find(conn, match_id)
    return await views.match_view(conn, row.match_id) if row is not None and row.works else None
