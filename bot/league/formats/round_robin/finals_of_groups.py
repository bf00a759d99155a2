"""The finals of a round robin: how many enter, and that nobody meets their own group at once."""

from collections.abc import Mapping, Sequence

from bot.league.bracket.rematches import exchanged
from bot.league.bracket.tree import Bracket, Duel
from bot.league.formats.round_robin.filling import Group
from bot.league.formats.shared.words import ordinal
from bot.league.pairing.in_short import tell
from bot.league.pairing.reasons import Reason
from bot.league.season.choices import Grouping
from bot.league.season.in_words import amount
from bot.league.season.model import Name
from bot.league.season.settings import SeasonSettings

MOST = 64
"""As many enter the finals at most."""
_USUALLY_THROUGH = 2


def finals_size(settings: SeasonSettings, groups: int) -> int:
    """Return how many enter the finals of a season with so many groups, 0 for none."""
    divisions = settings.grouping is Grouping.DIVISIONS
    if settings.cut is not None:
        return settings.cut
    if settings.through is None and (groups == 1 or divisions):
        return 0
    through = settings.through or _USUALLY_THROUGH
    return min(MOST, through if divisions else through * groups)


def entering(groups: Sequence[Group], grouping: Grouping) -> Group:
    """Return who the finals are for: with divisions the first, else everyone."""
    return groups[0] if grouping is Grouping.DIVISIONS else tuple(name for group in groups for name in group)


def best_of_alike(rank: int, place: int, groups: int) -> str:
    """Return which of those with the same place in their groups a player is: `the 2nd best second of 3 groups`."""
    better = "best" if rank == 1 else f"{ordinal(rank)} best"
    called = _PLACES[place - 1] if place <= len(_PLACES) else ordinal(place)
    return f"the {better} {called} of {amount(groups, 'group')}"


_PLACES = ("winner", "second", "third", "fourth")


def across_groups(bracket: Bracket, planned: Sequence[Duel], group: Mapping[Name, str]) -> tuple[Duel, ...]:
    """Return the duels of the first round after the walk by which nobody meets their own group, if that can be."""

    def same_group(upper: Name, lower: Name) -> bool:
        return group.get(upper) == group.get(lower)

    def why(upper: Name, before: Name, after: Name) -> tuple[Reason, ...]:
        own = group.get(upper)
        if before != after and same_group(upper, before):
            short = tell(
                f"The bracket had {{a}} against {{b}}, both of {own}. So {{c}} took the place of {{b}}.",
                a=upper,
                b=before,
                c=after,
            )
            sentence = f"{upper} and {before} are both of {own}, so {after} takes the place of {before}."
        elif before != after:
            short = tell(
                "{a} changed places in the bracket, because someone else would have met their own group. So {b} met "
                "{c}.",
                a=before,
                b=upper,
                c=after,
            )
            sentence = (
                f"{before} changed places so that another player doesn't meet their own group; {after} plays here."
            )
        elif same_group(upper, after):
            short = tell(
                f"{{a}} and {{b}} are both of {own}, but no exchange in this round avoids it.", a=upper, b=after
            )
            sentence = f"{upper} and {after} are both of {own}: no exchange of lower players avoids it."
        else:
            return ()
        return (Reason(sentence, short=short),)

    return exchanged(bracket, planned, same_group, why)
