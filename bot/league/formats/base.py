"""What a format is: the next round of a season, its standings, and its settings."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from bot.league.model import Match, Name, Round, Season, Stage
from bot.league.proposal import Next
from bot.league.settings import COMMON, SeasonSettings, read_settings
from bot.league.standings import Standing
from bot.league.time_called import round_minutes

Summary = tuple[tuple[str, str], ...]
"""Headwords with a few words each."""


class Format(ABC):
    """One way to run a season, after one document; stateless."""

    key: ClassVar[str]
    title: ClassVar[str]
    document: ClassVar[str]
    """The source document this format follows, by its title."""
    own_settings: ClassVar[tuple[str, ...]] = ()
    """Keys it takes beside those every format takes."""
    defaults: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """Where its defaults differ from the table's."""
    tiebreaks: ClassVar[tuple[str, ...]] = ()
    """The tie-breaks its standings show, in the order they are compared."""
    fewest_players: ClassVar[int] = 2
    organiser_breaks_ties: ClassVar[bool] = False
    """Whether its document lets the organiser order who is equal in everything; `equals` names them."""
    game: ClassVar[str | None] = None
    """The game its document is about, whose round lengths hold where a season says no other."""

    @property
    def settings_keys(self) -> tuple[str, ...]:
        """Every key it takes."""
        return (*self.own_settings, *COMMON)

    def read_settings(self, given: Mapping[str, Any]) -> SeasonSettings:
        """Check a season's settings and fill in the defaults; raises Invalid."""
        return read_settings(given, allowed=self.settings_keys, defaults=self.defaults)

    @abstractmethod
    def next_round(self, season: Season) -> Next:
        """Return what comes after the season's rounds; raises PairingImpossible while a result is missing."""

    @abstractmethod
    def standings(self, season: Season) -> tuple[Standing, ...]:
        """Return everybody once, best first, as of now."""

    @abstractmethod
    def rules(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return the season's rules in plain words: rounds, best-of, cut, byes, tie-breaks, drops."""

    @abstractmethod
    def summary(self, settings: SeasonSettings, entrants: int | None = None) -> Summary:
        """Return what everybody asks first, a few words each: rounds, games of a match, cut, byes, tie-breaks."""

    def equals(self, season: Season) -> tuple[tuple[Name, ...], ...]:
        """Return the groups an organiser may order before the draw does; none where no document asks him."""
        return ()

    def best_of(self, season: Season, round_: Round, match: Match) -> int:
        """Return the most games a match of this round, published or a draft, can have."""
        settings = season.settings
        if round_.stage is not Stage.FINALS:
            return settings.best_of
        return settings.final_best_of if self.is_final(season, round_, match) else settings.finals_best_of

    def is_final(self, season: Season, round_: Round, match: Match) -> bool:
        """Whether a match is that of the last two who have not lost in the finals.

        It is neither the only match beside byes, nor the one for third place, the only other one of its round.
        """
        if round_.stage is not Stage.FINALS or len(round_.matches) > 2:
            return False
        before = (r for r in season.rounds if r.stage is Stage.FINALS and r.number < round_.number)
        beaten = {name for earlier in before for match in earlier.matches for name in match.winless}
        seated = {*round_.byes, *(name for one in round_.matches for name in one.players)}
        return seated - beaten == {*match.players}

    def minutes(self, season: Season, round_: Round) -> int | None:
        """Return how long a live round lasts by the documents: as its longest match; None where none says it."""
        settings, lengths = season.settings, list[int]()
        for match in round_.matches:
            best_of, final = self.best_of(season, round_, match), self.is_final(season, round_, match)
            minutes = round_minutes(settings.game or self.game, settings.variant, best_of=best_of, final=final)
            if minutes is None:
                return None
            lengths.append(minutes)
        return max(lengths, default=None)
