"""Parked posts: one of those that failed alike is tried, and the others wait for what becomes of it."""

from bot.services.base import parked_posts
from bot.services.delivery import delivery
from storage.tables import notify
from tests.services.conftest import GUILD, World
from tests.services.delivery.test_delivery import owe_to_moderators, park


async def due(world: World) -> list[int]:
    lanes = await world.db.read(delivery.due, world.now)
    return [post.id for posts in lanes.values() for post in posts]


async def test_posts_parked_like_one_that_is_tried_wait_for_another_hour(world: World) -> None:
    tried, other = [await owe_to_moderators(world) for _ in range(2)]
    for post in (tried, other):
        await park(world, post)
    world.later(minutes=40)
    await world.db.write(parked_posts.try_again, guild_id=GUILD, now=world.now)
    await park(world, tried)
    assert not await world.db.write(parked_posts.try_rested, world.league_id, world.later(minutes=40))
    assert await world.db.write(parked_posts.try_rested, world.league_id, world.later(minutes=30))


async def test_closed_direct_messages_are_explained_once(world: World) -> None:
    await world.create()
    await world.sign_up("dok")
    account = world.player("dok").user_id
    assert account is not None
    for first in (True, False):
        assert await world.db.write(notify.explain_refusal, world.league_id, account, world.now) is first
