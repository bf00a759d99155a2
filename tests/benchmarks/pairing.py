"""What pairing a list or a tier costs, and the same graph for networkx."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from random import Random

import networkx as nx

from bot.league.model import Name
from bot.league.pairing import pair_list, pair_tier
from tests.benchmarks.figures import Row, Task, best_of, growth, timed
from tests.benchmarks.lists import met_before, names
from tests.benchmarks.yardsticks import HASHING, hashing

BESIDE = 200
"""The size at which networkx is still bearable."""


def a_list(size: int) -> Task:
    """Pair a list at random history."""
    players = names(size)
    met = met_before(players)
    return lambda: pair_list(players, met)


def a_hostile_list(size: int) -> Task:
    """Pair a list whose last 21 have all met each other, so that pairs must be undone."""
    players = names(size)
    met = met_before(players, clique=True)
    return lambda: pair_list(players, met)


def _tier(size: int, rank: Callable[[list[Name]], list[Name]], *, clique: bool = False) -> Task:
    players = names(size)
    met, ranking = met_before(players, clique=clique), rank(players)
    return lambda: pair_tier(players, ranking, met)


def a_tier_as_ranked(size: int) -> Task:
    """Pair a tier whose best schedules belong to the best."""
    return _tier(size, list)


def a_tier_against_ranking(size: int) -> Task:
    """Pair a tier whose best schedules belong to the worst."""
    return _tier(size, lambda players: players[::-1])


def a_tier_apart_from_ranking(size: int) -> Task:
    """Pair a tier whose schedules say nothing about the ranking."""
    return _tier(size, lambda players: Random(size).sample(players, size))


def a_tier_of_refusals(size: int) -> Task:
    """Pair a tier whose first is the best and whose top half is ranked below the bottom half."""
    return _tier(size, lambda players: [players[0], *players[size // 2 :], *players[1 : size // 2]])


def a_hostile_tier(size: int) -> Task:
    """Pair a tier against the ranking whose last 21 by schedule have all met each other."""
    return _tier(size, lambda players: players[::-1], clique=True)


def networkx_on_a_list(size: int) -> Task:
    """Match the allowed graph of `a_list` with networkx, the building of its graph not counted."""
    players = names(size)
    met = met_before(players)
    graph: nx.Graph[Name] = nx.Graph()
    graph.add_edges_from(pair for pair in combinations(players, 2) if met.between(*pair) is None)
    return lambda: nx.max_weight_matching(graph, maxcardinality=True)


def _rows(title: str, task: Callable[[int], Task], at_most: float) -> tuple[Row, Row]:
    whole = timed(f"{title}, 10,000", partial(task, 10_000), yardstick=hashing, against=HASHING, at_most=at_most)
    return whole, growth(title, task, sizes=(1_000, 10_000), at_most=1.3)


ROWS: tuple[Row, ...] = (
    *_rows("list, 20 met each", a_list, 2.5),
    *_rows("list, the last 21 met each other", a_hostile_list, 2.5),
    *_rows("tier, schedules as the ranking", a_tier_as_ranked, 7.5),
    *_rows("tier, schedules against the ranking", a_tier_against_ranking, 7.5),
    *_rows("tier, schedules apart from the ranking", a_tier_apart_from_ranking, 7.5),
    *_rows("tier, the whole top half may refuse", a_tier_of_refusals, 7.5),
    *_rows("tier, the last 21 met each other", a_hostile_tier, 7.5),
)


def beside() -> Iterator[str]:
    """Say how much longer networkx takes for the matching alone."""
    ours, theirs = best_of(a_list(BESIDE), networkx_on_a_list(BESIDE))
    yield f"list of {BESIDE}: {ours:.4f} s; networkx {theirs:.4f} s, {theirs / ours:.0f} times as long"
