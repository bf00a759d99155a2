"""The tiers of an OHS round: which go by strength of schedule and which by ranking, the bye, pair-ups, the pairs.

See docs/formats/ohs.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.history import History
from bot.league.counting.meetings import Meetings
from bot.league.counting.ratings import DECIMALS, expected_against_average, ranking_value, shown_rating
from bot.league.counting.records import Record
from bot.league.pairing import pair_list, pair_tier
from bot.league.pairing.drawn_byes import byes_so_far, drawn_bye
from bot.league.pairing.in_short import Pieces, tell
from bot.league.pairing.proposal import Bye, Pair
from bot.league.pairing.reasons import Key, Reason, Value, by_draw, smallest_draw
from bot.league.season.in_words import group_of_losses, one_joins
from bot.league.season.model import Name

CAREFUL_TIERS = 1
"""Tiers with at most so many losses are paired by strength of schedule, those below by ranking."""


_BLIND = Reason(
    "Rematches don't count when a player is paired up.",
    short=tell("Who joins a group is chosen before opponents are; the rules don't look at rematches there."),
)


class Orders:
    """What OHS looks at before a round: each record, ranking and strength of schedule, and the draw for ties."""

    def __init__(self, history: History, draw: Draw) -> None:
        self.records = history.records
        self.draw = draw
        scale = history.season.settings.rating
        ratings = history.ratings()
        chances = {name: expected_against_average(rating, scale) for name, rating in ratings.items()}
        self.schedule = {name: strength_of_schedule(record, chances) for name, record in self.records.items()}
        self.ranking_values = {name: ranking_value(rating) for name, rating in ratings.items()}
        best_first = sorted(
            self.records, key=lambda name: (-self.ranking_values[name], draw.value(Purpose.TIEBREAK, name))
        )
        self.rank = {name: place for place, name in enumerate(best_first)}
        ranking = Key(
            "ranking",
            self.ranking_values.__getitem__,
            "ranking (mu - 3 sigma) [as shown]",
            known_as=lambda name: str(shown_rating(ratings[name], scale, 0).value),
        )
        self.ranking_keys = (ranking, by_draw(draw, Purpose.TIEBREAK))

    def by_ranking(self, names: Iterable[Name]) -> list[Name]:
        """Return the names best-ranked first."""
        return sorted(names, key=self.rank.__getitem__)

    def by_schedule(self, names: Iterable[Name]) -> list[Name]:
        """Return the names by strength of schedule, the greatest first; ties by ranking."""
        return sorted(names, key=lambda name: (-self.schedule[name], self.rank[name]))

    def schedule_keys(self, joined: Name | None = None) -> tuple[Key, ...]:
        """Return what sorts a tier by strength of schedule; the player who joined it comes last."""

        def schedule(name: Name) -> Value:
            return "paired up" if name == joined else self.schedule[name]

        return (Key("strength of schedule", schedule), *self.ranking_keys)


def strength_of_schedule(record: Record, chances: Mapping[Name, float]) -> float:
    """Return the mean chance of the opponents against an average player; byes and unpaired losses count 0."""
    if not record.rounds:
        return 0.0
    return round(fsum(chances[name] for name in record.opponents) / record.rounds, DECIMALS)


def was_paired_up(record: Record, records: Mapping[Name, Record]) -> bool:
    """Whether a player met someone who then had fewer losses, in any earlier round, by the rules or by hand."""
    return any(
        records[entry.opponent].losses_before(entry.round) < record.losses_before(entry.round)
        for entry in record.entries
        if entry.opponent is not None
    )


def take_bye(orders: Orders, players: Sequence[Name], *, lowest: bool) -> Bye:
    """Return the bye: the smallest draw among those with the fewest byes, or those of them with the most losses."""
    byes = byes_so_far(orders.records)
    if not lowest:
        return drawn_bye(orders.draw, players, byes)
    losses = Key("losses", lambda name: orders.records[name].losses)
    return drawn_bye(orders.draw, players, byes, most=losses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """Players of equal losses, and the one paired up into their tier, with the reasons."""

    losses: int
    own: tuple[Name, ...]
    joined: Name | None = None
    why_joined: tuple[Reason, ...] = ()

    @property
    def careful(self) -> bool:
        """Whether the tier is paired by strength of schedule."""
        return self.losses <= CAREFUL_TIERS

    def sorted(self, orders: Orders) -> list[Name]:
        """Return the tier as it is paired, the best first; in a careful tier the one paired up comes last."""
        joined = [self.joined] if self.joined is not None else []
        if self.careful:
            return [*orders.by_schedule(self.own), *joined]
        return orders.by_ranking([*self.own, *joined])

    def pairs(self, orders: Orders, met: Meetings, met_long: Meetings) -> tuple[Pair, ...]:
        """Return the pairs; `met` counts for a careful tier, `met_long` for the others."""
        order, ranking = self.sorted(orders), orders.ranking_keys
        called, group = f"{self.losses}-loss tier", group_of_losses(self.losses)
        counting = met if self.careful else met_long

        def opening(players: tuple[Name, Name]) -> Iterable[Reason]:
            tier = Reason(f"The {called}: {len(order)} players.")
            if self.joined not in players:
                return (tier,)
            blind = (_BLIND,) if counting.between(*players) else ()
            return tier, *self.why_joined, *blind

        if self.careful:
            by_ranking, keys = orders.by_ranking(order), orders.schedule_keys(self.joined)
            return pair_tier(order, by_ranking, met, keys, ranking, tier=called, group=group, opening=opening)
        return pair_list(order, met_long, ranking, tier=called, group=group, opening=opening)


def tiers(orders: Orders, players: Iterable[Name]) -> list[Tier]:
    """Return the even tiers of an even orders from the top: an odd one takes one from the next lower that has any."""
    by_losses: dict[int, list[Name]] = {}
    for name in players:
        by_losses.setdefault(orders.records[name].losses, []).append(name)
    ordered_tiers: list[Tier] = []
    for losses in sorted(by_losses):
        own, joined, why = by_losses.pop(losses), None, ()
        if len(own) % 2:
            below = min(lower for lower, names in by_losses.items() if names)
            joined, why = _pair_up(orders, by_losses[below], origin=below, target=losses)
            by_losses[below].remove(joined)
        if own:
            ordered_tiers.append(Tier(losses=losses, own=tuple(own), joined=joined, why_joined=why))
    return ordered_tiers


def _pair_up(orders: Orders, tier: Sequence[Name], *, origin: int, target: int) -> tuple[Name, tuple[Reason, ...]]:
    what = f"is paired up from the {origin}-loss tier into the odd {target}-loss tier"
    because = (f"={one_joins(target, origin)}",)
    if origin > CAREFUL_TIERS:
        return _highest_ranked(orders, tier, what, because)
    ordered = orders.by_schedule(tier)
    among, whose = _eligible(orders, ordered, ordered[len(ordered) // 2 :])
    name = orders.draw.first(Purpose.PAIR_UP, among)
    after = f"; its bottom half begins with {ordered[len(ordered) // 2]}."
    halves = Reason(f"The {origin}-loss tier, ", ordered, orders.schedule_keys(), after=after)
    return name, (halves, smallest_draw(name, what, among, whose, orders.draw, Purpose.PAIR_UP, because=because))


def _highest_ranked(
    orders: Orders, tier: Sequence[Name], what: str, because: Pieces
) -> tuple[Name, tuple[Reason, ...]]:
    ordered = orders.by_ranking(tier)
    among, whose = _eligible(orders, ordered, ordered)
    first, before = ordered[: ordered.index(among[0]) + 2], f"{among[0]} {what}: the highest ranked {whose}, "
    short = (*because, *tell(f" It was the highest ranked {whose}: {{a}}.", a=among[0]))
    return among[0], (Reason(before, first, orders.ranking_keys, size=len(ordered), short=short),)


def _eligible(orders: Orders, ordered: list[Name], first: list[Name]) -> tuple[list[Name], str]:
    """Return the players who can be paired up out of a tier, of `first` if possible, and who that is in words."""
    fresh = [name for name in ordered if not was_paired_up(orders.records[name], orders.records)]
    if low := [name for name in fresh if name in first]:
        return low, "not paired up before" if first is ordered else "of their lower half not paired up before"
    if fresh:
        return fresh, "not paired up before"
    return ordered, "there, as everyone was paired up before"
