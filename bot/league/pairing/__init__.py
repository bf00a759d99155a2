"""The pairing engine: an even list or tier in, its pairs with their reasons out (docs/rules.md, 2 and 4)."""

from collections.abc import Sequence
from functools import partial

from bot.league.meetings import Meetings
from bot.league.model import Name
from bot.league.pairing.certified_walk import Walk
from bot.league.pairing.list_opponent import ListOpponents
from bot.league.pairing.matching import Matching
from bot.league.pairing.roster import Roster
from bot.league.pairing.telling import Opening, Telling
from bot.league.pairing.tier_opponent import TierOpponents
from bot.league.proposal import Pair
from bot.league.reasons import Key


def pair_list(
    order: Sequence[Name],
    met: Meetings,
    keys: Sequence[Key] = (),
    *,
    tier: str = "",
    opening: Opening = lambda _: (),
) -> tuple[Pair, ...]:
    """Pair an even list from the top, each with the next they have not met, with the fewest rematches."""
    roster = Roster(order, met, keys)
    return _pairs(Walk(roster, ListOpponents(roster)), tier, opening)


def pair_tier(
    by_sos: Sequence[Name],
    ranking: Sequence[Name],
    met: Meetings,
    keys: Sequence[Key] = (),
    ranking_keys: Sequence[Key] = (),
    *,
    tier: str = "",
    opening: Opening = lambda _: (),
) -> tuple[Pair, ...]:
    """Pair an even 0- or 1-loss tier (docs/rules.md, 4), both orders best first, with the keys that sort them."""
    roster = Roster(by_sos, met, keys)
    return _pairs(Walk(roster, TierOpponents(roster, ranking, ranking_keys)), tier, opening)


def fewest_rematches(order: Sequence[Name], met: Meetings) -> int:
    """Return the fewest rematches of any complete pairing of an even list."""
    return len(Matching(Roster(order, met).graph).single) // 2


def omissible(order: Sequence[Name], met: Meetings) -> tuple[Name, ...]:
    """Return the players an odd list can leave out so that the others need no rematch, in list order."""
    roster = Roster(order, met)
    matching = Matching(roster.graph)
    if len(matching.single) != 1:
        return ()
    return tuple(roster.names[player] for player in sorted(matching.dispensable()))


def _pairs(walk: Walk, tier: str, opening: Opening) -> tuple[Pair, ...]:
    walk.go()
    names, of, may_meet = walk.roster.names, Telling(walk, opening).of, walk.roster.may_meet
    return tuple(
        Pair(
            upper=names[chooser],
            lower=names[chosen],
            tier=tier,
            rematch=not may_meet(chooser, chosen),
            why=partial(of, number),
        )
        for number, ((chooser, chosen), _) in enumerate(walk.steps)
    )
