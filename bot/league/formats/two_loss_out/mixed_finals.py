"""Later rounds of the bracket of two loss out: undefeated players meet players with a loss.

See docs/formats/two-loss-out.md.
"""

from collections.abc import Container, Sequence

from bot.league.bracket.tree import Bracket, Duel, with_lower
from bot.league.pairing.in_short import tell
from bot.league.pairing.reasons import Reason
from bot.league.season.model import Name


def mixed(bracket: Bracket, planned: Sequence[Duel], undefeated: Container[Name]) -> tuple[Duel, ...]:
    """Return the duels of a round, match 1 first, after one walk that lets undefeated players meet the others.

    Where two undefeated players would meet and elsewhere two others, their lower players change places: those of the
    nearest such match below, else of the nearest above.
    """
    duels = list(planned)
    for at, duel in enumerate(planned):
        others = (*range(at + 1, len(duels)), *range(at - 1, -1, -1))
        other = next((candidate for candidate in others if _unbeaten(duels[candidate], undefeated) == 0), None)
        if other is not None and _unbeaten(duels[at], undefeated) == 2:
            duels[at] = _exchanged(bracket, duel, planned[other].lower)
            duels[other] = _exchanged(bracket, planned[other], duel.lower)
    return tuple(duels)


def _unbeaten(duel: Duel, undefeated: Container[Name]) -> int | None:
    """Return how many of the two are undefeated; None for a bye."""
    return None if duel.lower is None else (duel.upper in undefeated) + (duel.lower in undefeated)


def _exchanged(bracket: Bracket, duel: Duel, lower: Name | None) -> Duel:
    assert duel.lower is not None
    assert lower is not None
    upper, before = duel.upper, duel.lower
    why = Reason(
        f"The bracket had {upper} against {before}; undefeated players meet players with a loss where that can be, "
        f"so {lower} takes the place of {before}.",
        short=tell(
            "The bracket had {a} against {b}. Undefeated players meet players with a loss if possible, so {c} took the "
            "place of {b}.",
            a=upper,
            b=before,
            c=lower,
        ),
    )
    return with_lower(bracket, duel, lower, (why,))
