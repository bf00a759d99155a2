"""Lists and tiers to pair: seeded, so that every run measures the same."""

from collections.abc import Iterable
from itertools import combinations
from random import Random

from bot.league.meetings import Meetings
from bot.league.model import Meeting, Name

FORBIDDEN = 20
CLIQUE = 21
"""The most who can all have met each other with 20 forbidden opponents each."""


def names(size: int) -> list[Name]:
    """Return that many names."""
    return [Name(f"player {number}") for number in range(size)]


def met_before(players: list[Name], *, clique: bool = False) -> Meetings:
    """Return a history of twenty rounds at random; with `clique` the last 21 met exactly each other."""
    met, rng = Meetings(), Random(len(players))
    last = players[-CLIQUE:] if clique else []
    others = players[: len(players) - len(last)]
    for number in range(1, FORBIDDEN + 1):
        shuffled = rng.sample(others, len(others))
        _meet(met, zip(shuffled[::2], shuffled[1::2], strict=False), number)
    _meet(met, combinations(last, 2), FORBIDDEN)
    return met


def _meet(met: Meetings, pairs: Iterable[tuple[Name, Name]], number: int) -> None:
    for pair in pairs:
        met.add(*pair, Meeting(season=1, round=number))
