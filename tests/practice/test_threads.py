"""The threads of matches on the practice page: opened and pressed in like channels."""

from pathlib import Path
from typing import Any

import pytest

from tests.practice.stage import Practice, playing


async def with_threads(practice: Practice, places: str) -> None:
    await practice.open("ohs", match_places=places)
    await practice.sign_up()
    await practice.organise("season start")
    await practice.step()


def listed(practice: Practice) -> dict[str, list[str]]:
    """Return the people who can open each thread, by its name."""
    channels: list[Any] = practice.simulation.preview.bar.facts()["channels"]
    return {one["name"]: one["people"] for one in channels if str(one["name"]).startswith("Round 1")}


@pytest.mark.long
async def test_threads_are_listed_as_channels_for_those_who_see_them(tmp_path: Path) -> None:
    async with playing(tmp_path) as practice:
        await with_threads(practice, "private")
        world = practice.simulation.world
        before = listed(practice)
        assert len(before) == 4
        assert {len(people) for people in before.values()} == {2}
        ada = world.people[2]
        (mine,) = [thread for thread in world.league.threads if str(ada.id) in before[str(thread.name)]]
        async with practice.simulation.lock:
            answer = await ada.click(mine.history()[0], label="Details")
        assert answer.response is not None
