"""A season whose bot is killed at some of its steps ends, says and asks the same as without kills."""

from pathlib import Path

import pytest

from tests.wire.season import Plan, Season, differences

PLANS = {
    "ohs": Plan(),
    "round by round": Plan("round-robin", 5, seed=8, settings=(("group_size", "3"),), eventful=True),
    "all open": Plan(
        "round-robin", 6, seed=9, settings=(("schedule", "open"), ("group_size", "3"), ("scores", "yes")), eventful=True
    ),
}


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
async def test_a_season_killed_at_some_of_its_steps_is_the_same_as_without_kills(tmp_path: Path, plan: Plan) -> None:
    for folder in ("without", "with"):
        (tmp_path / folder).mkdir()
    without = await Season(plan, tmp_path / "without").run()
    assert without.problems == []
    deadly = without.steps[5::101]
    ended = await Season(plan, tmp_path / "with", deadly).run()
    assert len({*ended.killed_at} & {*deadly}) >= 5
    assert differences(without, ended) == []
