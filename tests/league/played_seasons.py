"""Whole seasons for tests, played by the rules with results that never change."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.league.formats import by_key
from bot.league.league_file.reading import read
from bot.league.model import Kind, Match, Name, Round, Season
from bot.league.proposal import Proposal
from tests.league.builders import as_round
from tests.league.file_examples import encoded

Between = Callable[[Season], Season]
"""What happens before a round is paired: drops, returns."""


def new_season(format_: str, players: int, **fields: Any) -> Season:
    """Return a season nobody has played in yet; the players are P00, P01 and so on."""
    names = [{"name": f"P{number:02}"} for number in range(players)]
    data = {"fairpair": 1, "league": "L", "season": 3, "format": format_, "players": names}
    return read(encoded({**data, **fields}))


def play(season: Season, rounds: int = 50, between: Between = lambda season: season) -> Season:
    """Play on until the season ends or this many rounds are played; the smaller name wins."""
    for _ in range(rounds):
        season = between(season)
        proposal = by_key(season.format).next_round(season)
        if not isinstance(proposal, Proposal):
            break
        season = with_round(season, decided(as_round(proposal)))
    return season


def with_round(season: Season, round_: Round) -> Season:
    """Return the season with one more round."""
    return replace(season, rounds=(*season.rounds, round_))


def decided(round_: Round) -> Round:
    """Return the round with the smaller name as every match's winner."""
    return replace(round_, matches=tuple(_won(match, min(match.players)) for match in round_.matches))


def _won(match: Match, winner: Name) -> Match:
    return replace(match, kind=Kind.PLAYED, winner=winner)
