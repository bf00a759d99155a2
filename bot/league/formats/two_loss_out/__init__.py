"""Playstile 2LO: pools by losses, the undefeated qualify early, S.O.S. fills the cut (docs/rules.md, 5)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from bot.league.errors import Invalid
from bot.league.formats.base import Summary
from bot.league.formats.staged import StagedFormat
from bot.league.formats.two_loss_out.cut import lost_tiebreaks, pair_tiebreak, tiebreak_rounds
from bot.league.formats.two_loss_out.pools import pair_pools, pools_by_losses, take_bye
from bot.league.formats.words import common_rules, counted, cut_in_short, games_in_short, match_rule, replace_rule
from bot.league.history import History
from bot.league.model import Kind, Name, Round, Season, Stage
from bot.league.proposal import Proposal
from bot.league.settings import SeasonSettings
from bot.league.standings import Row, pairing_draw, ranked, table_draw
from bot.league.tiebreaks import OOWR, OWR, STRENGTH_OF_SCHEDULE, WinRates, comparable, win_rates

DEFAULT_CUT = 8
MOST_TIEBREAK_ROUNDS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    """Who is in the finals already (`qualified`), who plays on, and for how many places."""

    qualified: tuple[Name, ...]
    others: tuple[Name, ...]
    slots: int
    run_offs: bool
    """Whether nobody can qualify undefeated any more: the others play for the slots."""


class TwoLossOut(StagedFormat):
    """Two losses and you are out (Playstile 2LO); `losses` and `cut` make other leagues of it."""

    key = "two-loss-out"
    title = "Two loss out"
    document = "Playstile 2LO Tournaments"
    own_settings = ("cut", "losses")
    defaults = MappingProxyType({"final_best_of": 3, "rejoin": "never"})
    tiebreaks = (STRENGTH_OF_SCHEDULE, OWR, OOWR)

    def read_settings(self, given: Mapping[str, Any]) -> SeasonSettings:
        """Check the settings: nobody comes back, and nobody enters with too many losses; raises Invalid."""
        settings = super().read_settings(given)
        if settings.rejoin == "free":
            raise Invalid("rejoin: nobody comes back in this format; leave it out, or use never")
        return replace(settings, rejoin="never", late_entry=min(settings.late_entry, settings.losses))

    # -- who is in ---------------------------------------------------------------------------------------------------

    def remaining(self, history: History) -> tuple[Name, ...]:
        """Return who is here and has not lost too often."""
        return self._unbeaten(history.active(), history)

    def _unbeaten(self, names: Iterable[Name], history: History) -> tuple[Name, ...]:
        pardoned = history.once(self._pardoned)
        return tuple(name for name in names if _is_in(name, history, pardoned))

    def _pardoned(self, history: History) -> Mapping[Name, int]:
        """Return how many losses eliminate those who play a round again that would have left nobody."""
        pardoned: dict[Name, int] = {}
        for round_ in history.table_rounds:
            if round_.matches and not round_.byes and all(m.kind is Kind.DOUBLE_LOSS for m in round_.matches):
                then = History(history.season, before=round_.number + 1)
                if not any(_is_in(name, then, pardoned) for name in then.active()):
                    pardoned.update({name: then.records[name].losses + 1 for name in self._again(then, round_)})
        return pardoned

    def _again(self, history: History, round_: Round) -> tuple[Name, ...]:
        """Return the two of a round with the best S.O.S. who are still here."""
        played = frozenset(name for match in round_.matches for name in match.players)
        rows, schedule = _rows(history, (name for name in history.active() if name in played))
        return tuple(row.name for row in ranked(rows, lambda row: schedule[row.name], table_draw(history)))[:2]

    def _plays_again(self, history: History) -> bool:
        """Whether all who remain have lost too often: the last round would have left nobody."""
        alive = self.remaining(history)
        return len(alive) > 1 and all(_eliminated(name, history) for name in alive)

    def _field(self, history: History) -> _Field:
        alive, cut, losses = self.remaining(history), self.cut_size(history), history.season.settings.losses
        undefeated = tuple(name for name in alive if history.records[name].losses == 0)
        early = bool(history.table_rounds) and losses > 1 and cut > 1 and 2 * len(undefeated) <= cut
        qualified = undefeated if early else ()
        others = tuple(name for name in alive if history.records[name].losses) if early else alive
        run_offs = early or (losses == 1 and bool(history.table_rounds))
        return _Field(qualified=qualified, others=others, slots=cut - len(qualified), run_offs=run_offs)

    def qualified_early(self, season: Season) -> frozenset[Name]:
        """Return the undefeated, once they are half the cut or fewer after a finished round."""
        opened = next((round_.number for round_ in season.rounds if not round_.finished), None)
        return frozenset(self._field(History(season, before=opened)).qualified)

    # -- the rounds --------------------------------------------------------------------------------------------------

    def stage_over(self, history: History) -> bool:
        """Whether the run-offs are over and the line of the cut falls between unequal players."""
        return self._as_it_was_settled(history) is not None or self._settled(history)

    def _settled(self, history: History) -> bool:
        return self._run_offs_over(history) and not self._equal_at_the_line(history)

    def candidates(self, history: History) -> frozenset[Name]:
        """Return who may enter the finals: without `replace` also who left after the cut was settled."""
        return frozenset(self.remaining(self._as_it_was_settled(history) or history))

    def _as_it_was_settled(self, history: History) -> History | None:
        """Return the season before those left who keep their places in a cut that was settled as the round ended.

        None where places are counted anew without them: `replace`, nobody left, or another round was due.
        """
        left = frozenset(history.left_between())
        if history.season.settings.replace or not left:
            return None
        stayed = tuple(d for d in history.season.departures if d.name not in left or d.round != history.number)
        then = History(replace(history.season, departures=stayed), before=history.number)
        return then if self._settled(then) else None

    def _run_offs_over(self, history: History) -> bool:
        if tiebreak_rounds(history):
            return True
        if self._plays_again(history):
            return False
        field = self._field(history)
        if self.cut_size(history) == 1:
            return len(field.others) <= 1
        return field.run_offs and len(field.others) < 2 * field.slots

    def regular_next(self, history: History) -> Proposal:
        """Return the next round by pools, or the tie-break round of those equal at the line of the cut."""
        equal = self._equal_at_the_line(history) if self._run_offs_over(history) else None
        if equal is not None:
            return pair_tiebreak(history, *equal)
        others = self._field(history).others
        pools = pools_by_losses(others, history)
        byes = (take_bye(pools, history),) if len(others) % 2 else ()
        pairs = pair_pools(pools, history.meetings(), pairing_draw(history))
        return Proposal(number=history.number, stage=Stage.REGULAR, pairs=pairs, byes=byes)

    def _equal_at_the_line(self, history: History) -> tuple[tuple[Name, ...], int] | None:
        """Return who is exactly equal at the last place of the cut, and for how many places, while it can be played."""
        cut, order = self.cut_size(history), self._seeded(history)
        if cut == 1 or len(order) <= cut or len(tiebreak_rounds(history)) >= MOST_TIEBREAK_ROUNDS:
            return None
        last_in = order[cut - 1][1]
        if order[cut][1] != last_in:
            return None
        above = sum(key > last_in for _, key in order)
        return tuple(name for name, key in order if key == last_in), cut - above

    def rules(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return the season's rules in plain words."""
        cut = _cut(settings, entrants)
        out = counted(settings.losses, "defeat").capitalize()
        return (
            f"{out} and you are out. Round 1 is drawn; later you meet somebody with as many losses, by the draw, and "
            "nobody twice while that can be avoided. An odd pool takes one player up from the next, by the draw.",
            "The bye is drawn in the lowest pool that has somebody without one.",
            *(_last_one_standing(settings) if cut == 1 else _cut_rules(settings, cut)),
            "Standings: those still in or in the finals, then the rest; fewest losses, most wins, S.O.S., the draw.",
            *common_rules(settings, comes_back=False),
        )

    def summary(self, settings: SeasonSettings, entrants: int | None = None) -> Summary:
        """Return rounds, games of a match, cut, byes and tie-breaks in a few words each."""
        cut = _cut(settings, entrants)
        until = "until one is left" if cut == 1 else "until the cut is full"
        return (
            ("Rounds", f"{until}; {counted(settings.losses, 'defeat')} and you are out"),
            ("Matches", games_in_short(settings, finals=cut != 1)),
            ("Cut", "none; the last one left wins" if cut == 1 else cut_in_short(cut, entrants)),
            ("Byes", "by the draw, lowest pool first"),
            ("Tie-breaks", "S.O.S., a tie-break round at the last place, the draw"),
        )

    # -- tables ------------------------------------------------------------------------------------------------------

    def cut_size(self, history: History) -> int:
        """Return the setting, at least 1, at most everybody at the start."""
        return _cut(history.season.settings, len(history.starters()))

    def finalists(self, history: History) -> tuple[Name, ...]:
        """Return the cut in seed order: fewest losses, then S.O.S., then the tie-break rounds, then the draw."""
        return tuple(name for name, _ in self._seeded(history))[: self.cut_size(history)]

    def _seeded(self, history: History) -> list[tuple[Name, tuple[int, ...]]]:
        """Return who may enter the finals, best first, with what ranks him before the draw: greater is better."""
        among = self.candidates(history)
        names = self._unbeaten((name for name in history.records if name in among), history)
        rows, schedule = _rows(history, names)
        lost = lost_tiebreaks(history)
        keys = {
            row.name: (-row.record.losses, schedule[row.name], *(-(row.name in losers) for losers in lost))
            for row in rows
        }
        return [(row.name, keys[row.name]) for row in ranked(rows, lambda r: keys[r.name], table_draw(history))]

    def table(self, history: History) -> tuple[Row, ...]:
        """Return those still in or in the finals, then the rest, by losses, wins, S.O.S., tie-break rounds, draw."""
        over = all(round_.finished for round_ in history.rounds) and self.stage_over(history)
        still_in = frozenset(self.finalists(history) if over else self.remaining(history))
        rows, schedule = _rows(history, history.records)
        lost = lost_tiebreaks(history)

        def key(row: Row) -> tuple[int, ...]:
            won_ties = (-(row.name in losers) for losers in lost)
            return row.name in still_in, -row.record.losses, row.record.wins, schedule[row.name], *won_ties

        return ranked(rows, key, table_draw(history))


def _eliminated(name: Name, history: History) -> bool:
    return history.records[name].losses >= history.season.settings.losses


def _is_in(name: Name, history: History, pardoned: Mapping[Name, int]) -> bool:
    return history.records[name].losses < pardoned.get(name, history.season.settings.losses)


def _rows(history: History, names: Iterable[Name]) -> tuple[tuple[Row, ...], Mapping[Name, int]]:
    """Return the rows of some, and whole numbers in the order of their S.O.S."""
    rates = history.once(_rates)
    rows = tuple(Row(record=history.records[name], tiebreaks=_shown(rates[name])) for name in names)
    return rows, comparable({row.name: rates[row.name].strength_of_schedule for row in rows})


def _rates(history: History) -> Mapping[Name, WinRates]:
    return win_rates(history.records)


def _shown(rates: WinRates) -> Mapping[str, Fraction]:
    return {STRENGTH_OF_SCHEDULE: rates.strength_of_schedule, OWR: rates.owr, OOWR: rates.oowr}


def _cut(settings: SeasonSettings, entrants: int | None) -> int:
    cut = DEFAULT_CUT if settings.cut is None else settings.cut
    return max(1, cut if entrants is None else min(cut, entrants))


def _last_one_standing(settings: SeasonSettings) -> tuple[str, ...]:
    return ("Rounds go on until one is left: the champion. There are no finals.", match_rule(settings, finals=False))


def _cut_rules(settings: SeasonSettings, cut: int) -> tuple[str, ...]:
    early = (f"As soon as {cut // 2} or fewer are undefeated after a round, they are in the finals and stop playing.",)
    return (
        match_rule(settings),
        *(early if settings.losses > 1 else ()),
        f"The finals take {cut}. The others play on while they are at least twice as many as the places left; then "
        "fewest losses and S.O.S. fill them.",
        "S.O.S. is twice the share of wins of your opponents plus that of their opponents; byes are wins. Who is "
        "exactly equal at the last place plays a tie-break round, twice at most; then the draw decides.",
        "The finals are single elimination: the undefeated by S.O.S., then the others by S.O.S.; best against worst.",
        replace_rule(settings),
    )
