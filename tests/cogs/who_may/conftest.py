"""The crowd that every test of these doors begins with."""

from collections.abc import AsyncIterator
from contextlib import closing

import pytest

from tests.cogs.conftest import World
from tests.cogs.who_may.crowd import Crowd, crowd_of
from tests.cogs.who_may.fingerprint import Watch


@pytest.fixture
async def crowd(world: World) -> AsyncIterator[Crowd]:
    with closing(Watch(world.env.bot.settings.database, 1)) as watch:
        yield await crowd_of(world, watch)
