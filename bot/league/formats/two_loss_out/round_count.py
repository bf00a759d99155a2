"""About how many rounds are played before the cut: no one leaves, and those with fewer losses win."""

from collections.abc import Sequence


def about_rounds(players: int, *, losses: int, cut: int) -> int:
    """Return how many rounds so many players play until the cut is full, without tie-break rounds; a cut of 0 is 1."""
    cut, pools, played, early = max(1, min(cut, players)), [players] + [0] * (losses - 1), 0, 0
    run_offs = False
    while not _is_over(pools[early:], cut - sum(pools[:early]), run_offs=run_offs):
        pools, played = pools[:early] + _after_a_round(pools[early:]), played + 1
        early = int(losses > 1 and cut > 1 and 2 * pools[0] <= cut)
        run_offs = cut > 1 and (early == 1 or losses == 1)
    return played


def _is_over(others: Sequence[int], places: int, *, run_offs: bool) -> bool:
    """Whether those who haven't qualified undefeated play no more, for the places left."""
    return sum(others) <= 1 or (run_offs and sum(others) < 2 * places)


def _after_a_round(pools: Sequence[int]) -> list[int]:
    """Return how many are in each pool, fewest losses first, after the round they play."""
    left, after = list(pools), [0] * (len(pools) + 1)
    if sum(left) % 2:
        lowest = max(losses for losses, count in enumerate(left) if count)
        left[lowest] -= 1
        after[lowest] += 1
    for losses, count in enumerate(left):
        after[losses] += (count + 1) // 2
        after[losses + 1] += count // 2
        if count % 2:
            paired_up = next(lower for lower in range(losses + 1, len(left)) if left[lower])
            left[paired_up] -= 1
            after[paired_up + 1] += 1
    return after[: len(pools)]
