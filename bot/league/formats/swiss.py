"""What both Swiss formats share: rounds and cut by the table, score groups, one bye (docs/rules.md, 6 and 7)."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from bot.league.draw import Purpose
from bot.league.formats.base import Proposal
from bot.league.formats.score_groups import pair_groups, score_groups
from bot.league.formats.staged import StagedFormat
from bot.league.history import History
from bot.league.model import Name, Stage
from bot.league.proposal import Bye
from bot.league.reasons import SmallestDraw
from bot.league.standings import pairing_draw

_LARGE_CUT = 16
_CUTS = ((8, 0), (32, 4), (128, 8))
"""Up to so many entrants, so many go on; a larger field sends 16."""


def default_rounds(entrants: int) -> int:
    """Return the Swiss rounds of a field: the fewest that leave one player without a loss (Lightseekers, the table)."""
    return max(1, (entrants - 1).bit_length())


def default_cut(entrants: int) -> int:
    """Return how many of a field go on to single elimination (Lightseekers, the table)."""
    return next((cut for most, cut in _CUTS if entrants <= most), _LARGE_CUT)


class Swiss(StagedFormat):
    """Everybody plays every round, against somebody of the same score; then perhaps a cut to a bracket."""

    own_settings = ("rounds", "cut")
    unit: ClassVar[tuple[str, str]]
    """What a score counts, in singular and plural."""

    @abstractmethod
    def scores(self, history: History) -> Mapping[Name, int]:
        """Return everybody's score: players of equal score are one group."""

    @abstractmethod
    def bye(self, history: History, fewest: Sequence[Name]) -> Bye:
        """Return who gets the bye from round 2 on, of those with the fewest byes."""

    def stage_over(self, history: History) -> bool:
        """Whether the rounds of the setting, or of the table, are played."""
        return len(history.table_rounds) >= self.round_count(history)

    def round_count(self, history: History) -> int:
        """Return how many Swiss rounds the season has."""
        return history.season.settings.rounds or default_rounds(len(history.starters()))

    def cut_size(self, history: History) -> int:
        """Return how many go on: the setting's number, or the table's."""
        cut = history.season.settings.cut
        return default_cut(len(history.starters())) if cut is None else cut

    def regular_next(self, history: History) -> Proposal:
        """Return the next round: the bye, then the groups from the top, each by `draw(order)`."""
        players = history.active()
        byes = (self._bye(history, players),) if len(players) % 2 else ()
        paired = [name for name in players if not byes or name != byes[0].name]
        groups = score_groups(paired, self.scores(history), pairing_draw(history), unit=self.unit)
        pairs = pair_groups(groups, history.meetings(stages=(Stage.REGULAR,)))
        return Proposal(number=history.number, stage=Stage.REGULAR, pairs=pairs, byes=byes)

    def _bye(self, history: History, players: Sequence[Name]) -> Bye:
        fewest = min(history.records[name].byes for name in players)
        among = [name for name in players if history.records[name].byes == fewest]
        return self.bye(history, among) if history.number > 1 else drawn_bye(history, among)


def drawn_bye(history: History, among: Sequence[Name]) -> Bye:
    """Return the bye of the smallest `draw(bye)` among some."""
    draw = pairing_draw(history)
    name = draw.first(Purpose.BYE, among)
    reason = SmallestDraw(name=name, what="has the bye", draw=draw, purpose=Purpose.BYE, candidates=len(among))
    return Bye(name=name, reasons=(reason,))
