"""Readings of the documents that version 0.4 changed: season files with the answers any program must give."""

from typing import Any

import pytest

from bot.league.checking.league_file.reading import read
from tests.league.checking.league_file.examples import encoded
from tests.league.published import FOLDER, answer, cases

VECTORS = FOLDER / "readings4.json"


@pytest.mark.skipif(not VECTORS.exists(), reason="the vectors stand beside the project")
@pytest.mark.parametrize("case", cases(VECTORS), ids=lambda case: case["id"])
def test_the_answer_is_the_published_one(case: dict[str, Any]) -> None:
    if case["call"] == "ladder":
        pytest.skip("ladders are of round robins")
    assert answer(case["call"], read(encoded(case["input"]))) == case["expected"]
