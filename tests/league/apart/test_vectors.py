"""Players kept apart: season files with the rounds that any program must pair."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot import answers
from bot.league.checking.league_file.reading import read
from tests.league.checking.league_file.examples import encoded

VECTORS = Path(__file__).parents[4] / "shared" / "vectors" / "section11.json"


def cases() -> list[dict[str, Any]]:
    found = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"] if VECTORS.exists() else []
    return [case for case in found if "apart" in case["input"]]


@pytest.mark.skipif(not VECTORS.exists(), reason="the vectors stand beside the project")
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["note"])
def test_each_round_is_the_published_one(case: dict[str, Any]) -> None:
    answer, expected = answers.next_round(read(encoded(case["input"]))), case["expected"]
    assert [match["players"] for match in answer["matches"]] == [match["players"] for match in expected["matches"]]
    assert {key: answer[key] for key in expected if key != "matches"} | {"matches": expected["matches"]} == expected
