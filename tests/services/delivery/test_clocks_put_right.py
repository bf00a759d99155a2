"""A clock that stood ahead is put right: nothing waits until the time that it said."""

from collections.abc import Set
from datetime import timedelta
from itertools import chain
from typing import Any

import pytest

from bot import steps
from bot.services.base.outbox import BOARD
from bot.services.delivery import delivery
from bot.services.organising import timer
from tests.files import do
from tests.services.conftest import ORGANISER, World
from tests.services.delivery.test_delivery import owe_to_moderators, park

AHEAD = timedelta(days=30)
TRIED: dict[str, Any] = {"problem": "No answer.", "channel_closed": True}


async def due(world: World) -> Set[str]:
    """Return the kinds of posts that are due once the clock has looked."""
    await steps.tick(world.db, world.now)
    return {post.kind for post in chain(*(await world.db.read(delivery.due, world.now)).values())}


@pytest.mark.parametrize("edited_ahead", [True, False])
async def test_a_board_is_edited_after_the_clock_was_put_right(world: World, edited_ahead: bool) -> None:
    await world.create()
    await world.announce()
    world.now += AHEAD
    await world.sign_up("Ann")
    if edited_ahead:
        await world.announce()
    world.now += timedelta(minutes=1) - AHEAD
    await world.sign_up("Bo")
    assert BOARD in await due(world)
    await world.announce()
    await world.sign_up("Cy")
    assert BOARD not in await due(world)
    world.later(minutes=1)
    assert BOARD in await due(world), "edits pause as always"


async def test_a_post_that_was_not_sent_is_after_the_clock_was_put_right(world: World) -> None:
    world.now += AHEAD
    await world.create()
    (board,) = await world.posts(BOARD)
    world.now += timedelta(minutes=1) - AHEAD
    assert BOARD in await due(world)

    soon = world.now + timedelta(seconds=30)
    await world.db.write(delivery.failed, board.id, now=world.now, retry_at=soon, **TRIED)
    assert BOARD not in await due(world), "what failed waits a little"
    world.later(minutes=1)
    assert BOARD in await due(world)


async def test_a_post_that_failed_is_tried_again_after_the_clock_was_put_right(world: World) -> None:
    tried, failed = await owe_to_moderators(world), await owe_to_moderators(world)
    world.now += AHEAD
    await world.db.write(delivery.failed, tried.id, now=world.now, retry_at=world.now, **TRIED)
    await park(world, failed)
    world.now += timedelta(minutes=1) - AHEAD
    await due(world)
    assert {post.id for post in chain(*(await world.db.read(delivery.due, world.now)).values())} >= {
        tried.id,
        failed.id,
    }


async def test_a_post_that_is_planned_stays_planned_after_the_clock_was_put_right(world: World) -> None:
    await world.begin(4, pace="live")
    await do(timer.start, db=world.db, actor=ORGANISER, now=world.now, league_id=world.league_id, minutes=60)
    await world.announce()
    planned = await world.posts("clock")
    assert planned
    world.now -= timedelta(days=1)
    assert "clock" not in await due(world)
    assert await world.posts("clock") == planned
