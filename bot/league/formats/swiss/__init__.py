"""What both Swiss formats share: rounds and cut by the number of players, one bye (docs/formats/keyforge-swiss.md)."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from bot.league.counting.draw import Purpose
from bot.league.counting.history import History
from bot.league.counting.records import Record
from bot.league.formats.shared.staged import StagedFormat
from bot.league.formats.swiss.score_groups import pair_groups, score_groups
from bot.league.pairing.drawn_byes import byes_so_far, drawn_bye
from bot.league.pairing.proposal import Bye, Proposal
from bot.league.pairing.reasons import Key, by_draw
from bot.league.season.in_words import amount
from bot.league.season.model import Name, Stage
from bot.league.season.settings import SeasonSettings

_LARGE_CUT = 16
_CUTS = ((8, 0), (32, 4), (128, 8))
"""Up to so many entrants, so many go on; of more, 16."""


class Swiss(StagedFormat):
    """Everyone plays every round, against someone of the same score; then perhaps a cut to a bracket."""

    own_settings = ("rounds", "cut")
    unit: ClassVar[tuple[str, str]]
    """What a score counts, in singular and plural."""

    @abstractmethod
    def bye(self, history: History, players: Sequence[Name]) -> Bye:
        """Return the bye of a round after the first: it goes to a player with the fewest byes."""

    def level(self, record: Record) -> str:
        """Return the score in words."""
        return amount(self.points(record), *self.unit)

    def seed_keys(self, history: History) -> tuple[Key, ...]:
        """Return the score, the tie-breaks, the organiser's order where there is one, the draw."""
        rows, records = {row.name: row for row in self.table(history)}, history.records
        ties = (Key(key.replace("_", " "), lambda name, key=key: rows[name].tiebreaks[key]) for key in self.tiebreaks)
        score = Key(self.unit[1], lambda name: self.points(records[name]))
        return score, *ties, *self.organisers_order(history), by_draw(history.table_draw, Purpose.TIEBREAK)

    def organisers_order(self, history: History) -> tuple[Key, ...]:
        """Return the key of an order an organiser decided, if any."""
        return ()

    def regular_rounds(self, history: History) -> int:
        """Return the rounds of the setting, or of the table."""
        return history.season.settings.rounds or default_rounds(len(history.starters()))

    def default_cut(self, history: History) -> int:
        """Return how many go on by the table."""
        return default_cut(len(history.starters()))

    def regular_next(self, history: History) -> Proposal:
        """Return the next round: the bye, then the groups from the top, each by `draw(order)`."""
        players = history.to_pair(history.active())
        draw, byes = history.pairing_draw, ()
        if len(players) % 2:
            first = history.number == 1
            bye = drawn_bye(draw, players, byes_so_far(history.records)) if first else self.bye(history, players)
            byes = (bye,)
        paired = [name for name in players if not byes or name != byes[0].name]
        scores = {name: self.points(history.records[name]) for name in paired}
        groups = score_groups(scores, draw, unit=self.unit)
        pairs = pair_groups(groups, history.meetings(stages=(Stage.REGULAR,)), draw)
        return Proposal(number=history.number, stage=Stage.REGULAR, pairs=pairs, byes=byes)


def default_rounds(entrants: int) -> int:
    """Return the Swiss rounds of so many players: the fewest that leave one without a loss (Lightseekers)."""
    return max(1, (entrants - 1).bit_length())


def default_cut(entrants: int) -> int:
    """Return how many of so many entrants go on to single elimination (Lightseekers, the table)."""
    return next((cut for most, cut in _CUTS if entrants <= most), _LARGE_CUT)


def said_or_table(settings: SeasonSettings, entrants: int | None) -> tuple[int | None, int | None]:
    """Return the rounds and the cut for so many players; None where the table gives them and it isn't known yet."""
    rounds, cut = settings.rounds, settings.cut
    if entrants is None:
        return rounds, cut
    return rounds or default_rounds(entrants), default_cut(entrants) if cut is None else cut
