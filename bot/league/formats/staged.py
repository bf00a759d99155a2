"""What all formats with finals share: a regular stage, the cut, the bracket, statuses, places and the champion."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from bot.league.bracket.reasons import BracketBye, BracketMatch, ThirdPlaceMatch
from bot.league.bracket.tree import Bracket, Duel, as_played, duels, settle, standard, third_place
from bot.league.errors import PairingImpossible
from bot.league.formats.base import Format
from bot.league.history import History, Meetings, before_finals
from bot.league.model import Kind, Match, Name, Round, Season, Stage, Status
from bot.league.proposal import Bye, Champion, Next, Pair, Proposal, Qualified
from bot.league.standings import Fates, Row, Standing


class StagedFormat(Format):
    """A regular stage, then (if there is a cut) a single-elimination bracket.

    A format says how its regular stage goes (`stage_over`, `regular_next`), how its table is ranked (`table`), how many
    go on (`cut_size`), and, where it differs, who (`finalists`) and in which slots (`first_bracket`); the driver does
    the rest. `history` is always the season before the round being paired, `history.number` that round. Draws are
    `standings.pairing_draw(history)` for pairings, `standings.table_draw(history)` for tables and cuts.
    """

    status_in_finals: ClassVar[Status] = Status.QUALIFIED
    """What who is still in the bracket is called."""

    # -- what a format says ------------------------------------------------------------------------------------------

    @abstractmethod
    def stage_over(self, history: History) -> bool:
        """Whether the regular stage and its tie-break rounds are over; every match of `history` has its result.

        Must be cheap: standings ask it too.
        """

    @abstractmethod
    def regular_next(self, history: History) -> Proposal:
        """Return the next round before the finals (`Stage.REGULAR`, or `Stage.TIEBREAK` where a format has them).

        Asked only while the stage is not over, every match has its result and at least two entrants remain.
        """

    @abstractmethod
    def table(self, history: History) -> tuple[Row, ...]:
        """Return everybody once, best first, with tie-breaks; the last one is `draw(tiebreak)` by `table_draw`."""

    @abstractmethod
    def cut_size(self, history: History) -> int:
        """Return how many go on to the finals after a finished regular stage, 0 for none; the driver caps it."""

    def remaining(self, history: History) -> tuple[Name, ...]:
        """Return who is still in during the regular stage; a format that eliminates leaves those out."""
        return tuple(history.active())

    def qualified_early(self, season: Season) -> frozenset[Name]:
        """Return who is in the finals already while the regular stage goes on; open matches do not count."""
        return frozenset()

    def finalists(self, history: History) -> tuple[Name, ...]:
        """Return who enters the finals, in seed order: by default the first of the table among the candidates."""
        candidates = self.candidates(history)
        chosen = [row.name for row in self.table(history) if row.name in candidates]
        return tuple(chosen[: self.cut(history)])

    def first_bracket(self, history: History, finalists: Sequence[Name]) -> Bracket:
        """Return the bracket as it is made; by default the standard one, seed s against P+1-s."""
        return standard(finalists)

    def rearrange(self, season: Season, number: int, bracket: Bracket, planned: Sequence[Duel]) -> tuple[Duel, ...]:
        """Return the duels of a later round of the bracket; by default by their numbers, match 1 first."""
        return tuple(sorted(planned, key=lambda duel: duel.place))

    def bracket_meetings(self, season: Season, number: int) -> Meetings:
        """Return the meetings that make a match of bracket round `number` a rematch; by default none count."""
        return Meetings()

    def has_third_place_match(self, season: Season) -> bool:
        """Whether the losing semi-finalists play beside the final."""
        return False

    def final_table(self, history: History, bracket: Bracket) -> tuple[Row, ...]:
        """Return everybody once, best first, as soon as there is a bracket; by default the table of the cut."""
        return self.table(history)

    # -- the cut -----------------------------------------------------------------------------------------------------

    def cut(self, history: History) -> int:
        """Return how many enter the finals at most: never more than there were entrants at the start."""
        return min(self.cut_size(history), len(history.starters()))

    def candidates(self, history: History) -> frozenset[Name]:
        """Return who may enter the finals.

        Without `replace` who left only after the last round before the finals keeps his place, and his opponent a bye.
        A format that eliminates has to leave out those among them whom it had eliminated: see `History.left_between`.
        """
        here = frozenset(self.remaining(history))
        return here if history.season.settings.replace else here.union(history.left_between())

    # -- the next round ----------------------------------------------------------------------------------------------

    def next_round(self, season: Season) -> Next:
        """Return what comes after the season's rounds; raises PairingImpossible while a result is missing."""
        _require_results(season)
        history = before_finals(season)
        if not self._finals_reached(history):
            remaining = self.remaining(history)
            if len(remaining) < 2:
                return Champion(name=remaining[0] if remaining else None)
            return self.regular_next(history)
        if not self._has_finals(history):
            return self._end_without_finals(history)
        return self._finals_next(history, self.bracket(history))

    def _finals_reached(self, history: History) -> bool:
        return history.number <= len(history.season.rounds) or (history.finished and self.stage_over(history))

    def _has_finals(self, history: History) -> bool:
        return history.number <= len(history.season.rounds) or self.cut(history) > 0

    def _end_without_finals(self, history: History) -> Next:
        remaining = frozenset(self.remaining(history))
        names = tuple(row.name for row in self.table(history) if row.name in remaining)
        return Qualified(names=names) if names else Champion(name=None)

    def _finals_next(self, history: History, bracket: Bracket) -> Champion | Proposal:
        season, number = history.season, len(history.season.rounds) + 1
        in_play = still_in(history, bracket, number)
        if bracket.decided or len(in_play) < 2:
            return Champion(name=in_play[0] if in_play else None)
        planned = self.planned(history, bracket, number)
        if self.has_third_place_match(season):
            planned += third_place(bracket, lambda name: history.is_active(name, at=number))
        met = self.bracket_meetings(season, number)
        return Proposal(
            number=number,
            stage=Stage.FINALS,
            pairs=tuple(_pair(bracket, duel, duel.lower, met) for duel in planned if duel.lower is not None),
            byes=tuple(_bye(bracket, duel) for duel in planned if duel.lower is None),
        )

    # -- the bracket -------------------------------------------------------------------------------------------------

    def bracket(self, history: History) -> Bracket:
        """Return the bracket after every published round of the finals; `history` ends before them."""
        bracket = self.first_bracket(history, self.finalists(history))
        for round_ in history.season.rounds[history.number - 1 :]:
            if bracket.decided:
                break
            planned = self.planned(history, bracket, round_.number)
            bracket = settle(bracket, as_played(bracket, planned, round_), round_)
        return bracket

    def planned(self, history: History, bracket: Bracket, number: int) -> tuple[Duel, ...]:
        """Return the duels of bracket round `number` as the rules say, without the one for third place."""
        planned = duels(bracket, lambda name: history.is_active(name, at=number))
        return self.rearrange(history.season, number, bracket, planned) if number > history.number else planned

    # -- the standings -----------------------------------------------------------------------------------------------

    def standings(self, season: Season) -> tuple[Standing, ...]:
        """Return everybody once, best first, as of now."""
        history = before_finals(season)
        if self._finals_reached(history) and self._has_finals(history):
            bracket = self._as_of_now(history, self.bracket(history))
            rows, fates = self.final_table(history, bracket), self._fates_in_finals(history, bracket)
        else:
            rows = self.table(history)
            fates = self._fates_before_finals(history, rows)
        return tuple(self._line(rank, row, fates) for rank, row in enumerate(rows, start=1))

    def _fates_before_finals(self, history: History, rows: Sequence[Row]) -> Fates:
        remaining = frozenset(self.remaining(history))
        inside = [row.name for row in rows if row.name in remaining]
        over = self._finals_reached(history)
        alone = len(inside) == 1 and history.finished
        to_come = (entrant.name for entrant in history.season.entrants if entrant.entered > history.number)
        return Fates(
            history=history,
            champion=inside[0] if inside and (over or alone) else None,
            qualified=remaining if over else self.qualified_early(history.season),
            active=remaining.union(to_come),
        )

    def _fates_in_finals(self, history: History, bracket: Bracket) -> Fates:
        """Return everybody's fate; `bracket` counts those who left since the last round as out."""
        rounds = history.season.rounds
        inside = tuple(name for name in bracket.slots if name not in bracket.lost)
        alone = len(inside) == 1 and all(round_.finished for round_ in rounds)
        called = self.status_in_finals
        return Fates(
            history=history,
            champion=inside[0] if alone else None,
            qualified=frozenset(inside) if called is Status.QUALIFIED else frozenset(),
            active=frozenset(inside) if called is Status.ACTIVE else frozenset(),
            places=bracket.out,
        )

    def _as_of_now(self, history: History, bracket: Bracket) -> Bracket:
        """Return the bracket with those who left since the last finished round as losers of the next one."""
        season, number = history.season, len(history.season.rounds) + 1
        if bracket.decided or not all(round_.finished for round_ in season.rounds):
            return bracket
        planned = self.planned(history, bracket, number)
        pending = tuple(Match(upper=duel.upper, lower=duel.lower) for duel in planned if duel.lower is not None)
        return settle(bracket, planned, Round(number=number, stage=Stage.FINALS, matches=pending))

    def _line(self, rank: int, row: Row, fates: Fates) -> Standing:
        record = row.record
        return Standing(
            rank=rank,
            name=record.name,
            points=record.points if "points" in self.own_settings else record.wins,
            wins=record.wins,
            losses=record.losses,
            draws=record.draws,
            byes=record.byes,
            status=fates.status(record.name),
            place=fates.place(record.name),
            tiebreaks=row.tiebreaks,
        )


def still_in(history: History, bracket: Bracket, number: int) -> tuple[Name, ...]:
    """Return who is still in the bracket before round `number`; who has won it stays its winner whatever he does."""
    if bracket.decided:
        return bracket.standing()
    return tuple(name for name in bracket.standing() if history.is_active(name, at=number))


def _require_results(season: Season) -> None:
    for round_ in season.rounds:
        open_ = [match for match in round_.matches if match.kind is Kind.OPEN]
        if open_:
            named = ", ".join(f"{match.upper} v {match.lower}" for match in open_[:3])
            more = f" and {len(open_) - 3} more" if len(open_) > 3 else ""
            raise PairingImpossible(
                f"round {round_.number} has matches without a result: {named}{more}; enter their results first, "
                f"then the next round can be paired"
            )


def _pair(bracket: Bracket, duel: Duel, lower: Name, met: Meetings) -> Pair:
    rematch = met.between(duel.upper, lower) is not None
    if duel.place == 0:
        reasons = (ThirdPlaceMatch(name=duel.upper, opponent=lower),)
        return Pair(upper=duel.upper, lower=lower, reasons=reasons, rematch=rematch)
    seeds = (bracket.slot(duel.upper), bracket.slot(lower))
    match = BracketMatch(upper=duel.upper, lower=lower, seeds=seeds, players=len(bracket.places))
    notes = bracket.notes.get((duel.upper, lower), ())
    return Pair(upper=duel.upper, lower=lower, reasons=(match, *notes, *duel.reasons), rematch=rematch)


def _bye(bracket: Bracket, duel: Duel) -> Bye:
    if duel.place == 0 and duel.absent is not None:
        return Bye(name=duel.upper, reasons=(ThirdPlaceMatch(name=duel.upper, opponent=duel.absent, absent=True),))
    seed = bracket.slot(duel.upper)
    reason = BracketBye(name=duel.upper, seed=seed, players=len(bracket.places), absent=duel.absent)
    notes = () if bracket.lost else bracket.notes.get((duel.upper,), ())
    return Bye(name=duel.upper, reasons=(reason, *notes))
