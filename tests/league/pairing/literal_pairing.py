"""Slow, literal versions of the pairing procedures (docs/formats/shared.md and ohs.md), to compare the engine with.

Written from the rules alone: no kept matching; whether the rest can be paired is asked of networkx each time.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import combinations, takewhile
from random import Random
from typing import NamedTuple

import networkx as nx

from bot.league.counting.meetings import Meetings
from bot.league.season.model import Meeting, Name

Forbidden = frozenset[frozenset[Name]]
Pairs = list[tuple[Name, Name]]
MEETING = Meeting(season=6, round=2)


def players(count: int) -> list[Name]:
    """Return that many names."""
    return [Name(f"p{number:02}") for number in range(count)]


def random_history(names: Sequence[Name], density: float, seed: int) -> Forbidden:
    """Return pairs that met, each with the same probability."""
    rng = Random(seed)
    return frozenset(frozenset(pair) for pair in combinations(names, 2) if rng.random() < density)


def meetings(forbidden: Iterable[Iterable[Name]]) -> Meetings:
    """Return a history of these pairs."""
    met = Meetings()
    for pair in forbidden:
        met.add(*pair, MEETING)
    return met


def matching_size(names: Sequence[Name], forbidden: Forbidden) -> int:
    """Return the most pairs without a rematch, by networkx."""
    graph = nx.Graph()
    graph.add_edges_from(pair for pair in combinations(names, 2) if frozenset(pair) not in forbidden)
    return len(nx.max_weight_matching(graph, maxcardinality=True))


def fewest_by_force(names: Sequence[Name], forbidden: Forbidden) -> int:
    """Return the fewest rematches of all pairings, by trying them all."""
    if not names:
        return 0
    first, *rest = names
    return min(
        (frozenset((first, other)) in forbidden) + fewest_by_force([name for name in rest if name != other], forbidden)
        for other in rest
    )


class Stuck(NamedTuple):
    """Who was left for a player who may meet none of them, the pairs undone, earliest first, who was tried in vain."""

    left: list[Name]
    undone: Pairs
    failed: list[Name]


class Literal:
    """The frame both procedures share: pairs set one after another, undone when someone is stuck."""

    def __init__(self, order: Sequence[Name], forbidden: Forbidden) -> None:
        self.order = list(order)
        self.forbidden = forbidden
        self.pairs: Pairs = []
        self.stuck: dict[Name, Stuck] = {}
        self.fewest = self.at_least([])

    def met(self, one: Name, other: Name) -> bool:
        return frozenset((one, other)) in self.forbidden

    def unpaired(self, pairs: Pairs) -> list[Name]:
        return [name for name in self.order if not any(name in pair for pair in pairs)]

    def at_least(self, pairs: Pairs) -> int:
        """Return the fewest rematches of a complete pairing that holds these pairs."""
        rest = self.unpaired(pairs)
        return sum(self.met(*pair) for pair in pairs) + len(rest) // 2 - matching_size(rest, self.forbidden)

    def costs_more(self, chooser: Name, other: Name) -> bool:
        """Whether there are more rematches than needed if these two meet."""
        return self.at_least([*self.pairs, (chooser, other)]) > self.fewest

    def run(
        self,
        first_choice: Callable[[Name, list[Name]], Name | None],
        last_resorts: Callable[[Name, list[Name], Pairs], list[Name]],
    ) -> None:
        while unpaired := self.unpaired(self.pairs):
            chooser = unpaired[0]
            chosen = first_choice(chooser, unpaired)
            if chosen is None:
                undone: Pairs = []
                left = unpaired[1:]
                while self.at_least(self.pairs) > self.fewest:
                    undone.append(self.pairs.pop())
                resorts = last_resorts(chooser, self.unpaired(self.pairs), undone)
                failed = [*takewhile(partial(self.costs_more, chooser), resorts)]
                chosen = resorts[len(failed)]
                self.stuck[chooser] = Stuck(left, undone[::-1], failed)
            self.pairs.append((chooser, chosen))


def literal_list(order: Sequence[Name], forbidden: Forbidden) -> Pairs:
    """Pair a list word for word."""
    return walked_list(order, forbidden).pairs


def walked_list(order: Sequence[Name], forbidden: Forbidden) -> Literal:
    """Pair a list word for word, and return the way to its pairs."""
    walk = Literal(order, forbidden)

    def first_choice(chooser: Name, unpaired: list[Name]) -> Name | None:
        return next((other for other in unpaired[1:] if not walk.met(chooser, other)), None)

    def last_resorts(chooser: Name, unpaired: list[Name], undone: Pairs) -> list[Name]:
        freed = [name for pair in reversed(undone) for name in pair]
        return [name for name in freed if not walk.met(chooser, name)] + [
            name for name in unpaired if name != chooser and walk.met(chooser, name)
        ]

    walk.run(first_choice, last_resorts)
    return walk


def literal_tier(by_sos: Sequence[Name], ranking: Sequence[Name], forbidden: Forbidden) -> Pairs:
    """Pair a 0- or 1-loss tier word for word, with A, B, C and both halves."""
    return walked_tier(by_sos, ranking, forbidden).pairs


def walked_tier(by_sos: Sequence[Name], ranking: Sequence[Name], forbidden: Forbidden) -> Literal:
    """Pair a tier word for word, and return the way to its pairs."""
    walk = Literal(by_sos, forbidden)
    worst_first = list(reversed(ranking))

    def passes(a: Name, b: Name, unpaired: list[Name]) -> bool:
        half = len(unpaired) // 2
        top, bottom = unpaired[:half], unpaired[half:]
        if b not in top:
            return True
        c = sorted(bottom, key=worst_first.index)[top.index(b)]
        return worst_first.index(c) >= worst_first.index(a)

    def by_kind(a: Name, unpaired: list[Name]) -> tuple[list[Name], list[Name], list[Name]]:
        others = sorted((name for name in unpaired if name != a), key=worst_first.index)
        new = [name for name in others if not walk.met(a, name)]
        return (
            [b for b in new if passes(a, b, unpaired)],
            [b for b in new if not passes(a, b, unpaired)],
            [name for name in others if walk.met(a, name)],
        )

    def first_choice(a: Name, unpaired: list[Name]) -> Name | None:
        passing, refusing, _ = by_kind(a, unpaired)
        return next(iter(passing + refusing), None)

    def last_resorts(a: Name, unpaired: list[Name], undone: Pairs) -> list[Name]:
        passing, refusing, met = by_kind(a, unpaired)
        return passing + refusing + met

    walk.run(first_choice, last_resorts)
    return walk
