"""The pairing engine: an even list or tier in, its pairs with their reasons out (docs/formats/shared.md and ohs.md)."""

from collections.abc import Sequence
from functools import partial

from bot.league.counting.meetings import Meetings
from bot.league.pairing.certified_walk import Walk
from bot.league.pairing.list_opponent import ListOpponents
from bot.league.pairing.matching import Matching
from bot.league.pairing.proposal import Pair
from bot.league.pairing.reasons import Key
from bot.league.pairing.retelling import Opening, Retelling
from bot.league.pairing.roster import Roster
from bot.league.pairing.tier_opponent import TierOpponents
from bot.league.season.model import Name

THIS_ROUND = "this round"
"""What a list is called in a sentence where it's everyone who plays in a round."""


def pair_list(
    order: Sequence[Name],
    met: Meetings,
    keys: Sequence[Key] = (),
    *,
    tier: str = "",
    group: str = THIS_ROUND,
    opening: Opening = lambda _: (),
) -> tuple[Pair, ...]:
    """Pair an even list from the top, each with the next they have not met, with the fewest rematches.

    `group` is what the list is called in a sentence.
    """
    return _pairs(_of_list(Roster(order, met, keys)), tier, group, opening)


def pair_tier(
    by_sos: Sequence[Name],
    ranking: Sequence[Name],
    met: Meetings,
    keys: Sequence[Key] = (),
    ranking_keys: Sequence[Key] = (),
    *,
    tier: str = "",
    group: str = THIS_ROUND,
    opening: Opening = lambda _: (),
) -> tuple[Pair, ...]:
    """Pair an even 0- or 1-loss tier (docs/formats/ohs.md), both orders best first, with the keys that sort them."""
    roster = Roster(by_sos, met, keys)
    return _pairs(Walk(roster, TierOpponents(roster, ranking, ranking_keys)), tier, group, opening)


def fewest_rematches(order: Sequence[Name], met: Meetings) -> int:
    """Return the fewest rematches of any complete pairing of an even list."""
    walk = _of_list(Roster(order, met))
    return 0 if walk.go_by_the_text() is None else len(walk.certificate.single) // 2


def fewest_with(order: Sequence[Name], joining: Sequence[Name], met: Meetings) -> dict[Name, int]:
    """Return the fewest rematches of an odd list together with each of those who could join it.

    One more player finds an opponent among those that some largest set of pairs leaves single, or stays single too.
    """
    matching = Matching(Roster(order, met).graph)
    spare, single = {order[player] for player in matching.dispensable()}, len(matching.single)
    return {name: (single - 1 if spare - met.of(name).keys() else single + 1) // 2 for name in joining}


def fewest_without(order: Sequence[Name], met: Meetings) -> dict[Name, int]:
    """Return the fewest rematches of an odd list without each of its players."""
    matching = Matching(Roster(order, met).graph)
    spare, single = matching.dispensable(), len(matching.single)
    return {name: (single - 1 if player in spare else single + 1) // 2 for player, name in enumerate(order)}


def last_omissible(order: Sequence[Name], met: Meetings) -> Name | None:
    """Return the last player an odd list can leave out so that the others need no rematch; None if there is none."""
    walk = _of_list(Roster(order[:-1], met))
    if walk.go_by_the_text() is None:
        return order[-1]
    matching = Matching(Roster(order, met).graph, walk.pairs)
    return order[max(matching.dispensable())] if len(matching.single) == 1 else None


def _of_list(roster: Roster) -> Walk:
    return Walk(roster, ListOpponents(roster))


def _pairs(walk: Walk, tier: str, group: str, opening: Opening) -> tuple[Pair, ...]:
    walk.go()
    names, of, rematches = walk.roster.names, Retelling(walk, opening, group).of, walk.rematches()
    return tuple(
        Pair(upper=names[first], lower=names[other], tier=tier, rematch=number in rematches, why=partial(of, number))
        for number, (first, other) in enumerate(walk.pairs)
    )
