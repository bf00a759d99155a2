"""What other libraries take for the same lists, where they can do the job."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import networkx as nx
import rustworkx as rx

from bot.league.formats.swiss.score_groups import pair_groups
from bot.league.pairing import pair_list
from tests.benchmarks.figures import Task, best_of
from tests.benchmarks.lists import Typical, typical

try:
    import swisspair
except ImportError:  # it has wheels up to Python 3.13 only
    swisspair = None

Edges = Sequence[tuple[int, int]]
SIZES = (200, 10_000)
"""Where networkx and rustworkx are still bearable, and where swisspair is."""


def rustworkx_matching(edges: Callable[[], Edges], size: int) -> Task:
    """Match those who haven't met once, the building of the graph not counted."""
    graph: rx.PyGraph[int, None] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(size))
    graph.add_edges_from([(one, other, None) for one, other in edges()])
    return lambda: rx.max_weight_matching(graph, max_cardinality=True)


def networkx_matching(edges: Callable[[], Edges]) -> Task:
    """Match those who haven't met once, the building of the graph not counted."""
    graph: nx.Graph[int] = nx.Graph(edges())
    return lambda: nx.max_weight_matching(graph, maxcardinality=True)


def beside() -> Iterator[str]:
    """Say how long others take for a typical list or typical groups, and how many times as long as this engine."""
    small, large = map(typical, SIZES)
    order, edges = small.order, not_met(small)
    yield _compared(
        f"list of {SIZES[0]:,}",
        lambda: pair_list(order, small.met),
        {"rustworkx": rustworkx_matching(lambda: edges, SIZES[0]), "networkx": networkx_matching(lambda: edges)},
    )
    if swisspair is None:
        yield "swisspair isn't installed (extra `bench`): skipped"
        return
    players, groups = as_swisspair(large), large.groups
    yield _compared(
        f"score groups of {SIZES[1]:,}",
        lambda: pair_groups(groups, large.met, large.draw),
        {"swisspair": lambda: swisspair.create_matches(players, power_pairing=True)},
    )


def not_met(season: Typical) -> Edges:
    """Return the positions of those who haven't met."""
    numbered = combinations(enumerate(season.order), 2)
    return [(one, other) for (one, name), (other, met) in numbered if met not in season.met.of(name)]


def as_swisspair(season: Typical) -> list[object]:
    """Return the players of a season as swisspair knows them."""
    return [
        swisspair.Player(name, season.scores[name], rank, True, set(season.met.of(name)))
        for rank, name in enumerate(season.order, start=1)
    ]


def _compared(what: str, ours: Task, others: dict[str, Task]) -> str:
    seconds, *theirs = best_of(ours, *others.values())
    told = (f"{name} {time:.4f} s, {time / seconds:.0f} times" for name, time in zip(others, theirs, strict=True))
    return f"{what}: {seconds:.4f} s; {'; '.join(told)}"
