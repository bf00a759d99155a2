"""The format of Online HeroScape: rounds, rematches they avoid, standings, who enters finals (docs/formats/ohs.md)."""

from collections.abc import Sequence
from types import MappingProxyType

from bot.league.bracket.tree import Bracket, Duel
from bot.league.counting.draw import Purpose
from bot.league.counting.history import History, once
from bot.league.counting.meetings import PAST_SEASONS, Meetings, meetings_before, with_kept_apart
from bot.league.counting.standings import Row, ranked
from bot.league.counting.tiebreaks import STRENGTH_OF_SCHEDULE
from bot.league.formats.ohs import words
from bot.league.formats.ohs.finals import reseeded, reseeding, without_rematches
from bot.league.formats.ohs.tiers import Orders, take_bye, tiers
from bot.league.formats.shared.base import Rule
from bot.league.formats.shared.bracketed import Reseeding
from bot.league.formats.shared.proven import Proven, by_places, gone, is_everyone_here, to_come
from bot.league.formats.shared.staged import StagedFormat
from bot.league.pairing import pair_list
from bot.league.pairing.proposal import Proposal
from bot.league.pairing.reasons import Key, by_draw
from bot.league.season.choices import ByeAmong
from bot.league.season.model import Name, Season, Stage
from bot.league.season.settings import SeasonSettings

FEWEST_FINALISTS = 4
DEFAULT_ROUNDS = 4


class Ohs(StagedFormat):
    """Weekly rounds in tiers of equal losses, nobody eliminated; then a bracket of the better half."""

    key = "ohs"
    title = "Everyone plays on (OHS)"
    sentence = "no one is out for weeks; win at least half and you're in the finals"
    own_settings = ("rounds", "cut", "bye_among")
    defaults = MappingProxyType({"rounds": DEFAULT_ROUNDS})
    tiebreaks = (STRENGTH_OF_SCHEDULE,)
    unset = MappingProxyType({"cut": "everyone who wins half of their matches"})

    def regular_rounds(self, history: History) -> int:
        """Return the rounds of the setting."""
        return history.season.settings.rounds or DEFAULT_ROUNDS

    def proven(self, history: History) -> Proven:
        """Return who is sure of the finals and who is out; by default every good record goes on, however many."""
        if history.season.settings.cut is not None:
            return super().proven(history)
        reach, rounds = self.reach(history), self._rounds_of_all(history)
        if rounds is None:
            return Proven(out=gone(history))
        good = frozenset(name for name, own in reach.items() if 2 * own.lowest >= rounds)
        hopeful = frozenset(name for name, own in reach.items() if 2 * own.highest >= rounds)
        proof = by_places(reach, min(FEWEST_FINALISTS, len(history.starters())))
        return Proven(sure=proof.sure | good, out=proof.out - hopeful | gone(history))

    def enough_wins(self, history: History, places: int) -> dict[Name, int]:
        """Return how many more wins are always enough; by default a good record is, however many have one."""
        if history.season.settings.cut is not None:
            return super().enough_wins(history, places)
        rounds = self._rounds_of_all(history)
        if rounds is None:
            return {}
        results = super().enough_wins(history, min(FEWEST_FINALISTS, len(history.starters())))
        for name, own in self.reach(history).items():
            wins = max(1, (rounds + 1) // 2 - own.lowest)
            if own.lowest + wins <= own.highest:
                results[name] = min(wins, results.get(name, wins))
        return results

    def _rounds_of_all(self, history: History) -> int | None:
        """Return how many rounds count for everyone at the end; None where they differ, or someone is still to come."""
        counts = to_come(history, self.regular_rounds(history))
        here = [name for name in counts if history.is_active(name)]
        ends = {counts[name] + history.records[name].rounds for name in here}
        if not is_everyone_here(history) or len(ends) != 1 or len(here) > len(history.starters()):
            return None
        return ends.pop()

    def regular_next(self, history: History) -> Proposal:
        """Return the next round: the bye, then the pair-ups, then the tiers from the top."""
        orders = Orders(history, history.pairing_draw)
        players = sorted(history.to_pair(history.active()))
        byes = ()
        if len(players) % 2:
            lowest = history.season.settings.bye_among is ByeAmong.LOWEST
            byes = (take_bye(orders, players, lowest=lowest),)
            players.remove(byes[0].name)
        met_long, played = history.meetings(past=PAST_SEASONS), len(history.table_rounds)
        if not played:
            order = orders.draw.sort(Purpose.ORDER, players)
            pairs = pair_list(order, met_long, (by_draw(orders.draw, Purpose.ORDER),))
        else:
            met = history.meetings(past=1 if played == 1 else 0)
            pairs = tuple(pair for tier in tiers(orders, players) for pair in tier.pairs(orders, met, met_long))
        return Proposal(number=history.number, stage=Stage.REGULAR, pairs=pairs, byes=byes)

    def table(self, history: History) -> tuple[Row, ...]:
        """Return every entrant by wins, losses, strength of schedule and ranking."""
        orders = _orders_of_the_table(history)
        rows = [
            Row(record=record, tiebreaks={STRENGTH_OF_SCHEDULE: orders.schedule[record.name]})
            for record in history.records.values()
        ]

        def key(row: Row) -> tuple[int, int, float, float]:
            name = row.name
            return (row.record.wins, -row.record.losses, orders.schedule[name], orders.ranking_values[name])

        return ranked(rows, key, orders.draw)

    def room_in_finals(self, settings: SeasonSettings) -> int:
        """Return how many players the finals have room for however they play."""
        return FEWEST_FINALISTS if settings.cut is None else settings.cut

    def default_cut(self, history: History) -> int:
        """Return how many have won as often as lost, but at least four."""
        records = (history.records[name] for name in self.candidates(history))
        return max(FEWEST_FINALISTS, sum(record.wins >= record.losses for record in records))

    def finalists(self, history: History) -> tuple[Name, ...]:
        """Return the players who enter the bracket, in table order; by default those with a good record go first."""
        candidates = self.candidates(history)
        rows = [row for row in self.table(history) if row.name in candidates]
        chosen = rows
        if history.season.settings.cut is None:
            chosen = sorted(rows, key=lambda row: row.record.wins < row.record.losses)
        entering = frozenset(row.name for row in chosen[: self.cut_size(history)])
        return tuple(row.name for row in rows if row.name in entering)

    def seed_keys(self, history: History) -> tuple[Key, ...]:
        """Return what the table sorts by."""
        records = history.records
        wins, losses = Key("wins", lambda name: records[name].wins), Key("losses", lambda name: records[name].losses)
        return wins, losses, *_orders_of_the_table(history).schedule_keys()

    def first_bracket(self, history: History, finalists: Sequence[Name]) -> Bracket:
        """Return the bracket of these seeds with its layers seeded again, by the ranking of the cut."""
        orders = _orders_of_the_table(history)
        met = history.meetings()
        return reseeded(finalists, orders.by_ranking(finalists), orders.ranking_keys, met)

    def reseeding(self, history: History, finalists: Sequence[Name]) -> Reseeding | None:
        """Return how the layers seeded again differ from best against worst, and why."""
        orders = _orders_of_the_table(history)
        return reseeding(finalists, orders.by_ranking(finalists), orders.ranking_keys, history.meetings())

    def rearrange(self, history: History, number: int, bracket: Bracket, planned: Sequence[Duel]) -> tuple[Duel, ...]:
        """Return the duels after the walk that avoids rematches of this season."""
        return without_rematches(bracket, planned, self.bracket_meetings(history.season, number))

    def bracket_meetings(self, season: Season, number: int) -> Meetings:
        """Return the earlier meetings of this season, and who is kept apart in this round."""
        return with_kept_apart(meetings_before(season, number), season, number)

    def in_words(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[Rule, ...]:
        """Return the rules of a season in plain words."""
        rounds = settings.rounds or DEFAULT_ROUNDS
        return words.rules(
            settings,
            entrants,
            rounds=rounds,
            fewest_finalists=FEWEST_FINALISTS,
            tiebreaks=self.named_tiebreaks.values(),
        )

    def in_short(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return what players ask first."""
        rounds = settings.rounds or DEFAULT_ROUNDS
        return words.in_short(settings, entrants, rounds=rounds, fewest_finalists=FEWEST_FINALISTS)


@once
def _orders_of_the_table(history: History) -> Orders:
    return Orders(history, history.table_draw)
