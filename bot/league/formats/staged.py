"""What all formats with finals share: a regular stage, the cut, the bracket, statuses, places and the champion."""

from abc import abstractmethod
from collections.abc import Sequence

from bot.league.brackets import Bracket, Duel, standard
from bot.league.formats.base import Format, Next, Proposal, Standing
from bot.league.history import History
from bot.league.model import Name, Season
from bot.league.standings import Row


class StagedFormat(Format):
    """A regular stage, then (if there is a cut) a single-elimination bracket.

    A format says how its regular stage goes (`stage_over`, `regular_next`), how its table is ranked (`table`), how many go
    on (`cut_size`), and, where it differs, who (`finalists`) and in which slots (`first_bracket`). The driver does the rest.
    `history` is always the season before the round being paired: `history.number` is that round, `history.season` the
    season; draws are `standings.pairing_draw(history)` for pairings, `standings.table_draw(history)` for tables and cuts.
    """

    # -- what a format says ------------------------------------------------------------------------------------------

    @abstractmethod
    def stage_over(self, history: History) -> bool:
        """Whether the regular stage and its tie-break rounds are over; all rounds of `history` are finished.

        Must be cheap: standings ask it too, about the finished rounds.
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

    def qualified_early(self, history: History) -> frozenset[Name]:
        """Return who is in the finals already while the regular stage goes on."""
        return frozenset()

    def finalists(self, history: History) -> tuple[Name, ...]:
        """Return who enters the finals, in seed order: by default the first of the table among the candidates."""
        raise NotImplementedError

    def first_bracket(self, history: History, finalists: Sequence[Name]) -> Bracket:
        """Return the bracket as it is made; by default the standard one, seed s against P+1-s."""
        return standard(finalists)

    def rearrange(self, season: Season, number: int, bracket: Bracket, planned: Sequence[Duel]) -> tuple[Duel, ...]:
        """Return the duels of a later round of the bracket; by default as the bracket has them."""
        return tuple(planned)

    def has_third_place_match(self, season: Season) -> bool:
        """Whether the losing semi-finalists play beside the final."""
        return False

    # -- what the driver does ----------------------------------------------------------------------------------------

    def candidates(self, history: History) -> frozenset[Name]:
        """Return who may enter the finals.

        Without `replace` who left only after the last round before the finals keeps his place, and his opponent a bye.
        """
        raise NotImplementedError

    def next_round(self, season: Season) -> Next:
        """Return what comes after the season's rounds; raises PairingImpossible while a result is missing."""
        raise NotImplementedError

    def standings(self, season: Season) -> tuple[Standing, ...]:
        """Return everybody once, best first, as of now."""
        raise NotImplementedError
