"""Edmonds' blossoms: the search for an augmenting path, in graphs with many edges or with few.

A search costs about as much as there are players and entries in the graph's lists, each of them the shorter of two:
where almost all pairs are allowed it walks those that are not, where few are it walks those.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence, Set

from bot.league.pairing.graph import Edge, Graph

NOBODY = -1


class Forest:
    """Alternating trees from some singles at once; no two of these may meet.

    `outer` are those an even number of steps from a root.
    After Gabow (1976): an outer player was either reached by their mate, from `origin`, or swallowed by a blossom that
    the edge `bridge` closed. `blossoms` holds each blossom's players, all outer, under its base; a player
    alone is one too, those of more players are `contracted`.
    """

    def __init__(self, graph: Graph, mate: list[int], here: dict[int, None], roots: Sequence[int]) -> None:
        self.graph = graph
        self.mate = mate
        self.here: Collection[int] = here
        self.unseen: Iterable[int] = reversed(here)
        self.roots = roots
        self.seen = set(roots)
        self.outer: list[int] = []
        self.root: dict[int, int] = {}
        self.origin: dict[int, int] = {}
        self.bridge: dict[int, Edge] = {}
        self.parent: dict[int, int] = {}
        self.blossoms: dict[int, set[int]] = {}
        self.contracted: set[int] = set()

    def grow(self) -> Edge | None:
        """Return an edge that closes an augmenting path, from a root to any other single; None if there is none."""
        for player in self.roots:
            self._add_outer(player, root=player, origin=NOBODY)
        for player in self.outer:  # grows while it is walked
            if edge := self._branch(player):
                return edge
        return None

    def augment(self, edge: Edge) -> None:
        """Match along the paths from both ends of an edge to their roots."""
        todo = [edge, edge[::-1]]
        while todo:
            player, new_mate = todo.pop()
            mate = self.mate[player]
            self.mate[player] = new_mate
            if mate == NOBODY or self.mate[mate] != player:
                continue
            if player in self.bridge:
                bridge = self.bridge[player]
                todo += [bridge, bridge[::-1]]
            else:
                origin = self.origin[player]
                self.mate[mate] = origin
                todo.append((origin, mate))

    def _branch(self, player: int) -> Edge | None:
        """Let the tree grow by all unseen players an outer player may meet; an unseen single ends the path."""
        for inner in self._unseen_by(player):
            if inner in self.seen:
                continue
            mate = self.mate[inner]
            if mate == NOBODY:
                self.root[inner] = inner
                return (player, inner)
            self.seen.update((inner, mate))
            if edge := self._add_outer(mate, root=self.root[player], origin=player):
                return edge
        return None

    def _unseen_by(self, player: int) -> Iterable[int]:
        """Return the unseen players that an outer player may meet."""
        few = self.graph.allowed.get(player)
        if few is None:
            return self._unseen_but(self.graph.forbidden[player])
        return [other for other in few if other in self.here and other not in self.seen]

    def _unseen_but(self, forbidden: Set[int]) -> Iterator[int]:
        """Yield the unseen players who are not forbidden; the others stay for those who ask next."""
        left: list[int] = []
        for other in self.unseen:
            if other in self.seen:
                continue
            if other in forbidden:
                left.append(other)
            else:
                yield other
        self.unseen = left

    def _add_outer(self, player: int, *, root: int, origin: int) -> Edge | None:
        """Add a new outer player and those that blossoms then make outer; return an edge to another tree, if any."""
        self.origin[player] = origin
        self.root[player] = root
        self.parent[player] = player
        self.blossoms[player] = {player}
        todo = [player]
        for player in todo:  # grows while it is walked
            self.outer.append(player)
            for other in self._across(player):
                if self.root[other] != root:
                    return (player, other)
                if self._base(other) != self._base(player):
                    todo += self._contract((player, other))
        return None

    def _across(self, player: int) -> Iterable[int]:
        """Return outer players that an outer player may meet: one of each other blossom, at least."""
        few = self.graph.allowed.get(player)
        if few is None:
            return self._across_but(self.graph.forbidden[player])
        return [other for other in few if other in self.parent]

    def _across_but(self, forbidden: Set[int]) -> Iterator[int]:
        """Yield a player of each blossom that is not all forbidden, as long as it's none of a larger one."""
        for base in (self.blossoms.keys() - forbidden) | self.contracted:
            members = self.blossoms.get(base)
            if members is not None and not members <= forbidden:
                yield next(other for other in members if other not in forbidden)

    def _contract(self, edge: Edge) -> list[int]:
        """Make one blossom of all between the two ends and their common base; return the new outer players."""
        base = self._common_base(*edge)
        swallowed: list[int] = []
        for end in edge:
            below = self._base(end)
            while below != base:
                inner = self.mate[below]
                self.bridge[inner] = edge
                self.root[inner] = self.root[base]
                swallowed.append(inner)
                self._merge(base, below, inner)
                below = self._base(self.origin[below])
        return swallowed

    def _merge(self, base: int, below: int, inner: int) -> None:
        small, large = sorted((self.blossoms.pop(below), self.blossoms[base]), key=len)
        large |= small
        large.add(inner)
        self.blossoms[base] = large
        self.contracted.discard(below)
        self.contracted.add(base)
        self.parent[below] = self.parent[inner] = base

    def _common_base(self, node: int, other: int) -> int:
        """Return the lowest base above both, climbing from both in turn to pay only for the way up to it."""
        here, end = self._base(node), self._base(other)
        passed: set[int] = set()
        while here not in passed:
            if here != NOBODY:
                passed.add(here)
                origin = self.origin[here]
                here = self._base(origin) if origin != NOBODY else NOBODY
            here, end = end, here
        return here

    def _base(self, player: int) -> int:
        parent = self.parent
        while parent[player] != player:
            parent[player] = player = parent[parent[player]]
        return player
