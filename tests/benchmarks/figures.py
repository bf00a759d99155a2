"""What a benchmark says: a value beside a yardstick of the same run, and how many yardsticks it may be."""

import math
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass

Task = Callable[[], object]
RUNS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A measured value and its yardstick, in the same unit; it's good up to `at_most` yardsticks."""

    title: str
    value: float
    yardstick: float
    against: str
    at_most: float
    unit: str = "s"

    @property
    def times(self) -> float:
        """How many yardsticks the value is."""
        return self.value / self.yardstick

    @property
    def good(self) -> bool:
        """Whether the value is within its limit."""
        return self.times <= self.at_most

    def __str__(self) -> str:
        """Return the row of the report."""
        measured = f"{self.value:.4g} {self.unit}".rstrip()
        row = f"{self.title:<56}{measured:>12}  {self.times:8.2f} x {self.against} (limit {self.at_most:g})"
        return row if self.good else f"{row}  TOO MUCH"


Row = Callable[[], Figure]
"""Measures one figure; everything it needs it makes itself, when it's called."""


def timed(title: str, task: Callable[[], Task], *, yardstick: Callable[[], Task], against: str, at_most: float) -> Row:
    """Return a row that compares the processor time of a task with that of its yardstick."""

    def measure() -> Figure:
        value, measured = best_of(task(), yardstick())
        return Figure(title=title, value=value, yardstick=measured, against=against, at_most=at_most)

    return measure


def growth(title: str, task: Callable[[int], Task], *, sizes: tuple[int, int], at_most: float) -> Row:
    """Return a row for the exponent with which a task's processor time grows from the first size to the second."""

    def measure() -> Figure:
        small, large = best_of(*(task(size) for size in sizes))
        exponent = math.log(large / small) / math.log(sizes[1] / sizes[0])
        named = f"{title}, growth from {sizes[0]:,} to {sizes[1]:,}"
        return Figure(title=named, value=exponent, yardstick=1, against="n", at_most=at_most, unit="")

    return measure


def best_of(*tasks: Task) -> list[float]:
    """Return the seconds of each task's fastest run, without the garbage collector, as `timeit` does.

    The processor's time counts, and the tasks take turns: else a long task pays for other programs, a short one not.
    """
    rounds = [[timeit.timeit(task, timer=time.process_time, number=1) for task in tasks] for _ in range(RUNS)]
    return [min(times) for times in zip(*rounds, strict=True)]
