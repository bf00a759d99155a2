"""Why two players of a list or tier were paired, step by step."""

from collections.abc import Sequence

from bot.league.model import Meeting, Name
from bot.league.reasons import MOST_TOLD, Key, Reason, and_more, listed, when


def unpaired(first: Sequence[Name], keys: Sequence[Key], *, size: int, start: str = "") -> Reason:
    """Tell the first of `size` unpaired players, in their order."""
    order = listed(first, keys, size=size)
    return Reason(f"Unpaired{start}, {order.sentence}.", order.draws)


def next_in_list(chooser: Name, chosen: Name, *, skipped: bool) -> Reason:
    """Tell the first choice in a list."""
    which = "the next they haven't met" if skipped else "the next"
    return Reason(f"{chooser}, the first, takes {chosen}, {which}.")


def lowest_ranked(chooser: Name, chosen: Name) -> Reason:
    """Tell the first choice in a tier."""
    return Reason(f"{chooser}, the first, takes {chosen}, the lowest ranked left to them.")


def already_met(chooser: Name, other: Name, meeting: Meeting) -> Reason:
    """Tell that a player was skipped because the two met."""
    return Reason(f"{chooser} skipped {other}: they met {when(meeting)}.")


def more_skipped(chooser: Name, count: int) -> list[Reason]:
    """Tell how many more were skipped than are told one by one, if any."""
    return [Reason(f"{chooser} skipped {count} more for the same reasons.")] if count else []


def may_refuse(chooser: Name, other: Name, position: int, third: Name) -> Reason:
    """Tell that a player of the top half was skipped: C is ranked below A (docs/rules.md, 4)."""
    return Reason(
        f"{chooser} skipped {other}, number {position} and in the top half: in the bottom half number {position} from "
        f"the lowest ranked is {third}, ranked below {chooser}, so {other} may refuse."
    )


def must_accept(chooser: Name, other: Name, position: int, third: Name) -> Reason:
    """Tell that a player of the top half could not refuse: C is not ranked below A (docs/rules.md, 4)."""
    return Reason(
        f"{other} is number {position} and in the top half: in the bottom half number {position} from the lowest "
        f"ranked is {third}, not ranked below {chooser}, so {other} can't refuse."
    )


def refusals_ignored(chooser: Name) -> Reason:
    """Tell that the right to refuse was set aside."""
    return Reason(f"Everyone left to {chooser} may refuse, so no one may.")


def nobody_left(chooser: Name, met: Sequence[tuple[Name, Meeting]]) -> Reason:
    """Tell that a player had met everyone still unpaired."""
    told = ", ".join(f"{name} ({when(meeting)})" for name, meeting in met[:MOST_TOLD])
    return Reason(f"{chooser} has met everyone still unpaired: {told}{and_more(len(met) - MOST_TOLD)}.")


def pairs_undone(chooser: Name, undone: Sequence[tuple[Name, Name]]) -> Reason:
    """Tell the pairs that were undone for a player with nobody left, the last first."""
    told = ", then ".join(f"{upper} v {lower}" for upper, lower in undone[:MOST_TOLD])
    return Reason(
        f"For {chooser} the last pairs were undone until everyone could be paired with the fewest rematches: "
        f"{told}{and_more(len(undone) - MOST_TOLD)}."
    )


def not_completable(chooser: Name, other: Name) -> Reason:
    """Tell that a player was skipped because of the others."""
    return Reason(f"{chooser} skipped {other}: then the others would need one more rematch.")


def first_completable(chooser: Name, chosen: Name) -> Reason:
    """Tell the choice of a player with nobody left."""
    return Reason(f"{chooser} takes {chosen}, the first that leaves everyone else a pairing.")


def forced_rematch(chooser: Name, other: Name, meeting: Meeting) -> Reason:
    """Tell that a pair is a rematch, and that no pairing of its list has fewer."""
    return Reason(
        f"{chooser} v {other} is a rematch (they met {when(meeting)}): no pairing of these players has fewer rematches."
    )


def was_undone(upper: Name, lower: Name, stuck: Name) -> Reason:
    """Tell that an earlier pair of one of the two was undone."""
    return Reason(f"{upper} v {lower} was set before, and undone because {stuck} had no one left.")
