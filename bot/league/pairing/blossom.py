"""Maximum matching where almost all pairs are allowed: Edmonds' blossoms, on the few that are not.

Players are numbers from 0; the graph is given by the opponents each of them may *not* meet. A search costs about as
much as there are players and forbidden pairs, however many pairs are allowed. A pairing doesn't depend on which maximum
matching is found, only on its size and on the players it can do without: sets may be walked in any order.
"""

from collections.abc import Collection, Iterable, Sequence, Set

Edge = tuple[int, int]
NOBODY = -1


class Matching:
    """A maximum matching of the players still here, kept maximum as players are taken out."""

    def __init__(self, forbidden: Sequence[Set[int]], pairs: Iterable[Edge] = ()) -> None:
        """Start from `pairs`, match the others as they come, and improve, keeping early pairs where that is easy."""
        self.forbidden = forbidden
        self.mate = [NOBODY] * len(forbidden)
        self.single = set(range(len(forbidden)))
        self.here: dict[int, None] = {}
        """A set in an order: a search begins with the last, because pairs leave from the first."""
        for one, other in pairs:
            self._join(one, other)
            self.here |= {one: None, other: None}
        self.here |= dict.fromkeys(sorted(self.single))
        self._match_as_they_come()
        while self._improve():
            pass

    def remove_pair(self, one: int, other: int) -> bool:
        """Take out two who may meet, if a maximum matching has them as a pair; else change nothing."""
        mates = self._take_out(one), self._take_out(other)
        if NOBODY in mates:
            return True
        first, second = mates
        if second not in self.forbidden[first]:
            self._join(first, second)
            return True
        if self._improve():
            return True
        self.here |= {one: None, other: None}
        self._join(one, first)
        self._join(other, second)
        return False

    def remove(self, player: int) -> bool:
        """Take a player out; True if the matching is as large as before without them."""
        return self._take_out(player) == NOBODY or self._improve()

    def dispensable(self) -> Collection[int]:
        """Return the players who can be spared: without any one of them a maximum matching is as large as now."""
        forest = _Forest(self)
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

    def _join(self, one: int, other: int) -> None:
        self.mate[one], self.mate[other] = other, one
        self.single -= {one, other}

    def _match_as_they_come(self) -> None:
        """Match each with one of those waiting; these have all met each other, so there are few."""
        waiting: list[int] = []
        for player in sorted(self.single):
            forbidden = self.forbidden[player]
            other = next((other for other in waiting if other not in forbidden), None)
            if other is None:
                waiting.append(player)
            else:
                waiting.remove(other)
                self._join(player, other)

    def _improve(self) -> bool:
        """Match two more, if any matching does."""
        forest = _Forest(self)
        edge = forest.grow()
        if edge is None:
            return False
        self.single -= {forest.root[edge[0]], forest.root[edge[1]]}
        forest.augment(edge)
        return True


class _Forest:
    """Alternating trees from all singles at once; `outer` are those an even number of steps from a root.

    After Gabow (1976): an outer player was either reached by their mate, from `origin`, or swallowed by a blossom that
    the edge `bridge` closed. `blossoms` holds each blossom's players, all outer, under its base.
    """

    def __init__(self, matching: Matching) -> None:
        self.forbidden = matching.forbidden
        self.mate = matching.mate
        self.singles = sorted(matching.single)
        self.seen = set(self.singles)
        self.unseen: Iterable[int] = reversed(matching.here)
        self.outer: list[int] = []
        self.root: dict[int, int] = {}
        self.origin: dict[int, int] = {}
        self.bridge: dict[int, Edge] = {}
        self.parent: dict[int, int] = {}
        self.blossoms: dict[int, set[int]] = {}

    def grow(self) -> Edge | None:
        """Return an edge between two trees, which improves the matching; None when the trees are full-grown."""
        for player in self.singles:
            if edge := self._add_outer(player, root=player, origin=NOBODY):
                return edge
        for player in self.outer:  # grows while it is walked
            if edge := self._branch(player):
                return edge
        return None

    def _branch(self, player: int) -> Edge | None:
        """Let the tree grow by all unseen players an outer player may meet; leave those they may not."""
        forbidden = self.forbidden[player]
        left: list[int] = []
        for inner in self.unseen:
            if inner in self.seen:
                continue
            if inner in forbidden:
                left.append(inner)
                continue
            mate = self.mate[inner]
            self.seen.update((inner, mate))
            if edge := self._add_outer(mate, root=self.root[player], origin=player):
                return edge
        self.unseen = left
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

    def _add_outer(self, player: int, *, root: int, origin: int) -> Edge | None:
        """Add a new outer player and those that blossoms then make outer; return an edge to another tree, if any."""
        self.origin[player] = origin
        self.root[player] = root
        self.parent[player] = player
        self.blossoms[player] = {player}
        todo = [player]
        for player in todo:  # grows while it is walked
            self.outer.append(player)
            for base in list(self.blossoms):
                other = self._neighbour(player, base)
                if other is None:
                    continue
                if self.root[other] != root:
                    return (player, other)
                todo += self._contract((player, other))
        return None

    def _neighbour(self, player: int, base: int) -> int | None:
        """Return a player of another blossom that a player may meet."""
        members = self.blossoms.get(base)
        forbidden = self.forbidden[player]
        if members is None or members <= forbidden or self._base(player) == base:
            return None
        return next(other for other in members if other not in forbidden)

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
        self.parent[below] = self.parent[inner] = base

    def _common_base(self, one: int, other: int) -> int:
        """Return the lowest base above both, climbing from both in turn to pay only for the way up to it."""
        here, there = self._base(one), self._base(other)
        passed: set[int] = set()
        while here not in passed:
            if here != NOBODY:
                passed.add(here)
                origin = self.origin[here]
                here = self._base(origin) if origin != NOBODY else NOBODY
            here, there = there, here
        return here

    def _base(self, player: int) -> int:
        parent = self.parent
        while parent[player] != player:
            parent[player] = player = parent[parent[player]]
        return player
