"""Chance that a seed decides: the same seed gives the same everywhere."""

from collections.abc import MutableSequence, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """Random choices made of `Random.random` alone, the one method whose numbers every version of Python keeps."""

    def __init__(self, seed: str) -> None:
        self._next = Random(seed).random

    def maybe(self, chance: float) -> bool:
        """Return yes with a chance from 0 to 1."""
        return self._next() < chance

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        return low + int(self._next() * (high - low + 1))

    def decimal(self, low: float, high: float) -> float:
        """Return a number between the two, with three decimals at most."""
        return round(low + self._next() * (high - low), 3)

    def one(self, of: Sequence[T]) -> T:
        """Return one of them."""
        return of[self.whole(0, len(of) - 1)]

    def some(self, of: Sequence[T], count: int) -> list[T]:
        """Return so many different ones, in any order."""
        left = list(of)
        self.mix(left)
        return left[:count]

    def mix(self, items: MutableSequence[T]) -> None:
        """Put a list in any order."""
        for last in range(len(items) - 1, 0, -1):
            other = self.whole(0, last)
            items[last], items[other] = items[other], items[last]

    def hex(self, digits: int) -> str:
        """Return as many hex digits."""
        return "".join(self.one("0123456789abcdef") for _ in range(digits))
