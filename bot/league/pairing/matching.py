"""A maximum matching, kept maximum as players are taken out.

A pairing doesn't depend on which maximum matching is found, only on its size and on the players it can do without: sets
may be walked in any order.
"""

from collections.abc import Collection, Iterable
from functools import cache

from bot.league.pairing.blossom import NOBODY, Forest
from bot.league.pairing.graph import Edge, Graph


class Matching:
    """A maximum matching of the players still here, by default of all of a graph."""

    def __init__(self, graph: Graph, pairs: Iterable[Edge] = (), *, players: Iterable[int] | None = None) -> None:
        """Start from `pairs`, match the others as they come, and improve, keeping early pairs where that is easy."""
        self.graph = graph
        self.mate = [NOBODY] * len(graph)
        self.single = set(range(len(graph)) if players is None else players)
        self.here: dict[int, None] = {}
        """A set in an order: a search begins with the last, because pairs leave from the first."""
        self.hopeless: set[Edge] = set()
        """Pairs that no maximum matching has, nor will while others leave by `remove_pair` and `pair_off`."""
        for first, other in pairs:
            self._join(first, other)
            self.here |= {first: None, other: None}
        self.here |= dict.fromkeys(sorted(self.single))
        self._match_as_they_come()
        self.improve()

    def enter(self, players: Iterable[int]) -> None:
        """Let more players come, each matched with a single one if that may be; `improve` does the rest."""
        for player in players:
            other = next(self.graph.among(self.single, player), None)
            self.here[player] = None
            self.single.add(player)
            if other is not None:
                self._join(player, other)

    def improve(self) -> int:
        """Make it a maximum matching again, and return how many are left single."""
        while self._improve(self.single):
            pass
        return len(self.single)

    def remove_pair(self, player: int, other: int) -> bool:
        """Take out two who may meet, if a maximum matching has them as a pair; else change nothing."""
        if (player, other) in self.hopeless:
            return False
        mates = self._take_out(player), self._take_out(other)
        if NOBODY in mates:
            return True
        first, second = mates
        if self.graph.may_meet(first, second):
            self._join(first, second)
            return True
        if self._improve(mates):
            return True
        self.here |= {player: None, other: None}
        self._join(player, first)
        self._join(other, second)
        self.hopeless.add((player, other))
        return False

    def remove(self, player: int) -> bool:
        """Take a player out; True if the matching is as large as before without them."""
        mate = self._take_out(player)
        return mate == NOBODY or self._improve((mate,))

    def pair_off(self, chooser: int, candidates: Iterable[int]) -> list[int]:
        """Take out a player and the first candidate that leaves the fewest rematches for all others.

        Return the candidates tried in vain, and last the one taken. A new opponent may cost a pair of the matching, a
        rematch none: the matching can spare the chooser, the candidate (the chooser gone), or both.
        """
        mate, spare = self.mate[chooser], self.remove(chooser)
        dispensable = cache(self.dispensable)
        tried: list[int] = []
        for other in candidates:
            tried.append(other)
            new = self.graph.may_meet(chooser, other)
            if other == mate or (spare and new) or ((spare or new) and other in dispensable()):
                self.remove(other)
                return tried
        raise AssertionError("a maximum matching always leaves someone")

    def dispensable(self) -> Collection[int]:
        """Return the players who can be spared: without any one of them a maximum matching is as large as now."""
        forest = self._forest(self.single)
        forest.grow()
        return frozenset(forest.outer)

    def _take_out(self, player: int) -> int:
        """Remove a player, leave their mate single, and return the mate."""
        mate = self.mate[player]
        del self.here[player]
        self.single.discard(player)
        self.mate[player] = NOBODY
        if mate != NOBODY:
            self.mate[mate] = NOBODY
            self.single.add(mate)
        return mate

    def _join(self, player: int, other: int) -> None:
        self.mate[player], self.mate[other] = other, player
        self.single -= {player, other}

    def _match_as_they_come(self) -> None:
        """Match each with one of those waiting; these have all met each other."""
        waiting: dict[int, None] = {}
        for player in sorted(self.single):
            other = next(self.graph.among(waiting, player), None)
            if other is None:
                waiting[player] = None
            else:
                del waiting[other]
                self._join(player, other)

    def _improve(self, roots: Iterable[int]) -> bool:
        """Match one of the `roots` with another single along an augmenting path, if there is one."""
        if len(self.single) < 2:
            return False
        forest = self._forest(roots)
        edge = forest.grow()
        if edge is None:
            return False
        self.single -= {forest.root[edge[0]], forest.root[edge[1]]}
        forest.augment(edge)
        return True

    def _forest(self, roots: Iterable[int]) -> Forest:
        return Forest(self.graph, self.mate, self.here, sorted(roots))
