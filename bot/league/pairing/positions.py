"""Positions that come and go: which come next, how many are before one, and who is lowest from one on."""

import heapq
from collections.abc import Iterator, Sequence


class Chain:
    """The positions from 0 in order, without those taken out; these are put back in the opposite order."""

    def __init__(self, length: int) -> None:
        self.end = length
        """Stands before the first and after the last."""
        self.after = [*range(1, length + 1), 0]
        self.before = [length, *range(length)]

    @property
    def first(self) -> int:
        """The first position still here, or `end`."""
        return self.after[self.end]

    def take(self, position: int) -> None:
        """Take a position out."""
        before, after = self.before[position], self.after[position]
        self.after[before], self.before[after] = after, before

    def put_back(self, position: int) -> None:
        """Put the position taken out last back."""
        self.after[self.before[position]] = self.before[self.after[position]] = position

    def following(self, position: int) -> Iterator[int]:
        """Walk on from a position to the end."""
        after = self.after
        while (position := after[position]) != self.end:
            yield position

    def __iter__(self) -> Iterator[int]:
        """Walk the positions still here in order."""
        return self.following(self.end)

    def __reversed__(self) -> Iterator[int]:
        """Walk the positions still here from the last to the first."""
        before, position = self.before, self.end
        while (position := before[position]) != self.end:
            yield position


class Counts:
    """Which positions from 0 are here, as a Fenwick tree: every question costs the logarithm of the length."""

    def __init__(self, length: int, *, full: bool = False) -> None:
        self.length = length
        self.tree = [index & -index if full else 0 for index in range(length + 1)]
        self.highest = 1 << length.bit_length() >> 1

    def add(self, position: int, by: int) -> None:
        """Add a position (`by` 1) or take it away (-1)."""
        tree, length = self.tree, self.length
        position += 1
        while position <= length:
            tree[position] += by
            position += position & -position

    def before(self, position: int) -> int:
        """Return how many are here before a position."""
        tree = self.tree
        count = 0
        while position:
            count += tree[position]
            position &= position - 1
        return count

    def nth(self, number: int) -> int:
        """Return the position that has exactly `number` others before it, or the length if there is none."""
        tree, length = self.tree, self.length
        position, step = 0, self.highest
        while step:
            further = position + step
            if further <= length and tree[further] <= number:
                position = further
                number -= tree[further]
            step >>= 1
        return position


class Lowest:
    """A different number at each position, or none: walks the numbers from a position on, lowest first."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.none = len(numbers)
        self.width = 1 << max(len(numbers) - 1, 1).bit_length()
        self.tree = [self.none] * self.width + [*numbers] + [self.none] * (self.width - len(numbers))
        for node in range(self.width - 1, 0, -1):
            self.tree[node] = min(self.tree[2 * node], self.tree[2 * node + 1])

    def set(self, position: int, number: int | None) -> None:
        """Put a number at a position; None takes it away."""
        tree = self.tree
        node = position + self.width
        tree[node] = self.none if number is None else number
        while node := node >> 1:
            left, right = tree[2 * node], tree[2 * node + 1]
            lower = left if left < right else right
            if tree[node] == lower:
                return  # nothing changes further up
            tree[node] = lower

    def ascending(self, start: int) -> Iterator[int]:
        """Walk the numbers at `start` and after it in ascending order; what was walked may be taken away meanwhile."""
        tree, width = self.tree, self.width
        waiting = self._from(start)
        heapq.heapify(waiting)
        while waiting:
            number, node = heapq.heappop(waiting)
            while node < width:  # down to the leaf of this number; what branches off waits
                node *= 2
                side = node + 1 if tree[node] == number else node
                node = node + 1 if side == node else node
                if tree[side] != self.none:
                    heapq.heappush(waiting, (tree[side], side))
            yield number

    def _from(self, start: int) -> list[tuple[int, int]]:
        """Return the subtrees that hold all positions from `start` on, each with its lowest number."""
        node = start + self.width
        nodes = [node]
        while node > 1:
            if node % 2 == 0:
                nodes.append(node + 1)
            node >>= 1
        return [(self.tree[node], node) for node in nodes if self.tree[node] != self.none]
