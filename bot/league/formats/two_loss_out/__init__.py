"""Two loss out (Playstile 2LO): standings, seeds, how many the cut takes, who keeps a place.

See docs/formats/two-loss-out.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from bot.league.bracket.tree import Bracket, Duel
from bot.league.counting.draw import Purpose
from bot.league.counting.history import History
from bot.league.counting.standings import Row, ranked
from bot.league.counting.tiebreaks import STRENGTH_OF_SCHEDULE
from bot.league.errors import Invalid
from bot.league.formats.shared.base import Rule
from bot.league.formats.shared.proven import Enough, Proven, gone, is_everyone_here, to_sit_out
from bot.league.formats.shared.staged import StagedFormat
from bot.league.formats.two_loss_out import words
from bot.league.formats.two_loss_out.cut import (
    Seeded,
    contest,
    equal_at_the_line,
    lost_tiebreaks,
    pair_tiebreak,
    run_offs_over,
    seeded,
    wins_to_be_early,
)
from bot.league.formats.two_loss_out.elimination import rows_by_schedule, still_in
from bot.league.formats.two_loss_out.mixed_finals import mixed
from bot.league.formats.two_loss_out.pools import pair_pools, pools_by_losses, take_bye
from bot.league.pairing.proposal import Proposal
from bot.league.pairing.reasons import Key, by_draw
from bot.league.season.choices import Rejoin
from bot.league.season.model import Name, Season, Stage
from bot.league.season.settings import SeasonSettings

DEFAULT_CUT = 8


class TwoLossOut(StagedFormat):
    """Two losses and you're out (Playstile 2LO); `losses` and `cut` can vary it."""

    key = "two-loss-out"
    title = "Two loss out"
    sentence = "lose twice and you're out; the last players left play the finals"
    own_settings = ("cut", "losses")
    defaults = MappingProxyType({"final_best_of": 3, "rejoin": Rejoin.NEVER})
    offers = MappingProxyType({"rejoin": ("never",)})
    tiebreaks = (STRENGTH_OF_SCHEDULE,)
    unset = MappingProxyType({"cut": f"top {DEFAULT_CUT}"})

    def read_settings(self, given: Mapping[str, Any]) -> SeasonSettings:
        """Check the settings: nobody returns, or enters with too many losses, and a cut of 0 is 1; raises Invalid."""
        settings = super().read_settings(given)
        if settings.rejoin is Rejoin.FREE:
            raise Invalid("no one can come back in this format; leave it out, or use never", place="rejoin")
        cut = 1 if settings.cut == 0 else settings.cut
        return replace(settings, cut=cut, rejoin=Rejoin.NEVER, late_entry=min(settings.late_entry, settings.losses))

    def history(self, season: Season, *, before: int | None = None, earlier: History | None = None) -> History:
        """Return what happened so far; players who are out or qualified early have no round to sit out."""

        def plays(then: History) -> Sequence[Name]:
            return contest(then, self.cut_size(then)).others

        return History(season, before=before, plays=plays, earlier=earlier)

    def default_cut(self, history: History) -> int:
        """Return how many enter the finals by the document."""
        return DEFAULT_CUT

    def remaining(self, history: History) -> tuple[Name, ...]:
        """Return the players who are here and haven't lost too often."""
        return still_in(history.active(), history)

    def qualified_early(self, season: Season) -> frozenset[Name]:
        """Return the undefeated, once they are half the cut or fewer after a finished round."""
        opened = next((round_.number for round_ in season.rounds if not round_.finished), None)
        history = self.history(season, before=opened)
        return frozenset(contest(history, self.cut_size(history)).qualified)

    def regular_next(self, history: History) -> Proposal:
        """Return the next round by pools, or the tie-break round of players equal at the last place of the cut."""
        cut = self.cut_size(history)
        equal = equal_at_the_line(history, self._seeded(history), cut) if run_offs_over(history, cut) else None
        if equal is not None:
            return pair_tiebreak(history, *equal)
        others = history.to_pair(contest(history, cut).others)
        pools = pools_by_losses(others, history)
        byes = (take_bye(pools, history),) if len(others) % 2 else ()
        pairs = pair_pools(pools, history)
        return Proposal(number=history.number, stage=Stage.REGULAR, pairs=pairs, byes=byes)

    def regular_rounds(self, history: History) -> None:
        """Return None: rounds go on until the run-offs are over."""

    def proven(self, history: History) -> Proven:
        """Return who is in the finals early, and who has lost too often or left."""
        out = frozenset(history.records).difference(still_in(history.records, history)) | gone(history)
        return Proven(sure=self.qualified_early(history.season) - out, out=out)

    def enough(self, history: History) -> Mapping[Name, Enough]:
        """Return how many wins in a row bring the undefeated an early place: it's free once they are few enough."""
        cut = self.cut_size(history)
        if not is_everyone_here(history) or history.season.settings.losses == 1 or cut == 1:
            return {}
        undefeated = [name for name in self.remaining(history) if not history.records[name].losses]
        wins = wins_to_be_early(history, undefeated, cut)
        missed = to_sit_out(history)
        playing = [name for name in undefeated if name not in missed]
        return dict.fromkeys(playing, Enough(wins=wins, in_a_row=True)) if wins else {}

    def stage_over(self, history: History) -> bool:
        """Whether the run-offs are over and the line of the cut falls between unequal players."""
        return self._as_the_cut_stood(history) is not None or self._cut_stands(history)

    def _cut_stands(self, history: History) -> bool:
        cut = self.cut_size(history)
        return run_offs_over(history, cut) and equal_at_the_line(history, self._seeded(history), cut) is None

    def candidates(self, history: History) -> frozenset[Name]:
        """Return the players who can enter the finals: without `replace`, also those who left after the cut."""
        return frozenset(self.remaining(self._as_the_cut_stood(history) or history)) - history.arriving()

    def _as_the_cut_stood(self, history: History) -> History | None:
        """Return the season before the players left who keep their places in a cut that stood at the round's end.

        None where places are counted again without them: `replace`, nobody left, or another round was due.
        """
        left = frozenset(history.left_between())
        if history.season.settings.replace or not left:
            return None
        stayed = tuple(d for d in history.season.departures if d.name not in left or d.round != history.number)
        then = History(replace(history.season, departures=stayed), before=history.number)
        return then if self._cut_stands(then) else None

    def finalists(self, history: History) -> tuple[Name, ...]:
        """Return the cut in seed order: fewest losses, then SoS, then the tie-break rounds, then the draw."""
        return tuple(name for name, _ in self._seeded(history))[: self.cut_size(history)]

    def seed_keys(self, history: History) -> tuple[Key, ...]:
        """Return fewest losses, SoS, the tie-break rounds, the draw."""
        rows = {row.name: row for row in rows_by_schedule(history, history.records)[0]}
        losses = Key("losses", lambda name: rows[name].record.losses)
        schedule = Key("SoS", lambda name: rows[name].tiebreaks[STRENGTH_OF_SCHEDULE])
        lost = (
            Key("lost tie-break", lambda name, losers=losers: int(name in losers)) for losers in lost_tiebreaks(history)
        )
        return losses, schedule, *lost, by_draw(history.table_draw, Purpose.TIEBREAK)

    def _seeded(self, history: History) -> Seeded:
        among = self.candidates(history)
        return seeded(history, still_in((name for name in history.records if name in among), history))

    def rearrange(self, history: History, number: int, bracket: Bracket, planned: Sequence[Duel]) -> tuple[Duel, ...]:
        """Return the duels by their numbers, undefeated players against players with a loss where that can be."""
        undefeated = frozenset(name for name, record in history.records.items() if not record.losses)
        return mixed(bracket, super().rearrange(history, number, bracket, planned), undefeated)

    def table(self, history: History) -> tuple[Row, ...]:
        """Return players still in or in the finals, then the rest, by losses, wins, SoS, tie-break rounds, draw."""
        over = all(round_.finished for round_ in history.rounds) and self.stage_over(history)
        first = frozenset(self.entering(history) if over else self.remaining(history))
        rows, schedule = rows_by_schedule(history, history.records)
        lost = lost_tiebreaks(history)

        def key(row: Row) -> tuple[int, ...]:
            name, record = row.name, row.record
            won_ties = (-(name in losers) for losers in lost)
            return name in first, -record.losses, record.wins, schedule[name], *won_ties

        return ranked(rows, key, history.table_draw)

    def on_late_entry(self, settings: SeasonSettings) -> str:
        """Return that a late player can bring another round about, where finals follow."""
        return "" if settings.cut == 1 else words.LATE

    def in_words(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[Rule, ...]:
        """Return the rules of a season in plain words."""
        return words.rules(settings, entrants, cut=settings.cut or DEFAULT_CUT)

    def in_short(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return what players ask first."""
        return words.in_short(settings, entrants, cut=settings.cut or DEFAULT_CUT)
