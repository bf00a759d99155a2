"""A season whose bot is killed at random moments ends, says and asks the same as without kills."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.wire.season import Plan, Season, differences

PLAN = Plan(
    "lightseekers-swiss",
    players=6,
    seed=3,
    settings=(("match_places", "threads"), ("lists", "1 season 0 due"), ("scores", "yes")),
    eventful=True,
)


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_a_season_killed_at_random_moments_is_the_same_as_without_kills(tmp_path: Path) -> None:
    for folder in ("without", "with"):
        (tmp_path / folder).mkdir()
    without = await Season(PLAN, tmp_path / "without").run()
    assert without.problems == []
    ended = await Season(replace(PLAN, at_random=0.25, nonces=False), tmp_path / "with").run()
    assert ended.kills >= 5
    assert differences(without, ended) == []
