"""What an organiser exported can be sent to `/league import` as it is."""

from typing import Any

import pytest

from tests.cogs.conftest import World, text_of
from tests.cogs.test_taking_out import attached


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
async def test_an_export_is_read_by_import(world: World, kind: str) -> None:
    await world.started(players=4)
    given = await world.organiser.slash(world.channel, "league export", **{"as": kind})
    name, content = await attached(given)
    shown: Any = await world.organiser.slash(world.channel, "league import", file=(name, content))
    assert "Preview: " in text_of(shown), text_of(shown)
    assert "0 new" in text_of(shown)
