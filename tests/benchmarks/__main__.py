"""Measure what must stay fast: `python -m tests.benchmarks` exits 1 if anything is over its limit.

A further benchmark is a function from a size to a task, and a row of the table.
"""

import sys
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass

from bot.league.formats import ALL
from tests.benchmarks import pairing, pictures, seasons

Task = Callable[[], object]
RUNS = 3
ATTEMPTS = 3
"""Another program may keep the machine busy for a while."""
BESIDE = 200
"""The size at which networkx is still bearable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A task at `size` may take so many seconds, and so many times as long as at `small`."""

    title: str
    task: Callable[[int], Task]
    size: int = 10_000
    small: int | None = 1_000
    seconds: float = 0.5
    times: float = 20


BENCHMARKS: tuple[Benchmark, ...] = (
    Benchmark(title="list, 20 met each", task=pairing.a_list),
    Benchmark(title="list, the last 21 met each other", task=pairing.a_hostile_list),
    Benchmark(title="tier, schedules as the ranking", task=pairing.a_tier_as_ranked),
    Benchmark(title="tier, schedules against the ranking", task=pairing.a_tier_against_ranking),
    Benchmark(title="tier, schedules apart from the ranking", task=pairing.a_tier_apart_from_ranking),
    Benchmark(title="tier, the whole top half may refuse", task=pairing.a_tier_of_refusals),
    Benchmark(title="tier, the last 21 met each other", task=pairing.a_hostile_tier),
    *(Benchmark(title=f"{f.key}, a round", task=seasons.next_round(f.key), seconds=1) for f in ALL),
    Benchmark(title="picture of a bracket", task=pictures.a_bracket, size=64, small=8, seconds=1, times=20),
    Benchmark(title="picture of standings", task=pictures.a_table, size=64, small=8, seconds=1, times=20),
    *(Benchmark(title=f"{f.key}, standings", task=seasons.standings(f.key), seconds=1) for f in ALL),
)


def best_of(*tasks: Task) -> list[float]:
    """Return the seconds of each task's fastest run, without the garbage collector, as `timeit` does.

    The processor's time counts, and the tasks take turns: else a long task pays for other programs, a short one not.
    """
    rounds = [[timeit.timeit(task, timer=time.process_time, number=1) for task in tasks] for _ in range(RUNS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def measure(benchmark: Benchmark) -> tuple[str, bool]:
    """Return one row of the report, and whether it is within its limits."""
    sizes = [benchmark.size] if benchmark.small is None else [benchmark.size, benchmark.small]
    large, *small = best_of(*(benchmark.task(size) for size in sizes))
    good = large < benchmark.seconds and all(large <= benchmark.times * seconds for seconds in small)
    row = f"{benchmark.title:<42}{benchmark.size:>7,}{large:>9.3f} s (limit {benchmark.seconds:g})"
    for seconds in small:
        row += f"{benchmark.small:>9,}{seconds:>9.4f} s  x{large / seconds:<5.1f}(limit {benchmark.times:g})"
    return row, good


def report(benchmark: Benchmark) -> bool:
    """Print a row, measured anew while it is over a limit: only what is slow every time is slow."""
    row, good = measure(benchmark)
    for _ in range(ATTEMPTS - 1):
        if good:
            break
        row, good = measure(benchmark)
    print(row if good else f"{row}  TOO SLOW", flush=True)
    return good


def beside_networkx() -> None:
    """Print how much longer networkx takes for the matching alone."""
    ours, theirs = best_of(pairing.a_list(BESIDE), pairing.networkx_on_a_list(BESIDE))
    print(f"list of {BESIDE}: {ours:.4f} s; networkx {theirs:.4f} s, {theirs / ours:.0f} times as long")


def main() -> int:
    """Measure everything, and return the exit code."""
    results = [report(benchmark) for benchmark in BENCHMARKS]
    beside_networkx()
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
