"""The threads of matches on the practice page: opened and pressed in like channels, and there after a restart."""

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
async def test_threads_are_listed_as_channels_and_are_there_after_a_restart(tmp_path: Path) -> None:
    async with playing(tmp_path) as practice:
        await with_threads(practice, "private")
        world = practice.simulation.world
        before = listed(practice)
        assert len(before) == 4
        assert {len(people) for people in before.values()} == {2}
        ada = world.people[2]
        (mine,) = [thread for thread in world.league.threads if str(ada.id) in before[str(thread.name)]]
        async with practice.simulation.lock:
            await ada.click(mine.history()[0], label="Details")
    async with playing(tmp_path) as practice:
        assert listed(practice) == before
        again = next(thread for thread in practice.simulation.world.league.threads if thread.id == mine.id)
        assert len(again.history()) == 1
