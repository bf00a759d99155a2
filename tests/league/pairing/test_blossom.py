"""The maximum matching: as large as networkx's, after every player and pair taken out."""

from itertools import combinations, pairwise
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.pairing.blossom import NOBODY
from bot.league.pairing.graph import Graph
from bot.league.pairing.matching import Matching
from tests.examples import examples

Edges = set[tuple[int, int]]
DENSITIES = st.sampled_from([0.02, 0.05, 0.1, 0.15, 0.3, 0.6, 0.95])
SEEDS = st.integers(0, 2**40)


def graph_of(size: int, edges: Edges, listed: int = 0) -> Graph:
    """Return the graph of those who may meet; the bits of `listed` say of whom the few allowed are known."""
    allowed = {player: set[int]() for player in range(size)}
    for one, other in edges:
        allowed[one].add(other)
        allowed[other].add(one)
    few = {player: allowed[player] for player in range(size) if listed >> player & 1}
    return Graph({player: set(range(size)) - allowed[player] for player in range(size) if player not in few}, few)


def random_edges(size: int, density: float, seed: int) -> Edges:
    rng = Random(seed)
    return {pair for pair in combinations(range(size), 2) if rng.random() < density}


def largest(allowed: Edges, without: set[int] = frozenset()) -> int:
    graph = nx.Graph(edge for edge in allowed if without.isdisjoint(edge))
    return len(nx.max_weight_matching(graph, maxcardinality=True))


def size_of(matching: Matching, allowed: Edges) -> int:
    """Check that it is a matching of allowed pairs, and return its size."""
    pairs = [(one, other) for one, other in enumerate(matching.mate) if one < other]
    assert all(matching.mate[other] == one for one, other in pairs)
    assert all(pair in allowed for pair in pairs)
    return len(pairs)


@settings(max_examples=examples(200), deadline=None)
@given(size=st.integers(0, 40), density=DENSITIES, seed=SEEDS)
def test_as_large_as_networkx(size: int, density: float, seed: int) -> None:
    allowed = random_edges(size, density, seed)

    assert size_of(Matching(graph_of(size, allowed, seed)), allowed) == largest(allowed)


@settings(max_examples=examples(100), deadline=None)
@given(size=st.integers(1, 16), density=DENSITIES, seed=SEEDS)
def test_dispensable_are_those_the_size_does_not_need(size: int, density: float, seed: int) -> None:
    allowed = random_edges(size, density, seed)

    whole = largest(allowed)
    expected = {player for player in range(size) if largest(allowed, {player}) == whole}
    assert set(Matching(graph_of(size, allowed, seed)).dispensable()) == expected


@settings(max_examples=examples(100), deadline=None)
@given(size=st.integers(2, 14), density=DENSITIES, seed=SEEDS)
def test_taking_out_keeps_it_maximum(size: int, density: float, seed: int) -> None:
    allowed = random_edges(size, density, seed)
    matching = Matching(graph_of(size, allowed, seed))
    gone: set[int] = set()
    for one, other in Random(seed).sample(sorted(allowed), len(allowed)):
        if gone.isdisjoint((one, other)):
            before, after = largest(allowed, gone), largest(allowed, gone | {one, other})
            removed = matching.remove_pair(one, other)
            assert removed == (after == before - 1)
            gone |= {one, other} if removed else set()
            assert size_of(matching, allowed) == largest(allowed, gone)
    for player in set(range(size)) - gone:
        before = largest(allowed, gone)
        gone.add(player)
        assert matching.remove(player) == (largest(allowed, gone) == before)
        assert matching.mate[player] == NOBODY
        assert size_of(matching, allowed) == largest(allowed, gone)


@pytest.mark.long
@settings(max_examples=examples(100), deadline=None)
@given(size=st.integers(2, 24), density=DENSITIES, seed=SEEDS)
def test_a_start_from_given_pairs_ends_as_large(size: int, density: float, seed: int) -> None:
    allowed = random_edges(size, density, seed)
    start = nx.maximal_matching(nx.Graph(allowed))

    assert size_of(Matching(graph_of(size, allowed, seed), start), allowed) == largest(allowed)


def flower(petals: int) -> Edges:
    """Return odd cycles strung on one another, each nested in the next one's blossom, with a stalk at each end."""
    edges = {(0, 1)}
    tip = 1
    for _ in range(petals):
        cycle = [tip, *range(tip + 1, tip + 5)]
        edges |= set(pairwise(cycle)) | {(tip, tip + 4)}
        tip += 3
        edges.add((tip, tip + 2))
        tip += 2
    return edges | {(tip, tip + 1)}


@pytest.mark.parametrize("petals", range(1, 40, 3))
def test_blossoms_within_blossoms(petals: int) -> None:
    allowed = {(min(edge), max(edge)) for edge in flower(petals)}
    size = max(max(edge) for edge in allowed) + 1
    for seed in range(5):
        names = Random(seed).sample(range(size), size)
        shuffled = {(min(names[a], names[b]), max(names[a], names[b])) for a, b in allowed}
        assert size_of(Matching(graph_of(size, shuffled, Random(seed).getrandbits(size))), shuffled) == largest(
            shuffled
        )
