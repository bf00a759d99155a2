"""When lists are due moves with a pause."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.services.base.ask_first import AskFirst
from bot.services.seasons import pausing
from storage.tables import lists
from tests.files import do, look_into
from tests.services.conftest import ORGANISER, World
from tests.services.seasons.test_pausing import WEEK, current, end, pause, tick


async def test_due_dates_of_lists_move_with_the_pause(world: World) -> None:
    rules = {"number": 1, "per": "round", "due_hours": 48, "secret": "due"}
    await world.begin(4, lists=rules)
    start = world.now
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "until": world.now + WEEK}
    with pytest.raises(AskFirst, match="Lists are due that much later too"):
        await do(pausing.pause, db=world.db, **who, agreed="")
    await pause(world, days=10)
    assert await lists_due(world) == start + timedelta(days=12)
    world.later(days=4)
    await end(world)
    assert await lists_due(world) == start + timedelta(days=6)
    world.later(days=1)
    await tick(world)
    assert not await world.posts("seals")
    world.later(days=1, minutes=1)
    await tick(world)
    assert await world.posts("lists-missing")


async def lists_due(world: World) -> datetime | None:
    row = (await current(world)).round
    with look_into(world.db) as conn:
        scope = lists.set_of(conn, row.season_id, row.number)
    assert scope is not None
    return scope.due_at
