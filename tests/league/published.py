"""Vectors beside the project: season files with the answers any program must give, and what the program answers."""

import json
from pathlib import Path
from typing import Any

from bot import answers
from bot.league.checking.verify import verify
from bot.league.season.model import Season

FOLDER = Path(__file__).parents[3] / "shared" / "vectors"


def cases(file: Path) -> list[dict[str, Any]]:
    """Return the cases of a file; none where it isn't there."""
    return json.loads(file.read_text(encoding="utf-8"))["cases"] if file.exists() else []


def answer(call: str, season: Season) -> Any:
    """Return what a call answers, without reasons and ratings, tie-breaks as exact as they are."""
    if call == "verify":
        return {"exit": 0 if verify(season).agrees else 1}
    if call == "ladder":
        return answers.ladder(season)
    if call == "pair":
        printed = answers.next_round(season)
        for match in printed.get("matches", ()):
            del match["why"]
        return {key: value for key, value in printed.items() if key != "bye_why"}
    assert call == "standings"
    return [
        {key: value for key, value in line.items() if key != "rating"}
        | {"tiebreaks": {key: value.get("exact", value["value"]) for key, value in line["tiebreaks"].items()}}
        for line in answers.standings_list(season)
    ]
