"""What is behind **Details** of a match: what two players did before it, not after."""

from bot.services.base.order import Order
from bot.services.reads import details
from tests.services.conftest import World


async def test_a_meeting_that_came_later_is_not_one_before(world: World) -> None:
    await world.begin(4, "ohs", rounds=1, cut=0)
    first = await world.match_of("dok")
    await world.play_out()
    await world.create("single-elimination")
    await world.sign_up(*(side.name for side in first.sides))
    await world.start()
    second = await world.match_of("dok")
    await world.play_out()
    order = Order(actor=world.player("dok"), now=world.now, league_id=world.league_id)
    assert (await world.db.read(details.details, order, match=first.match.id)).met == ()
    later = await world.db.read(details.details, order, match=second.match.id)
    assert [one.id for one in later.met] == [first.match.id]
