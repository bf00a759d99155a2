"""Round robins: season files with the answers any program must give."""

from typing import Any

import pytest

from bot.league.checking.league_file.reading import read
from bot.league.errors import LeagueError, PairingImpossible, WrongPhase
from tests.league.checking.league_file.examples import encoded
from tests.league.published import FOLDER, answer, cases

VECTORS = FOLDER / "section12.json"


@pytest.mark.skipif(not VECTORS.exists(), reason="the vectors stand beside the project")
@pytest.mark.parametrize("case", cases(VECTORS), ids=lambda case: case["id"])
def test_the_answer_is_the_published_one(case: dict[str, Any]) -> None:
    try:
        found = answer(case["call"], read(encoded(case["input"])))
    except (PairingImpossible, WrongPhase):
        found = {"exit": 1}
    except LeagueError:
        found = {"exit": 2}
    assert found == case["expected"]
