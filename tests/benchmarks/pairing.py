"""What pairing a list or a tier costs, and the same graph for networkx."""

from collections.abc import Callable
from itertools import combinations
from random import Random

import networkx as nx

from bot.league.model import Name
from bot.league.pairing import pair_list, pair_tier
from tests.benchmarks.lists import met_before, names

Task = Callable[[], object]


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
