"""Looks at who is in and who is out while seasons are played by chance, result by result: no verdict is taken back."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from bot.league.formats import by_key
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import Kind, Match, Name, Season, Stage
from bot.league.summaries.outlook import look_ahead
from bot.league.summaries.outlook.prospects import Outlook, Verdict
from tests.league.builders import as_round, season

SEASONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ohs", {}),
    ("ohs", {"cut": 4}),
    ("two-loss-out", {"cut": 4}),
    ("keyforge-swiss", {"cut": 4, "rounds": 3}),
    ("keyforge-swiss", {"cut": 2, "draws": True, "points": {"win": 3, "draw": 1, "loss": 0, "bye": 3}}),
    ("lightseekers-swiss", {"cut": 4, "rounds": 3}),
    ("round-robin", {"cut": 3, "scores": True}),
    ("round-robin", {"draws": True, "scores": True}),
    ("round-robin", {"group_size": 4, "through": 2, "draws": True, "scores": True}),
    ("round-robin", {"group_size": 3, "cut": 4}),
    ("round-robin", {"group_size": 4, "grouping": "divisions", "cut": 2, "tiebreaks": ["sonneborn-berger"]}),
)


@dataclass(frozen=True)
class Look:
    """What was told of a season, and what after the next result."""

    seed: int
    season: Season
    before: Outlook
    after: Outlook

    def taken_back(self) -> list[Name]:
        """Return the players whose verdict was another one before."""
        known = self.before.players
        sure = [name for name, prospect in known.items() if prospect.verdict is not Verdict.OPEN]
        return [name for name in sure if self.after.players[name].verdict is not known[name].verdict]


def looks(seed: int) -> Iterator[Look]:
    """Yield what is told of a season after each of its results before the finals."""
    chance = Random(f"verdicts/{seed}")
    key, settings = chance.choice(SEASONS)
    most = chance.choice((0, 300, 1_500))
    now = season(key, chance.choice((6, 7, 8, 9)), number=chance.randint(1, 99), **settings)
    before: Outlook | None = None
    while isinstance(next_ := by_key(key).next_round(now), Proposal) and next_.stage is not Stage.FINALS:
        now = replace(now, rounds=(*now.rounds, as_round(next_)))
        while open_ := [number for number, match in enumerate(now.rounds[-1].matches) if match.kind is Kind.OPEN]:
            after = look_ahead(now, True, most=most)
            assert after is not None
            if before is not None:
                yield Look(seed, now, before, after)
            before = after
            now = _with_result(now, chance.choice(open_), chance)
    after = look_ahead(now, True, most=most)
    assert after is not None
    if before is not None:
        yield Look(seed, now, before, after)


def _with_result(now: Season, number: int, chance: Random) -> Season:
    last = now.rounds[-1]
    matches = [*last.matches]
    matches[number] = _decided(now, matches[number], chance)
    return replace(now, rounds=(*now.rounds[:-1], replace(last, matches=tuple(matches))))


def _decided(now: Season, match: Match, chance: Random) -> Match:
    first, second = sorted((chance.randint(0, 3), chance.randint(0, 3)), reverse=True)
    drawn = now.settings.draws and chance.random() < 0.25
    winner = None if drawn else chance.choice(match.players)
    score = (first, first) if drawn else (first, second) if winner == match.upper else (second, first)
    games = None
    if now.format == "lightseekers-swiss":
        games = (2, chance.randint(0, 1)) if winner == match.upper else (chance.randint(0, 1), 2)
    return replace(match, kind=Kind.PLAYED, winner=winner, games=games, score=score if now.settings.scores else None)
