"""A regular stage before the finals: its rounds, the cut, who goes on, who wins without finals.

See docs/formats/shared.md.
"""

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from bot.league.counting.history import History
from bot.league.counting.standings import Row, Standing
from bot.league.formats.shared.bracketed import BracketedFormat
from bot.league.formats.shared.proven import (
    Enough,
    NextMatch,
    Proven,
    Reach,
    by_places,
    by_wins,
    gone,
    is_everyone_here,
    still_to_share,
    to_come,
    to_sit_out,
)
from bot.league.pairing.proposal import Champion, Next, Proposal, Qualified
from bot.league.season.model import Name, Season, Status


class StagedFormat(BracketedFormat):
    """A regular stage, then (if there is a cut) a single-elimination bracket.

    `history.number` is the round being paired. Draws are `history.pairing_draw` for pairings, `history.table_draw` for
    tables and cuts.
    """

    has_regular_stage = True
    all_qualify: ClassVar[bool] = True
    """Whether without finals everyone still here has qualified, not only the champion."""

    @abstractmethod
    def regular_rounds(self, history: History) -> int | None:
        """Return how many rounds the regular stage has; None where the results decide."""

    def planned_rounds(self, season: Season) -> int | None:
        """Return how many rounds the regular stage has; None where the results decide."""
        return self.regular_rounds(self.history(season))

    def stage_over(self, history: History) -> bool:
        """Whether the regular stage and its tie-break rounds are over; every match of `history` has its result.

        Must be cheap: standings ask it too.
        """
        return len(history.table_rounds) >= (self.regular_rounds(history) or 0)

    @abstractmethod
    def regular_next(self, history: History) -> Proposal:
        """Return the next round before the finals (`Stage.REGULAR`, or `Stage.TIEBREAK` where a format has them).

        Asked only while the stage isn't over, every match has its result and at least two entrants remain.
        """

    @abstractmethod
    def default_cut(self, history: History) -> int:
        """Return how many go on to the finals where the season's settings don't say it; 0 for no finals."""

    def remaining(self, history: History) -> tuple[Name, ...]:
        """Return the players still in during the regular stage; a format that eliminates leaves those out."""
        return tuple(history.active())

    def qualified_early(self, season: Season) -> frozenset[Name]:
        """Return the players in the finals already while the regular stage goes on; open matches don't count."""
        return frozenset()

    def reach(self, history: History) -> dict[Name, Reach]:
        """Return the scores that players who are still here can end the regular stage with."""
        points = history.season.settings.points  # where a format counts wins, it takes no other scale than 1 and 0
        low, high = min(points.loss, points.bye), max(points.win, points.bye)
        counts = to_come(history, self.regular_rounds(history) or 0)
        scores = {name: self.points(history.records[name]) for name in counts if history.is_active(name)}
        return {name: Reach(score + low * counts[name], score + high * counts[name]) for name, score in scores.items()}

    def contenders(self, history: History) -> frozenset[Name]:
        """Return those who play for the season: everyone, but with divisions."""
        return frozenset(history.records)

    def endings_known(self, season: Season) -> bool:
        """Whether the ways a season can end are all those of its wins, draws and games."""
        return True

    def proven(self, history: History) -> Proven:
        """Return who is sure of the finals and who is out of them; without finals, of the first place."""
        left = gone(history)
        if not is_everyone_here(history):
            return Proven(out=left)
        proof = by_places(self.reach(history), self.cut_size(history) or 1)
        return Proven(sure=proof.sure, out=proof.out | left)

    def next_matches(self, history: History) -> Mapping[Name, NextMatch] | None:
        """Return what is known of the next match of those who have one before the cut.

        None where each result has to be tried.
        """
        return None

    def enough(self, history: History) -> Mapping[Name, Enough]:
        """Return how many more wins always get players through, where that can be proven and they can have as many."""
        if not is_everyone_here(history):
            return {}
        results = self.enough_wins(history, self.cut_size(history) or 1)
        counts, missed = to_come(history, self.regular_rounds(history) or 0), to_sit_out(history)
        return {name: Enough(wins=wins) for name, wins in results.items() if wins + missed[name] <= counts[name]}

    def enough_wins(self, history: History, places: int) -> dict[Name, int]:
        """Return how many more wins are always enough for one of the first places, for those it can be proven of."""
        rounds, points, reach = self.regular_rounds(history) or 0, history.season.settings.points, self.reach(history)
        share = still_to_share(history, rounds, len(reach), min(points.loss, points.bye))
        return by_wins(reach, to_come(history, rounds), places, share)

    def finalists(self, history: History) -> tuple[Name, ...]:
        """Return the players who enter the finals, in seed order: the first of the table among the candidates."""
        candidates = self.candidates(history)
        chosen = [row.name for row in self.table(history) if row.name in candidates]
        return tuple(chosen[: self.cut_size(history)])

    def finalists_now(self, season: Season) -> tuple[Name, ...]:
        """Return who enters the finals, in seed order, or would now; nobody where no finals follow."""
        return self.entering(self.before_finals(season))

    def plays_finals(self, season: Season) -> bool:
        """Return whether the season has finals, or will have them with the players it has now."""
        history = self.before_finals(season)
        return self._finals_begun(history) or self.cut_size(history) > 1

    def cut_size(self, history: History) -> int:
        """Return how many enter the finals, 0 for none: never more than there were entrants at the start."""
        cut = history.season.settings.cut
        return min(self.default_cut(history) if cut is None else cut, len(history.starters()))

    def candidates(self, history: History) -> frozenset[Name]:
        """Return the players who can enter the finals.

        Without `replace`, players who left only after the last round before the finals keep their places, and their
        opponents have byes. A format that eliminates has to leave out those it had eliminated: see
        `History.left_between`. Players who came for a round that turned out to be of the finals are too late.
        """
        here = frozenset(self.remaining(history)) - history.arriving()
        return here if history.season.settings.replace else here.union(history.left_between())

    def _finals_reached(self, history: History) -> bool:
        return self._finals_begun(history) or (history.finished and self.stage_over(history))

    def has_finals(self, history: History) -> bool:
        """Whether the season has finals, not only a table."""
        return self._finals_begun(history) or self.cut_size(history) > 0

    def _finals_begun(self, history: History) -> bool:
        return history.number <= len(history.season.rounds)

    def next_before_finals(self, history: History) -> Next | None:
        """Return the next round of the regular stage, or the season's end without finals; None once finals are due."""
        if self._finals_reached(history):
            if self.has_finals(history):
                return None
            remaining = frozenset(self.remaining(history))
            names = tuple(row.name for row in self.table(history) if row.name in remaining)
            return Qualified(names=names if self.all_qualify else names[:1]) if names else Champion(name=None)
        remaining = self.remaining(history)
        if len(remaining) < 2 and not self.fixed_rounds:
            return Champion(name=remaining[0] if remaining else None)
        return self.regular_next(history)

    def standings_before_finals(self, history: History) -> tuple[Standing, ...] | None:
        """Return the standings until finals are due, then None."""
        over = self._finals_reached(history)
        if over and self.has_finals(history):
            return None
        rows, season = self.table(history), history.season
        champion = self._champion(history, rows, over=over)
        remaining = self.remaining(history)
        status = {entrant.name: Status.ACTIVE for entrant in season.entrants if entrant.entered > history.number}
        status |= dict.fromkeys(remaining, Status.ACTIVE)
        through = Status.QUALIFIED if self.all_qualify else Status.ELIMINATED
        status |= dict.fromkeys(remaining if over else self.qualified_early(season), through)
        return self.numbered(rows, history, status, champion)

    def _champion(self, history: History, rows: tuple[Row, ...], *, over: bool) -> Name | None:
        """Return the champion of a season without finals, or of one that only one player is left in."""
        remaining = frozenset(self.remaining(history))
        inside = [row.name for row in rows if row.name in remaining]
        alone = len(inside) == 1 and history.finished and not self.fixed_rounds
        return inside[0] if inside and (over or alone) else None
