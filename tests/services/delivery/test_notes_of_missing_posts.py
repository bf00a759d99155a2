"""The note about a post that couldn't be made ends with the post, in whatever way that ends, and says how."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from bot import steps
from bot.league.errors import Conflict
from bot.services.base import failed_posts
from bot.services.base.failed_posts import TroublePost
from bot.services.base.order import Order
from bot.services.base.outbox import NOTICE, NoticeFacts, enqueue
from bot.services.delivery import delivery
from bot.services.leagues import set_up
from bot.services.organising import rounds_by_hand
from bot.services.people import forgetting
from bot.services.seasons import lifecycle
from storage.posts import PostRow, Target
from storage.tables.outbox import outbox_rows
from tests.files import change_by_hand, look_into
from tests.services.conftest import ADMIN, CHANNEL, MODERATION, MODERATOR, ORGANISER, World

End = Callable[[World, PostRow], Awaitable[None]]


async def park(world: World, post: PostRow, problem: str = "It's closed.") -> None:
    await world.db.write(delivery.failed, post.id, now=world.now, problem=problem, retry_at=None)


async def show(world: World, post: PostRow, channel_id: int = CHANNEL) -> None:
    version = await world.db.read(lambda conn: outbox_rows.get(conn, post.id).wanted)
    shown = {"channel_id": channel_id, "message_id": post.id, "version": version}
    await world.db.write(delivery.sent, post.id, now=world.now, **shown)


async def noted(world: World) -> PostRow:
    """Return the note about the post that is missing, as it stands in the moderators' channel."""
    (note,) = await world.posts("trouble")
    await show(world, note, MODERATION)
    return note


async def now_says(world: World, note: PostRow) -> TroublePost:
    """Return what an edit of the note says, once the clock has looked."""
    for _ in range(2):  # what expires ends in the first turn of the clock, and is seen in the second
        await steps.tick(world.db, world.later(minutes=1))
    (edit,) = await world.posts("trouble")
    assert edit.message_id == note.id
    facts = await world.shown(edit)
    assert isinstance(facts, TroublePost)
    return facts


async def retried(world: World, post: PostRow) -> None:
    await world.db.write(failed_posts.retry, Order(actor=MODERATOR, now=world.now), post_id=post.id)
    await show(world, post)


async def moved(world: World, post: PostRow) -> None:
    order = Order(actor=ADMIN, now=world.now, league_id=world.league_id)
    await world.db.write(set_up.change, order, changes={"channel_id": 77})
    await show(world, post, 77)


async def dropped(world: World, post: PostRow) -> None:
    await world.db.write(delivery.nothing_to_say, post.id, world.now)


async def deleted(world: World, post: PostRow) -> None:
    with change_by_hand(world.db) as conn:
        outbox_rows.delete(conn, post.id, now=world.now)
    await world.db.write(delivery.deleted, post.id, world.now)


async def undone(world: World, post: PostRow) -> None:
    await world.db.write(rounds_by_hand.undo, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    for other in await world.posts():
        if other.id == post.id and other.removed:
            await world.db.write(delivery.deleted, post.id, world.now)


async def cancelled(world: World, post: PostRow) -> None:
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(lifecycle.cancel, order, reason="closed")


async def expired(world: World, post: PostRow) -> None:
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE outbox SET expires_at = created_at + 1, attempts = 0 WHERE id = ?", (post.id,))
    world.now += timedelta(minutes=5)


@pytest.mark.parametrize(
    ("end", "made"),
    [(retried, True), (moved, True), (dropped, False), (deleted, False), (undone, False), (expired, False)],
)
async def test_a_note_ends_with_the_post_it_is_about(world: World, end: End, made: bool) -> None:
    await world.begin(4)
    (post,) = await world.posts("round")
    await park(world, post)
    note = await noted(world)
    await end(world, post)
    facts = await now_says(world, note)
    assert (facts.missing, facts.made) == (False, made)
    await show(world, note, MODERATION)
    await steps.tick(world.db, world.later(minutes=1))
    assert await world.posts("trouble") == ()
    if not made:
        with pytest.raises(Conflict, match="isn't missing any more"):
            await world.db.write(failed_posts.retry, Order(actor=MODERATOR, now=world.now), post_id=post.id)


async def test_a_note_ends_with_the_season_of_its_post(world: World) -> None:
    await world.begin(4)
    (post,) = await world.posts("round")
    await park(world, post)
    note = await noted(world)
    await cancelled(world, post)
    assert not (await now_says(world, note)).missing


async def test_a_note_about_a_post_to_someone_who_is_forgotten_ends_with_it(world: World) -> None:
    await world.begin(4)
    dok, season = world.player("dok").user_id, (await world.status()).season
    with change_by_hand(world.db) as conn:
        facts = NoticeFacts(text="Your turn.", pings=(dok,))
        enqueue(conn, NOTICE, season, facts, now=world.now, people=[dok], quietly=True)
    post = next(post for post in await world.posts("notice") if post.target is Target.PERSON)
    await park(world, post)
    note = await noted(world)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(forgetting.forget, order, player="dok")
    with look_into(world.db) as conn:
        if outbox_rows.get(conn, post.id).removed:
            await world.db.write(delivery.deleted, post.id, world.now)
    assert not (await now_says(world, note)).missing


async def test_a_note_nobody_has_read_yet_is_not_sent_once_its_post_is_there(world: World) -> None:
    await world.begin(4)
    (post,) = await world.posts("round")
    await park(world, post)
    (note,) = await world.posts("trouble")
    await retried(world, post)
    await steps.tick(world.db, world.later(minutes=1))
    assert await steps.load(world.db, note.id, world.now) is None
    assert await world.posts("trouble") == ()


async def test_a_note_tells_of_the_next_post_that_is_missing_in_its_channel(world: World) -> None:
    await world.begin(4)
    (board,), (post,) = await world.posts("board"), await world.posts("round")
    await park(world, board)
    await park(world, post, "It's full.")
    note = await noted(world)
    await dropped(world, board)
    facts = await now_says(world, note)
    assert (facts.missing, facts.row.id, facts.row.problem) == (True, post.id, "It's full.")
    await show(world, note, MODERATION)
    await retried(world, post)
    assert (await now_says(world, note)).made
