"""The trees and the chain the engine counts with, against plain lists."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bot.league.pairing.positions import Chain, Counts, Lowest


@given(size=st.integers(1, 70), seed=st.integers(0, 2**32), full=st.booleans())
def test_counts_count_as_a_list_does(size: int, seed: int, full: bool) -> None:
    rng = Random(seed)
    counts = Counts(size, full=full)
    here = set(range(size)) if full else set[int]()
    for _ in range(2 * size):
        position = rng.randrange(size)
        counts.add(position, -1 if position in here else 1)
        here ^= {position}
        listed = sorted(here)
        assert [counts.before(p) for p in range(size + 1)] == [sum(q < p for q in listed) for p in range(size + 1)]
        assert [counts.nth(number) for number in range(len(listed) + 1)] == [*listed, size]


@given(size=st.integers(1, 40), seed=st.integers(0, 2**32))
def test_the_lowest_come_in_ascending_order(size: int, seed: int) -> None:
    rng = Random(seed)
    numbers = rng.sample(range(size), size)
    lowest = Lowest(numbers)
    here = set(range(size))
    for _ in range(size):
        position = rng.randrange(size)
        lowest.set(position, None if position in here else numbers[position])
        here ^= {position}
        start = rng.randrange(size)
        expected = sorted(numbers[p] for p in here if p >= start)
        assert list(lowest.ascending(start)) == expected
        for number in lowest.ascending(start):
            assert number == expected.pop(0)
            if rng.random() < 0.2:
                here.discard(numbers.index(number))
                lowest.set(numbers.index(number), None)


@given(size=st.integers(0, 30), seed=st.integers(0, 2**32))
def test_a_chain_puts_back_what_was_taken_last(size: int, seed: int) -> None:
    rng = Random(seed)
    chain, taken = Chain(size), list[int]()
    for _ in range(4 * size):
        rest = [position for position in range(size) if position not in taken]
        if rest and rng.random() < 0.6:
            taken.append(rng.choice(rest))
            chain.take(taken[-1])
        elif taken:
            chain.put_back(taken.pop())
        rest = [position for position in range(size) if position not in taken]
        assert list(chain) == rest
        assert list(reversed(chain)) == rest[::-1]
        assert chain.first == (rest[0] if rest else chain.end)
