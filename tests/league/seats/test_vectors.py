"""Sit-outs, substitutes and dice-offs: season files with the answers that any program must give."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot import answers
from bot.league.checking.league_file.reading import read
from bot.league.errors import PairingImpossible
from tests.league.checking.league_file.examples import encoded

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("vectors.json").read_text(encoding="utf-8"))["cases"]


def answer(case: dict[str, Any]) -> Any:
    season = read(encoded(case["input"]))
    try:
        return answers.next_round(season) if case["call"] == "pair" else answers.standings_list(season)
    except PairingImpossible:
        return {"exit": 1}


def assert_given(expected: Any, found: Any) -> None:
    """Compare the fields that are given, numbers to 9 decimals."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            assert_given(value, found[key])
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(expected, found, strict=True):
            assert_given(one, other)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=5e-10)
    else:
        assert found == expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_each_answer_is_the_published_one(case: dict[str, Any]) -> None:
    assert_given(case["expected"], answer(case))
