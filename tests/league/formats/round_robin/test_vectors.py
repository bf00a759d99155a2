"""Round robins: season files with the answers any program must give."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot import answers
from bot.league.checking.league_file.reading import read
from bot.league.checking.verify import verify
from bot.league.errors import LeagueError, PairingImpossible, WrongPhase
from bot.league.season.model import Season
from tests.league.checking.league_file.examples import encoded

VECTORS = Path(__file__).parents[5] / "shared" / "vectors" / "section12.json"


def cases() -> list[dict[str, Any]]:
    return json.loads(VECTORS.read_text(encoding="utf-8"))["cases"] if VECTORS.exists() else []


def answer(call: str, season: Season) -> Any:
    if call == "verify":
        return {"exit": 0 if verify(season).agrees else 1}
    if call == "ladder":
        return answers.ladder(season)
    if call == "pair":
        said = answers.next_round(season)
        for match in said.get("matches", ()):
            del match["why"]
        return {key: value for key, value in said.items() if key != "bye_why"}
    assert call == "standings"
    said = answers.standings_list(season)
    return [
        {key: value for key, value in line.items() if key != "rating"}
        | {"tiebreaks": {key: value["exact"] for key, value in line["tiebreaks"].items()}}
        for line in said
    ]


@pytest.mark.skipif(not VECTORS.exists(), reason="the vectors stand beside the project")
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_the_answer_is_the_published_one(case: dict[str, Any]) -> None:
    try:
        found = answer(case["call"], read(encoded(case["input"])))
    except (PairingImpossible, WrongPhase):
        found = {"exit": 1}
    except LeagueError:
        found = {"exit": 2}
    assert found == case["expected"]
