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
SEASONS = 4
"""In which the bot dies while players are asked: after a death a move goes another way, so each dies at a few steps."""
NOT_BEGUN = Plan("round-robin", 3, seed=1, settings=(("schedule", "open"), ("first_match_days", "1"), ("cut", "0")))


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


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_players_who_have_not_begun_are_asked_and_listed_once_wherever_the_bot_dies(tmp_path: Path) -> None:
    """The bot dies at a step of each name while players are asked, while moderators are told, and as one is let be."""
    (tmp_path / "without").mkdir()
    without = await Season(NOT_BEGUN, tmp_path / "without").run()
    assert without.problems == []
    let_be = next(step.move for step in without.steps if step.doing == "entrant.let-be")
    begun = max(step.move for step in without.steps if step.move < let_be and step.doing != "time passes")
    names = {(step.move, step.name): step for step in without.steps[::-1] if begun < step.move <= let_be}
    to_try = sorted(names.values(), key=without.steps.index)
    for turn in range(SEASONS):
        folder = tmp_path / f"{turn}"
        folder.mkdir()
        ended = await Season(NOT_BEGUN, folder, to_try[turn::SEASONS]).run()
        assert ended.kills
        assert differences(without, ended) == []
