"""The threads of matches on the practice page: opened and pressed in like channels."""

from pathlib import Path
from typing import Any

import pytest

from tests.cogs.conftest import labels, message_text, selects_of, text_of
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


@pytest.mark.long
async def test_a_player_reports_in_the_thread_of_their_group(tmp_path: Path) -> None:
    async with playing(tmp_path) as practice:
        await practice.open("round-robin", schedule="open", group_size=4, match_places="threads")
        await practice.sign_up()
        await practice.organise("season start")
        await practice.step()
        world = practice.simulation.world
        channels: list[Any] = practice.simulation.preview.bar.facts()["channels"]
        names = [thread["name"] for thread in channels if str(thread["name"]).startswith("Group ")]
        assert [str(name)[:7] for name in names] == ["Group A", "Group B"]
        ada = world.people[2]
        openings = [(thread, thread.history()[0]) for thread in world.league.threads]
        thread, opening = next(each for each in openings if f"<@{ada.id}>" in message_text(each[1]))
        async with practice.simulation.lock:
            mine = await ada.click(opening, label="My matches")
            asked = await ada.click(opening, label="Report")
        assert labels(mine.response).count("Report") == 3
        ((custom_id, options),) = selects_of(asked.response).items()
        async with practice.simulation.lock:
            form = await ada.select(asked.response, values=[options[0].value], custom_id=custom_id)
            answer = await ada.submit_modal(form, {"result": "won"})
        await practice.step()
        assert "Got it: you won against" in text_of(answer)
        assert "Is that right?" in message_text(thread.history()[-1])
