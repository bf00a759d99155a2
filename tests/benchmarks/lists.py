"""Lists, tiers, groups and brackets to pair: seeded, so that every run measures the same."""

from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import NamedTuple

import networkx as nx

from bot.league.counting.draw import Draw
from bot.league.counting.meetings import Meetings
from bot.league.formats.swiss.score_groups import Group, pair_groups, score_groups
from bot.league.season.model import Meeting, Name

FORBIDDEN = 20
CLIQUE = 21
"""The most who can all have met each other with 20 forbidden opponents each."""
PLAYED = 5
"""The rounds of a typical season before the round that is measured."""


class Typical(NamedTuple):
    """A season after some rounds by score, before the next."""

    scores: dict[Name, int]
    met: Meetings
    draw: Draw

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups of equal score, best first."""
        return score_groups(self.scores, self.draw, unit=("point", "points"))

    @property
    def order(self) -> list[Name]:
        """Everyone, the best first."""
        return [name for group in self.groups for name in group.names]


def names(size: int) -> list[Name]:
    """Return that many names."""
    return [Name(f"player {number}") for number in range(size)]


def typical(size: int) -> Typical:
    """Return a season of players who are all equally strong."""
    random, met, scores = Random(size), Meetings(), dict.fromkeys(names(size), 0)
    for number in range(1, PLAYED + 1):
        season = Typical(scores, met, Draw(season=1, round=number))
        for pair in pair_groups(season.groups, met, season.draw):
            met.add(*pair.players, Meeting(season=1, round=number))
            scores[random.choice(pair.players)] += 1
    return Typical(scores, met, Draw(season=1, round=PLAYED + 1))


def most_have_met(players: list[Name]) -> Meetings:
    """Return a history in which six of ten players, taken at random, have all met each other."""
    met, rng = Meetings(), Random(len(players))
    for pair in combinations(rng.sample(players, len(players) * 6 // 10), 2):
        met.add(*pair, Meeting(season=1, round=1))
    return met


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


def met_all_but(players: list[Name], allowed: Iterable[tuple[int, int]]) -> Meetings:
    """Return a history in which only these pairs, by position, haven't met."""
    met, new = Meetings(), {frozenset(pair) for pair in allowed}
    pairs = (pair for pair in combinations(range(len(players)), 2) if frozenset(pair) not in new)
    _meet(met, ((players[one], players[other]) for one, other in pairs), FORBIDDEN)
    return met


def few_left(size: int, opponents: int) -> list[tuple[int, int]]:
    """Return the pairs who haven't met where everyone has so many opponents left, at random."""
    return list(nx.random_regular_graph(opponents, size, seed=1).edges)


def half_who_need_the_others(size: int) -> list[tuple[int, int]]:
    """Return the pairs who haven't met where the lower half has: each time one is stuck all pairs are undone."""
    half = size // 2
    return [(one, other) for one, other in combinations(range(size), 2) if one < half]


def _meet(met: Meetings, pairs: Iterable[tuple[Name, Name]], number: int) -> None:
    for pair in pairs:
        met.add(*pair, Meeting(season=1, round=number))
