"""A process leaves the leagues of other shards alone: no deadline passes there, and no post is made."""

from bot import steps
from bot.services.delivery import delivery
from storage.database import Shards
from storage.shards import servers_elsewhere
from tests.files import look_into
from tests.services.conftest import GUILD, World

COUNT = 4
OURS = (GUILD >> 22) % COUNT


async def test_the_clock_and_the_posts_leave_leagues_of_other_shards_alone(world: World) -> None:
    await world.begin(4)
    world.later(days=30)
    world.db.shards = Shards(tuple(shard for shard in range(COUNT) if shard != OURS), COUNT)
    before = await world.audit()
    assert await steps.tick(world.db, world.now) == 0
    assert await world.db.read(delivery.due, world.now, world.db.shards) == {}
    assert await world.audit() == before
    with look_into(world.db) as conn:
        assert servers_elsewhere(conn, world.db.shards) == (GUILD,)
    world.db.shards = Shards((OURS,), COUNT)
    assert await steps.tick(world.db, world.now) > 0
    assert await world.db.read(delivery.due, world.now, world.db.shards)
