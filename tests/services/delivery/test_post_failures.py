"""Parked posts: one of those that failed alike is tried, and the others wait for what becomes of it."""

from datetime import timedelta
from typing import Any

from bot.services.base import failed_posts
from bot.services.delivery import delivery
from bot.services.organising import announcing
from bot.services.people import notifying
from storage.posts import Target
from storage.tables.people import notify
from storage.tables.people.notify import How, Topic
from tests.files import do, see
from tests.services.conftest import GUILD, ORGANISER, World
from tests.services.delivery.test_delivery import owe_to_moderators, park


async def due(world: World) -> list[int]:
    lanes = await world.db.read(delivery.due, world.now)
    return [post.id for posts in lanes.values() for post in posts]


async def test_posts_parked_like_one_that_is_tried_wait_for_another_hour(world: World) -> None:
    tried, other = [await owe_to_moderators(world) for _ in range(2)]
    for post in (tried, other):
        await park(world, post)
    world.later(minutes=40)
    await world.db.write(failed_posts.try_again, guild_id=GUILD, now=world.now)
    await park(world, tried)
    assert not await world.db.write(failed_posts.try_rested, world.league_id, world.later(minutes=40))
    assert await world.db.write(failed_posts.try_rested, world.league_id, world.later(minutes=30))


async def test_a_post_that_is_tried_again_soon_does_not_wait_for_a_parked_one(world: World) -> None:
    failed, soon = [await owe_to_moderators(world) for _ in range(2)]
    await park(world, failed)
    failed: Any = {"now": world.now, "problem": "It's closed.", "retry_at": world.now + timedelta(minutes=1)}
    await world.db.write(delivery.failed, soon.id, **failed)
    await world.db.write(failed_posts.try_again, guild_id=GUILD, now=world.now)
    world.later(minutes=1)
    assert soon.id in await due(world)


async def test_posts_parked_because_of_another_are_looked_for_as_they_may_be_on_their_way(world: World) -> None:
    """A match's card was being sent when that of another match was refused: later it stood twice in its thread."""
    await world.begin(4, match_places="threads")
    refused, on_its_way = await world.posts("thread")
    await park(world, refused)
    failed: Any = {"now": world.now, "problem": "No answer.", "retry_at": world.now}
    await world.db.write(delivery.failed, on_its_way.id, **failed)
    await world.db.write(failed_posts.try_rested, world.league_id, world.later(hours=2))
    again = await world.db.read(delivery.row, on_its_way.id)
    assert again.attempts > 0


async def test_a_direct_message_refused_after_one_was_perhaps_sent_is_deleted_there(world: World) -> None:
    await world.create()
    await world.sign_up("dok")
    who: Any = {"actor": world.player("dok"), "now": world.now, "league_id": world.league_id}
    await do(notifying.choose, db=world.db, **who, topic=Topic.NEWS, how=How.DIRECT)
    await do(announcing.announce, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, text="hi")
    (post,) = [post for post in await world.posts("announcement") if post.target is Target.PERSON]
    failed: Any = {"now": world.now, "problem": "No answer.", "retry_at": world.now}
    await world.db.write(delivery.failed, post.id, **failed)
    await world.db.write(delivery.refused, post.id, world.now)
    queued = [(each.target, each.removed) for each in await world.posts("announcement") if each.person_id is not None]
    assert queued == [(Target.PERSON, True), (Target.LEAGUE, False)]
    await world.db.write(delivery.refused, post.id, world.now)  # their direct messages can't be opened at all
    queued = [(each.target, each.removed) for each in await world.posts("announcement") if each.person_id is not None]
    assert queued == [(Target.LEAGUE, False)]


async def test_closed_direct_messages_are_explained_once(world: World) -> None:
    await world.create()
    await world.sign_up("dok")
    account = world.player("dok").user_id
    assert account is not None
    for first in (True, False):
        assert await world.db.write(notify.explain_refusal, world.league_id, account, world.now) is first


async def test_direct_messages_that_get_through_again_are_not_called_closed(world: World) -> None:
    await world.create()
    await world.sign_up("dok")
    who: Any = {"actor": world.player("dok"), "now": world.now, "league_id": world.league_id}
    await do(notifying.choose, db=world.db, **who, topic=Topic.NEWS, how=How.DIRECT)

    async def told(*, closed: bool) -> bool:
        """Tell them something, and return whether it's explained that their direct messages are closed."""
        world.later(minutes=2)
        await do(announcing.announce, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, text="hi")
        (post,) = [post for post in await world.posts("announcement") if post.target is Target.PERSON]
        if closed:
            await world.db.write(delivery.refused, post.id, world.now)
        return any(made.explain for made in await world.announce())

    async def is_called_closed() -> bool:
        return (await see(notifying.choices, db=world.db, **who)).refused

    assert [await told(closed=True), await is_called_closed()] == [True, True]
    assert [await told(closed=True), await is_called_closed()] == [False, True]
    assert [await told(closed=False), await is_called_closed()] == [False, False]
    assert [await told(closed=True), await is_called_closed()] == [True, True]
