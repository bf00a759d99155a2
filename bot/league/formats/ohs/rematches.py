"""A later round of a bracket with the fewest rematches, as OHS asks (docs/rules.md, 4)."""

from collections.abc import Callable, Sequence

from bot.league.bracket.reasons import SwappedToAvoidRematch
from bot.league.bracket.tree import Bracket, Duel, listed
from bot.league.history import Meetings
from bot.league.model import Name
from bot.league.reasons import ForcedRematch, Reason

IsRematch = Callable[[Name, Name], bool]


def without_rematches(bracket: Bracket, planned: Sequence[Duel], met: Meetings, season: int) -> tuple[Duel, ...]:
    """Return the duels of a later round after the walk that avoids rematches; who has a bye keeps it."""
    matches = [(duel, duel.upper, duel.lower) for duel in planned if duel.lower is not None]
    lowers = [lower for _, _, lower in matches]
    walked = avoid_rematches(
        [upper for _, upper, _ in matches], lowers, lambda upper, lower: met.between(upper, lower) is not None
    )
    moved = [
        _moved(bracket, duel, upper, before, after, met, season)
        for (duel, upper, before), after in zip(matches, walked, strict=True)
    ]
    return listed(bracket, [*moved, *(duel for duel in planned if duel.lower is None)])


def _moved(bracket: Bracket, duel: Duel, upper: Name, before: Name, after: Name, met: Meetings, season: int) -> Duel:
    reasons: list[Reason] = []
    if before != after:
        meeting = met.between(upper, before)
        reasons.append(SwappedToAvoidRematch(upper=upper, before=before, after=after, met=meeting, season=season))
    again = met.between(upper, after)
    if again is not None:
        reasons.append(ForcedRematch(chooser=upper, other=after, meeting=again))
    first, second = bracket.ordered(upper, after)
    return Duel(upper=first, lower=second, place=duel.place, reasons=tuple(reasons))


def avoid_rematches(uppers: Sequence[Name], lowers: Sequence[Name], is_rematch: IsRematch) -> tuple[Name, ...]:
    """Return the lower players in the order that avoids rematches, matches listed from the top.

    The walk of the OHS document, and where its single swaps leave a rematch the assignment with the fewest.
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


def _assignment(uppers: Sequence[Name], lowers: Sequence[Name], is_rematch: IsRematch) -> list[Name]:
    """Return the assignment with the fewest rematches, each match trying its own player, those below, those above."""
    chosen: list[Name] = []
    left = list(lowers)
    allowed = _fewest(uppers, left, is_rematch)
    for at, upper in enumerate(uppers):
        for candidate in (*lowers[at:], *reversed(lowers[:at])):
            if candidate not in left:
                continue
            rest = [name for name in left if name != candidate]
            needed = is_rematch(upper, candidate) + _fewest(uppers[at + 1 :], rest, is_rematch)
            if needed == allowed:
                allowed -= is_rematch(upper, candidate)
                chosen.append(candidate)
                left = rest
                break
    return chosen


def _fewest(uppers: Sequence[Name], lowers: Sequence[Name], is_rematch: IsRematch) -> int:
    """Return how many rematches the best assignment needs: who is left over by a maximum matching without any."""
    partner: dict[Name, Name] = {}

    def augment(upper: Name, tried: set[Name]) -> bool:
        for lower in lowers:
            if lower not in tried and not is_rematch(upper, lower):
                tried.add(lower)
                if lower not in partner or augment(partner[lower], tried):
                    partner[lower] = upper
                    return True
        return False

    return sum(not augment(upper, set()) for upper in uppers)
