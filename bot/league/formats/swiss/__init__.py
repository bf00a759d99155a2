"""What both Swiss formats share: rounds and cut by the table, score groups, one bye (docs/rules.md, 6 and 7)."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from bot.league.formats.base import Summary
from bot.league.formats.staged import StagedFormat
from bot.league.formats.swiss.score_groups import pair_groups, score_groups
from bot.league.formats.words import counted, cut_in_short, games_in_short, match_rule, replace_rule
from bot.league.history import History
from bot.league.model import Name, Stage
from bot.league.pairing.drawn_list import drawn_bye
from bot.league.proposal import Bye, Proposal
from bot.league.settings import SeasonSettings
from bot.league.standings import Row, pairing_draw

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

    @abstractmethod
    def ranking(self, history: History) -> tuple[Row, ...]:
        """Return everybody once, best first, the draw last."""

    def table(self, history: History) -> tuple[Row, ...]:
        """Return the ranking, made once for bye, cut and standings."""
        return history.once(self.ranking)

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
        draw = pairing_draw(history)
        groups = score_groups(paired, self.scores(history), draw, unit=self.unit)
        pairs = pair_groups(groups, history.meetings(stages=(Stage.REGULAR,)), draw)
        return Proposal(number=history.number, stage=Stage.REGULAR, pairs=pairs, byes=byes)

    def _bye(self, history: History, players: Sequence[Name]) -> Bye:
        fewest = min(history.records[name].byes for name in players)
        among = [name for name in players if history.records[name].byes == fewest]
        return self.bye(history, among) if history.number > 1 else drawn_bye(history, among)

    def opening_lines(self, settings: SeasonSettings, entrants: int | None) -> Summary:
        """Return what both Swiss formats say first, in a few words each: rounds, games of a match, cut."""
        finals = settings.cut != 0
        return (
            ("Rounds", _rounds_in_short(settings.rounds, entrants)),
            ("Matches", games_in_short(settings, finals=finals)),
            ("Cut", _cut_in_short(settings.cut, entrants)),
        )

    def opening_rules(self, settings: SeasonSettings, entrants: int | None) -> tuple[str, ...]:
        """Return the rules both Swiss formats begin with: rounds, cut, pairing."""
        finals = (replace_rule(settings), _BRACKET_RULE) if settings.cut != 0 else ()
        return (
            _rounds_rule(settings.rounds, entrants),
            _cut_rule(settings.cut, entrants),
            match_rule(settings, finals=settings.cut != 0),
            f"You meet somebody with as many {self.unit[1]} as you. An odd group floats one player down to the next, a "
            "group that could not avoid a rematch is joined with the next; nobody meets twice before the finals while "
            "that can be avoided.",
            *finals,
        )


_BRACKET_RULE = (
    "The finals are single elimination: best against worst is match 1, second best against second worst match 2, and "
    "so on; then the winner of match 1 meets the winner of the last match."
)


def _rounds_rule(rounds: int | None, entrants: int | None) -> str:
    if rounds is None and entrants is None:
        return "The table says how many rounds: 3 for 5 to 8 players, and one more each time the field doubles."
    played = counted(rounds or default_rounds(entrants or 0), "round")
    return f"{played.capitalize()} of Swiss; nobody is eliminated in them."


def _rounds_in_short(rounds: int | None, entrants: int | None) -> str:
    if rounds is None and entrants is None:
        return "Swiss; 3 for 5 to 8 players, one more each time the field doubles"
    return f"{rounds or default_rounds(entrants or 0)} of Swiss; nobody is eliminated"


def _cut_in_short(cut: int | None, entrants: int | None) -> str:
    if cut is None and entrants is None:
        return "single elimination of 4 from 9 players on, 8 from 33, 16 from 129"
    return cut_in_short(default_cut(entrants or 0) if cut is None else cut, entrants)


def _cut_rule(cut: int | None, entrants: int | None) -> str:
    if cut is None and entrants is None:
        return "The table says how many go on to the finals: 4 from 9 players on, 8 from 33, 16 from 129."
    size = default_cut(entrants or 0) if cut is None else cut
    size = size if entrants is None else min(size, entrants)
    if size == 0:
        return "There are no finals: the first of the standings wins."
    return f"The best {size} of the standings go on to the finals."
