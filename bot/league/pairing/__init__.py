"""The pairing engine: an even list or tier in, its pairs with their reasons out (docs/rules.md, 2 and 4)."""

from collections.abc import Sequence

from bot.league.history import Meetings
from bot.league.model import Name
from bot.league.pairing.blossom import Matching
from bot.league.pairing.list_choice import ListChoice
from bot.league.pairing.roster import Roster
from bot.league.pairing.tier_choice import TierChoice
from bot.league.pairing.walk import Walk
from bot.league.proposal import Pair


def pair_list(order: Sequence[Name], met: Meetings) -> tuple[Pair, ...]:
    """Pair an even list from the top, each with the next he has not met, with the fewest rematches."""
    roster = Roster(order, met)
    return Walk(roster, ListChoice(roster)).pairs()


def pair_tier(
    by_sos: Sequence[Name], ranking: Sequence[Name], met: Meetings, *, order: str = "strength of schedule"
) -> tuple[Pair, ...]:
    """Pair an even 0- or 1-loss tier (docs/rules.md, 4), both orders best first; `order` names the first in reasons."""
    roster = Roster(by_sos, met)
    return Walk(roster, TierChoice(roster, ranking, order)).pairs()


def fewest_rematches(order: Sequence[Name], met: Meetings) -> int:
    """Return how many rematches every complete pairing of an even list has at least."""
    return len(Matching(Roster(order, met).forbidden).single) // 2


def omissible(order: Sequence[Name], met: Meetings) -> tuple[Name, ...]:
    """Return those of an odd list without whom the others can be paired without a rematch, in list order."""
    roster = Roster(order, met)
    matching = Matching(roster.forbidden)
    if len(matching.single) != 1:
        return ()
    return tuple(roster.names[player] for player in sorted(matching.dispensable()))
