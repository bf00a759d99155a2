"""Season files with the answers any program must give, and what the program answers."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot import answers
from bot.league.checking.fingerprints import fingerprints
from bot.league.checking.league_file.reading import read_playable
from bot.league.checking.verify import verify
from bot.league.errors import LeagueError, PairingImpossible, WrongPhase
from bot.league.season.model import Season
from tests.league.checking.league_file.examples import encoded

FOLDER = Path(__file__).parents[1] / "vectors"
CASES: list[Any] = [
    pytest.param(case, id=f"{file.stem}-{case['id']}")
    for file in sorted(FOLDER.glob("*.json"))
    for case in json.loads(file.read_text(encoding="utf-8"))["cases"]
]
NOT_GIVEN = {"why", "bye_why", "draws", "rating", "tiebreaks"}
"""What the program says more about a round or a player."""


def answer(call: str, season: Season) -> Any:
    """Return what the program answers to a call."""
    if call == "verify":
        return {"exit": 0 if verify(season).agrees else 1}
    if call == "fingerprints":
        return list(fingerprints(season))
    if call == "ladder":
        return answers.ladder(season)
    if call == "pair":
        return answers.next_round(season)
    assert call == "standings"
    return answers.standings_list(season)


def assert_given(expected: Any, found: Any) -> None:
    """Compare what is given, numbers to 9 decimals, tie-breaks as exact as they are."""
    if isinstance(expected, dict):
        assert found.keys() - expected.keys() <= NOT_GIVEN
        for key, value in expected.items():
            assert_given(value, found[key])
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for value, other in zip(expected, found, strict=True):
            assert_given(value, other)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=5e-10)
    elif isinstance(found, dict):
        assert found.get("exact", found["value"]) == expected
    else:
        assert found == expected


@pytest.mark.parametrize("case", CASES)
def test_the_answer_is_the_published_one(case: dict[str, Any]) -> None:
    try:
        found = answer(case["call"], read_playable(encoded(case["input"])))
    except (PairingImpossible, WrongPhase):
        found = {"exit": 1}
    except LeagueError:
        found = {"exit": 2}
    assert_given(case["expected"], found)
