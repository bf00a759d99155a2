"""A round of a bracket in which players change places so that nobody meets again (docs/formats/ohs.md)."""

from collections.abc import Callable, Iterator, Sequence

from bot.league.bracket.tree import Bracket, Duel, in_order, with_lower
from bot.league.pairing.graph import Graph
from bot.league.pairing.matching import Matching
from bot.league.pairing.reasons import Reason
from bot.league.season.model import Name

IsRematch = Callable[[Name, Name], bool]
Why = Callable[[Name, Name, Name], tuple[Reason, ...]]
"""The reasons for a match: of its upper player, the lower one the bracket had, and the one who plays there now."""


def exchanged(bracket: Bracket, planned: Sequence[Duel], is_rematch: IsRematch, why: Why) -> tuple[Duel, ...]:
    """Return the duels of a round after lower players changed places to avoid rematches; a bye stays a bye."""
    matches = [(duel, duel.lower) for duel in planned if duel.lower is not None]
    lowers = avoid_rematches([duel.upper for duel, _ in matches], [lower for _, lower in matches], is_rematch)
    changed = [
        with_lower(bracket, duel, after, why(duel.upper, before, after))
        for (duel, before), after in zip(matches, lowers, strict=True)
    ]
    return in_order(bracket, [*changed, *(duel for duel in planned if duel.lower is None)])


def avoid_rematches(uppers: Sequence[Name], lowers: Sequence[Name], is_rematch: IsRematch) -> tuple[Name, ...]:
    """Return the lower players in the order that avoids rematches, matches listed from the top.

    First the walk of the OHS document; where its single swaps leave a rematch, the assignment with the fewest.
    """
    walked = _walk(uppers, list(lowers), is_rematch)
    if not any(map(is_rematch, uppers, walked)):
        return tuple(walked)
    return tuple(_assignment(uppers, lowers, is_rematch))


def _walk(uppers: Sequence[Name], lowers: list[Name], is_rematch: IsRematch) -> list[Name]:
    for at, upper in enumerate(uppers):
        if not is_rematch(upper, lowers[at]):
            continue
        for other in (*range(at + 1, len(uppers)), *range(at - 1, -1, -1)):
            if not is_rematch(upper, lowers[other]) and not is_rematch(uppers[other], lowers[at]):
                lowers[at], lowers[other] = lowers[other], lowers[at]
                break
    return lowers


def _assignment(uppers: Sequence[Name], lowers: Sequence[Name], is_rematch: IsRematch) -> Iterator[Name]:
    """Yield the assignment with the fewest rematches, each match trying its own player, those below, those above."""
    size = len(uppers)
    matching = Matching(_sides(uppers, lowers, is_rematch))
    for at in range(size):
        candidates = (*range(size + at, 2 * size), *range(size + at - 1, size - 1, -1))
        *_, chosen = matching.pair_off(at, (lower for lower in candidates if lower in matching.here))
        yield lowers[chosen - size]


def _sides(uppers: Sequence[Name], lowers: Sequence[Name], is_rematch: IsRematch) -> Graph:
    """Return who may meet: the upper players, numbered first, the lower ones they haven't met."""
    allowed = {player: set[int]() for player in range(len(uppers) + len(lowers))}
    for number, upper in enumerate(uppers):
        for other, lower in enumerate(lowers, start=len(uppers)):
            if not is_rematch(upper, lower):
                allowed[number].add(other)
                allowed[other].add(number)
    return Graph(forbidden={}, allowed=allowed)
