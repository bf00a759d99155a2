"""The tiers of an OHS round: strength of schedule, the bye, and who is paired up (docs/rules.md, 4)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from bot.league.draw import Draw, Purpose
from bot.league.formats.ohs.tier_reasons import FewestByes, PairedUp
from bot.league.history import History, Outcome, Record
from bot.league.model import Name
from bot.league.proposal import Bye
from bot.league.ratings import DECIMALS, expected_against_average, ranking_value, season_ratings
from bot.league.reasons import SmallestDraw

CAREFUL_TIERS = 1
"""Tiers with at most so many losses are paired by strength of schedule, those below by ranking."""


class Field:
    """What OHS looks at before a round: everybody's record, ranking and strength of schedule, and the draw of ties."""

    def __init__(self, history: History, draw: Draw) -> None:
        self.history = history
        self.records = history.records
        self.draw = draw
        scale = history.season.settings.rating
        ratings = season_ratings(history.season, before=history.number)
        chances = {name: expected_against_average(rating, scale) for name, rating in ratings.items()}
        self.schedule = {name: strength_of_schedule(record, chances) for name, record in self.records.items()}
        self.ranking_values = {name: ranking_value(rating) for name, rating in ratings.items()}
        best_first = sorted(
            self.records, key=lambda name: (-self.ranking_values[name], draw.value(Purpose.TIEBREAK, name))
        )
        self.rank = {name: place for place, name in enumerate(best_first)}

    def by_ranking(self, names: Iterable[Name]) -> list[Name]:
        """Return the names best-ranked first."""
        return sorted(names, key=self.rank.__getitem__)

    def by_schedule(self, names: Iterable[Name]) -> list[Name]:
        """Return the names by strength of schedule, the greatest first; ties by ranking."""
        return sorted(names, key=lambda name: (-self.schedule[name], self.rank[name]))


def strength_of_schedule(record: Record, chances: Mapping[Name, float]) -> float:
    """Return the mean chance of his opponents against an average player; byes and unpaired losses count 0."""
    if not record.rounds:
        return 0.0
    return round(fsum(chances[name] for name in record.opponents) / record.rounds, DECIMALS)


def losses_before(record: Record, number: int) -> int:
    """Return how many losses an entrant had before a round."""
    lost = (Outcome.LOSS, Outcome.UNPAIRED)
    return sum(entry.outcome in lost for entry in record.entries if entry.round < number)


def was_paired_up(record: Record, records: Mapping[Name, Record]) -> bool:
    """Whether he played, in an earlier round, somebody who then had fewer losses, whoever paired it."""
    return any(
        losses_before(records[entry.opponent], entry.round) < losses_before(record, entry.round)
        for entry in record.entries
        if entry.opponent is not None
    )


def take_bye(field: Field, players: Sequence[Name], *, lowest: bool) -> Bye:
    """Return the bye: the smallest draw among those with the fewest byes, of all or of the lowest tier."""
    records = field.records
    most_losses = max(records[name].losses for name in players)
    asked = [name for name in players if not lowest or records[name].losses == most_losses]
    fewest = min(records[name].byes for name in asked)
    among = [name for name in asked if records[name].byes == fewest]
    name = field.draw.first(Purpose.BYE, among)
    drawn = SmallestDraw(name=name, what="has the bye", draw=field.draw, purpose=Purpose.BYE, candidates=len(among))
    return Bye(name=name, reasons=(FewestByes(byes=fewest, candidates=len(among), lowest=lowest), drawn))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """Players of equal losses, and who was paired up into their tier."""

    losses: int
    own: tuple[Name, ...]
    joined: PairedUp | None = None

    @property
    def careful(self) -> bool:
        """Whether the tier is paired by strength of schedule."""
        return self.losses <= CAREFUL_TIERS

    def sorted(self, field: Field) -> list[Name]:
        """Return the tier as it is paired, the best first; in a careful tier who was paired up comes last."""
        joined = [self.joined.name] if self.joined else []
        if self.careful:
            return [*field.by_schedule(self.own), *joined]
        return field.by_ranking([*self.own, *joined])


def tiers(field: Field, players: Iterable[Name]) -> list[Tier]:
    """Return the even tiers of an even field from the top: an odd one takes one from the next lower that has any."""
    by_losses: dict[int, list[Name]] = {}
    for name in players:
        by_losses.setdefault(field.records[name].losses, []).append(name)
    made: list[Tier] = []
    for losses in sorted(by_losses):
        own, joined = by_losses.pop(losses), None
        if len(own) % 2:
            below = min(lower for lower, names in by_losses.items() if names)
            joined = _pair_up(field, by_losses[below], origin=below, target=losses)
            by_losses[below].remove(joined.name)
        if own:
            made.append(Tier(losses=losses, own=tuple(own), joined=joined))
    return made


def _pair_up(field: Field, tier: Sequence[Name], *, origin: int, target: int) -> PairedUp:
    careful = origin <= CAREFUL_TIERS
    among, described = _eligible(field, field.by_schedule(tier) if careful else field.by_ranking(tier), careful=careful)
    name = field.draw.first(Purpose.PAIR_UP, among) if careful else among[0]
    draw = field.draw if careful else None
    return PairedUp(name=name, origin=origin, target=target, candidates=len(among), among=described, draw=draw)


def _eligible(field: Field, ordered: list[Name], *, careful: bool) -> tuple[list[Name], str]:
    """Return who can be paired up out of a tier, and who that is in words."""
    fresh = [name for name in ordered if not was_paired_up(field.records[name], field.records)]
    bottom = frozenset(ordered[len(ordered) // 2 :])
    if careful and (low := [name for name in fresh if name in bottom]):
        return low, "of its bottom half by strength of schedule not paired up before"
    if fresh:
        return fresh, "there not paired up before"
    return ordered, "there, because everybody was paired up before"
