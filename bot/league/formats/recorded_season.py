"""A season of another kind, only recorded: its results and ratings count, but nothing in it is paired or verified."""

from bot.league.counting.draw import draw_of
from bot.league.counting.history import History
from bot.league.counting.standings import Row, Standing, ranked
from bot.league.errors import WrongPhase
from bot.league.formats.shared.base import Chapter, Format, Rule
from bot.league.pairing.proposal import Next
from bot.league.season.model import Season, Stage, Status
from bot.league.season.settings import COMMON, SETTINGS, SeasonSettings


class RecordedSeason(Format):
    """Results that were paired elsewhere, ranked by wins and losses."""

    key = "record"
    title = "Recorded results"
    sentence = "results of a season of another kind; nothing is paired"
    paired = False
    own_settings = tuple(key for key in SETTINGS if key not in COMMON)

    def before_finals(self, season: Season, earlier: History | None = None) -> History:
        """Return all of the season: no one knows which of its rounds were finals."""
        return History(season, stages=tuple(Stage), earlier=earlier)

    def next_after(self, history: History) -> Next:
        """Refuse: raises WrongPhase."""
        raise WrongPhase("this season was recorded elsewhere: its results count, but nothing is paired here")

    def standings(self, season: Season) -> tuple[Standing, ...]:
        """Return every entrant once by wins and losses over all rounds, then by the draw."""
        history = self.before_finals(season)
        rows = ranked(
            (Row(record=record) for record in history.records.values()),
            lambda row: (row.record.wins, -row.record.losses),
            draw_of(season, len(season.rounds)),
        )
        return self.numbered(rows, history, dict.fromkeys(history.records, Status.ACTIVE))

    def in_words(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[Rule, ...]:
        """Return that it has no rules of its own."""
        return tuple(Rule(Chapter.RESULTS, text) for text in self.in_short(settings))

    def in_short(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return that it has no rules of its own."""
        return ("The results of this season were recorded elsewhere; nothing was paired here.",)
