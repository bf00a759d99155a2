"""Seasons in every format in which everyone does what they like: nothing is lost, no one gets more than they may."""

import pytest

from bot.league.formats import ALL
from tests.model.doors import use_cases
from tests.model.playing import Plan, play
from tests.model.walk import TALLY

SEEDS = range(20)
"""Enough for each use case to be carried out; `python -m tests.model` walks on."""


@pytest.mark.parametrize("format_", [format_.key for format_ in ALL])
async def test_a_league_holds_whatever_its_people_do(format_: str) -> None:
    await play(Plan(format=format_, seed=SEEDS[0]))


@pytest.mark.long
@pytest.mark.timeout(1200)
async def test_leagues_hold_and_every_use_case_was_asked_for_and_nearly_all_carried_out() -> None:
    for seed in SEEDS:
        for format_ in ALL:
            await play(Plan(format=format_.key, seed=seed))
    assert use_cases() - {name for name, _ in TALLY} == set()
    refused = use_cases() - {name for name, outcome in TALLY if outcome == "done"}
    assert len(refused) < len(use_cases()) / 8, refused
