"""OHS tiers: by losses, strength of schedule and ranking; then a bracket seeded anew once (docs/rules.md, 4)."""

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from bot.league.bracket.tree import Bracket, Duel
from bot.league.draw import Purpose
from bot.league.formats.base import Rule
from bot.league.formats.ohs import words
from bot.league.formats.ohs.layers import seeded_anew
from bot.league.formats.ohs.rematches import without_rematches
from bot.league.formats.ohs.tier_reasons import DrawnPlaces, InTier
from bot.league.formats.ohs.tiers import Field, Tier, take_bye, tiers
from bot.league.formats.staged import StagedFormat
from bot.league.history import PAST_SEASONS, History, Meetings, meetings_before
from bot.league.model import Name, Season, Stage
from bot.league.pairing import pair_list, pair_tier
from bot.league.proposal import Pair, Proposal
from bot.league.reasons import Reason
from bot.league.settings import ByeAmong, SeasonSettings
from bot.league.standings import Row, pairing_draw, ranked, table_draw
from bot.league.tiebreaks import STRENGTH_OF_SCHEDULE

FEWEST_FINALISTS = 4
DEFAULT_ROUNDS = 4


class Ohs(StagedFormat):
    """Weekly rounds in tiers of equal losses, nobody eliminated; then a bracket of the better half."""

    key = "ohs"
    title = "OHS tiers"
    own_settings = ("rounds", "cut", "bye_among")
    defaults = MappingProxyType({"rounds": DEFAULT_ROUNDS})
    tiebreaks = (STRENGTH_OF_SCHEDULE,)

    # -- the regular stage -------------------------------------------------------------------------------------------

    def stage_over(self, history: History) -> bool:
        """Whether all rounds of the setting are played."""
        return len(history.table_rounds) >= (history.season.settings.rounds or DEFAULT_ROUNDS)

    def regular_next(self, history: History) -> Proposal:
        """Return the next round: the bye, then the pair-ups, then the tiers from the top."""
        field = Field(history, pairing_draw(history))
        players = sorted(history.active())
        byes = ()
        if len(players) % 2:
            lowest = history.season.settings.bye_among is ByeAmong.LOWEST
            byes = (take_bye(field, players, lowest=lowest),)
            players.remove(byes[0].name)
        pairs = _later_round(field, players) if history.table_rounds else _first_round(field, players)
        return Proposal(number=history.number, stage=Stage.REGULAR, pairs=pairs, byes=byes)

    def table(self, history: History) -> tuple[Row, ...]:
        """Return everybody by wins, losses, strength of schedule and ranking."""
        field = history.once(_field_of_the_table)
        rows = [
            Row(record=record, tiebreaks=MappingProxyType({STRENGTH_OF_SCHEDULE: field.schedule[record.name]}))
            for record in history.records.values()
        ]

        def key(row: Row) -> tuple[int, int, float, float]:
            name = row.name
            return (row.record.wins, -row.record.losses, field.schedule[name], field.ranking_values[name])

        return ranked(rows, key, field.draw)

    # -- the bracket -------------------------------------------------------------------------------------------------

    def default_cut(self, history: History) -> int:
        """Return how many have won as often as lost, but at least four."""
        records = (history.records[name] for name in self.candidates(history))
        return max(FEWEST_FINALISTS, sum(record.wins >= record.losses for record in records))

    def finalists(self, history: History) -> tuple[Name, ...]:
        """Return who enters the bracket in table order; by default those with a good record come before others."""
        candidates = self.candidates(history)
        rows = [row for row in self.table(history) if row.name in candidates]
        chosen = rows
        if history.season.settings.cut is None:
            chosen = sorted(rows, key=lambda row: row.record.wins < row.record.losses)
        entering = frozenset(row.name for row in chosen[: self.cut_size(history)])
        return tuple(row.name for row in rows if row.name in entering)

    def first_bracket(self, history: History, finalists: Sequence[Name]) -> Bracket:
        """Return the bracket of these seeds with its layers seeded anew, by the ranking of the cut."""
        field = history.once(_field_of_the_table)
        return seeded_anew(finalists, field.by_ranking(finalists), history.meetings())

    def rearrange(self, season: Season, number: int, bracket: Bracket, planned: Sequence[Duel]) -> tuple[Duel, ...]:
        """Return the duels after the walk that avoids rematches of this season."""
        return without_rematches(bracket, planned, meetings_before(season, number), season.number)

    def bracket_meetings(self, season: Season, number: int) -> Meetings:
        """Return everybody who met before in this season."""
        return meetings_before(season, number)

    def in_words(self, settings: SeasonSettings, entrants: int | None) -> tuple[Rule, ...]:
        """Return the rules of a season in plain words."""
        rounds = settings.rounds or DEFAULT_ROUNDS
        return words.rules(settings, entrants, rounds=rounds, fewest_finalists=FEWEST_FINALISTS)


def _field_of_the_table(history: History) -> Field:
    return Field(history, table_draw(history))


def _first_round(field: Field, players: Sequence[Name]) -> tuple[Pair, ...]:
    order = field.draw.sort(Purpose.ORDER, players)
    place = {name: number for number, name in enumerate(order, start=1)}
    pairs = pair_list(order, field.history.meetings(past=PAST_SEASONS))

    def why(pair: Pair) -> Reason:
        places = (place[pair.upper], place[pair.lower])
        return DrawnPlaces(names=pair.players, places=places, players=len(order), draw=field.draw)

    return tuple(replace(pair, reasons=(why(pair), *pair.reasons)) for pair in pairs)


def _later_round(field: Field, players: Sequence[Name]) -> tuple[Pair, ...]:
    history = field.history
    second = len(history.table_rounds) == 1
    met, met_long = history.meetings(past=1 if second else 0), history.meetings(past=PAST_SEASONS)
    pairs: list[Pair] = []
    for tier in tiers(field, players):
        order = tier.sorted(field)
        made = pair_tier(order, field.by_ranking(order), met) if tier.careful else pair_list(order, met_long)
        pairs += [_explained(pair, tier, len(order)) for pair in made]
    return tuple(pairs)


def _explained(pair: Pair, tier: Tier, players: int) -> Pair:
    order = "strength of schedule" if tier.careful else "ranking"
    reasons: list[Reason] = [InTier(losses=tier.losses, players=players, order=order)]
    if tier.joined is not None and tier.joined.name in pair.players:
        reasons.append(tier.joined)
    return replace(pair, reasons=(*reasons, *pair.reasons))
