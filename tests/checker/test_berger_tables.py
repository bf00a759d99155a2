"""Both engines pair each round of 3 to 24 players as the Berger tables list it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bot import answers
from bot.league.checking.league_file.reading import read
from bot.league.counting.draw import Draw, Purpose
from bot.league.season.model import Name
from tests.checker.engines import answered
from tests.league.formats.round_robin.test_berger import listed


@pytest.mark.long
def test_both_engines_pair_as_the_tables_list_it() -> None:
    seasons = [season for players in range(3, 25) for season in _begun(players)]
    texts = [json.dumps(facts) for facts, _ in seasons]
    for text, (_, pairs), found in zip(texts, seasons, answered(texts), strict=True):
        for pair in (found["pair"], answers.next_round(read(text.encode()))):
            assert sorted(match["players"] for match in pair["matches"]) == sorted(pairs), text


def _begun(players: int) -> Iterator[tuple[dict[str, Any], list[list[Name]]]]:
    """Yield a season before each round, and who meets in it by the table."""
    names = [Name(f"P{number}") for number in range(1, players + 1)]
    numbered = Draw(season=1, round=1).sort(Purpose.ORDER, names)
    facts = {"fairpair": 1, "league": "L", "season": 1, "format": "round-robin", "settings": {}, "departures": []}
    rounds = list[dict[str, Any]]()
    for number, round_ in enumerate(listed(players), start=1):
        pairs = [[numbered[upper - 1], numbered[lower - 1]] for upper, lower in round_]
        yield {**facts, "players": [{"name": name} for name in names], "rounds": [*rounds]}, pairs
        matches = [{"players": pair, "winner": pair[0], "games": None, "kind": "played"} for pair in pairs]
        rounds.append({"number": number, "stage": "regular", "bye": None, "matches": matches})
