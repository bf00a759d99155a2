"""What a format is: its settings, the chapters of its rules, names of rounds, best of, which match is the final."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from bot.league.bracket.match_names import RoundNames
from bot.league.bracket.whole_tree import TreeMatch
from bot.league.counting.history import History
from bot.league.counting.records import Record
from bot.league.counting.standings import Row, Standing
from bot.league.counting.tiebreaks import NAMES, TiebreakName
from bot.league.errors import Invalid
from bot.league.formats.shared.groups import Calendar, GroupTable, LadderPlace, Shape
from bot.league.match_day.time_called import round_minutes
from bot.league.pairing.proposal import Next
from bot.league.pairing.reasons import Reason
from bot.league.season.choices import Game
from bot.league.season.in_words import losses_in_words
from bot.league.season.model import Match, Name, Round, Season, Stage, Status
from bot.league.season.setting_values import Page, Setting
from bot.league.season.settings import COMMON, SETTINGS, SeasonSettings

STAGE_NAMES = {Stage.REGULAR: "Round {}", Stage.TIEBREAK: "Tie-break round {}", Stage.FINALS: "Finals, round {}"}
"""What rounds are called that have no better name, numbered within their stage."""


class Chapter(StrEnum):
    """What a group of rules is about, in the order people read them."""

    ROUNDS = "Rounds and pairings"
    RESULTS = "Results and deadlines"
    STANDINGS = "Standings and tie-breaks"
    FINALS = "Finals"
    PEOPLE = "Joining and leaving"
    DRAW = "Random order"


class Rule(NamedTuple):
    """A rule of a season in plain words, perhaps with a headword."""

    chapter: Chapter
    text: str
    headword: str = ""

    @property
    def sentence(self) -> str:
        """The rule after its headword."""
        return f"{self.headword}: {self.text}" if self.headword else self.text


class Format(ABC):
    """One way to run a season, after one document; with a bracket derive from `BracketedFormat` or `StagedFormat`."""

    key: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    """What it is, for those who choose one; together with its title at most 100 characters."""
    paired: ClassVar[bool] = True
    """Whether its rounds are paired and checked by rules; only a recorded season's aren't."""
    own_settings: ClassVar[tuple[str, ...]] = ()
    """Keys it takes, besides those every format takes."""
    defaults: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """Its own defaults, where they differ from those of the settings."""
    unset: ClassVar[Mapping[str, str]] = MappingProxyType({"cut": "by the number of players"})
    """What a setting means that no one has set, where that depends on the format."""
    offers: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    """The values to choose from, where not all that a setting offers fit the format."""
    settings_here: ClassVar[Mapping[str, Setting]] = MappingProxyType({})
    """Its own record of a setting, where people type it in another way than elsewhere."""
    pages: ClassVar[Mapping[str, Page]] = MappingProxyType({})
    """The page of the panel a setting is on while it's the default, where that isn't its usual one."""
    has_regular_stage: ClassVar[bool] = False
    """Whether rounds are played before the finals; where not, every match is one of the finals."""
    tiebreaks: ClassVar[tuple[str, ...]] = ()
    """The tie-breaks its standings show, in the order they are compared."""
    fewest_players: ClassVar[int] = 2
    fixed_rounds: ClassVar[bool] = False
    """Whether its regular rounds depend on nothing that happens in them: those who left keep and forfeit matches."""
    in_groups: ClassVar[bool] = False
    """Whether its standings say groups."""
    organiser_breaks_ties: ClassVar[bool] = False
    """Whether its document lets the organiser order players who are equal in everything; `equals` names them."""
    game: ClassVar[Game | None] = None
    """The game of its document: its round lengths hold unless the season's settings name another game."""

    @cached_property
    def settings_keys(self) -> tuple[str, ...]:
        """Every key it takes."""
        return (*self.own_settings, *COMMON)

    @property
    def named_tiebreaks(self) -> dict[str, TiebreakName]:
        """The tie-breaks its standings show, in order, with their names."""
        return {key: NAMES[key] for key in self.tiebreaks}

    def default(self, key: str) -> Any:
        """Return what a setting is where no one chose it."""
        return self.defaults.get(key, SETTINGS[key].default)

    def offered(self, key: str) -> tuple[str, ...]:
        """Return the values of a setting to choose from, as people type them."""
        return self.offers.get(key, self.setting(key).values.offered)

    def setting(self, key: str) -> Setting:
        """Return the record of a setting as this format takes it."""
        return self.settings_here.get(key, SETTINGS[key])

    def setting_line(self, key: str, value: Any) -> str:
        """Return a setting with a value: `Finals: top 8`."""
        setting = self.setting(key)
        unset = self.unset.get(key) if value is None else None
        return f"{setting.label}: {unset}" if unset else setting.line(value)

    def read_settings(self, given: Mapping[str, Any]) -> SeasonSettings:
        """Check plain JSON values and fill in the defaults; raises Invalid at the key."""
        for key in given:
            if key not in self.settings_keys:
                takes = ", ".join(sorted(self.settings_keys))
                raise Invalid(f"this format has no such setting; it takes {takes}", place=key)
        read = {key: SETTINGS[key].read(value) for key, value in given.items()}
        return SeasonSettings(**{**self.defaults, **read}, explicit=MappingProxyType(dict(given)))

    def check(self, season: Season) -> None:
        """Raise Invalid, with its place in a league file, where a season has what the format refuses."""
        if season.groups is not None or any(entrant.group is not None for entrant in season.entrants):
            place = "players" if season.groups is None else "groups"
            raise Invalid("only a round robin has groups; take them out", place=place)
        if season.ladder is not None or season.ladder_of is not None:
            place = "ladder_of" if season.ladder is None else "ladder"
            raise Invalid("only a round robin has a ladder; take it out", place=place)

    def field_refusals(self, season: Season) -> Iterable[tuple[str, str]]:
        """Return why no round can be paired with those who take part, each with its place in a league file.

        It can be so while sign-ups run.
        """
        return ()

    def ladder(self, season: Season) -> tuple[Name, ...]:
        """Return the order in which the next season fills its divisions; raises as `ladder_places` does."""
        return tuple(place.name for place in self.ladder_places(season))

    def ladder_places(self, season: Season) -> tuple[LadderPlace, ...]:
        """Return the ladder a season leaves with everyone's place; raises Invalid for a format without one."""
        raise Invalid("only a round robin has a ladder", place="format")

    @abstractmethod
    def before_finals(self, season: Season, earlier: History | None = None) -> History:
        """Return the season before the first round of its finals; `earlier` as in `History`."""

    @abstractmethod
    def next_after(self, history: History) -> Next:
        """Return what comes after the rounds of the season that this is the history of, before its finals.

        Raises PairingImpossible while a result is missing.
        """

    def next_round(self, season: Season) -> Next:
        """Return what comes after the season's rounds; raises PairingImpossible while a result is missing."""
        return self.next_after(self.before_finals(season))

    @abstractmethod
    def standings(self, season: Season) -> tuple[Standing, ...]:
        """Return every entrant once, best first, as of now."""

    @abstractmethod
    def in_words(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[Rule, ...]:
        """Return the rules of a season in plain words; `entrants` is None before their number is known."""

    @abstractmethod
    def in_short(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return what players ask first, in three to five lines."""

    def for_players(self, settings: SeasonSettings, entrants: int | None = None) -> tuple[str, ...]:
        """Return the rules in short, and every other setting that isn't the default."""
        others = (key for key in SETTINGS if key in self.settings_keys and not SETTINGS[key].in_short)
        values = {key: getattr(settings, key) for key in others}
        changed = (self.setting(key).line(value) for key, value in values.items() if value != self.default(key))
        return (*self.in_short(settings, entrants), *changed)

    def on_late_entry(self, settings: SeasonSettings) -> str:
        """Return what follows from a player who enters late, besides missed rounds, in a sentence or two."""
        return ""

    def level(self, record: Record) -> str:
        """Return what players are paired by in the rounds before the finals, in words: by default their losses."""
        return losses_in_words(record.losses)

    def points(self, record: Record) -> int:
        """Return what standings show as points: wins, unless the format counts points."""
        return record.wins

    def numbered(
        self,
        rows: Iterable[Row],
        history: History,
        inside: Mapping[Name, Status],
        champion: Name | None = None,
        place: Callable[[Name], int | None] = lambda _: None,
    ) -> tuple[Standing, ...]:
        """Return the standings of these rows, best first: `inside` is the status of those still in."""

        def status(name: Name) -> Status:
            if name == champion:
                return Status.CHAMPION
            departure = history.departure(name, at=len(history.season.rounds) + 1)
            return inside.get(name, Status.ELIMINATED) if departure is None else departure.status

        places = self.places_in_groups(history)
        nowhere = (None, None)
        return tuple(
            Standing(
                rank=rank,
                name=row.name,
                group=places.get(row.name, nowhere)[0],
                group_rank=places.get(row.name, nowhere)[1],
                points=self.points(row.record),
                wins=row.record.wins,
                losses=row.record.losses,
                draws=row.record.draws,
                byes=row.record.byes,
                status=status(row.name),
                place=place(row.name),
                tiebreaks=row.tiebreaks,
            )
            for rank, row in enumerate(rows, start=1)
        )

    def how_grouped(self, season: Season) -> tuple[Reason, ...]:
        """Return step by step how the divisions of a season were filled; nothing without divisions."""
        return ()

    def places_in_groups(self, history: History) -> Mapping[Name, tuple[int, int]]:
        """Return the group of each player and the place in it; none in a format without groups."""
        return {}

    def equals(self, history: History) -> tuple[tuple[Name, ...], ...]:
        """Return the groups an organiser can order before the draw does; none unless the document says so."""
        return ()

    def counting_decisions(self, season: Season) -> frozenset[int]:
        """Return which of the season's decisions count, by their numbers from 0; the others count for nothing."""
        return frozenset()

    def drawn_places(self, season: Season) -> Mapping[Name, str]:
        """Return the players of the table who are tied with a neighbour in everything but the draw, with its texts."""
        return {}

    def planned_rounds(self, season: Season) -> int | None:
        """Return how many rounds the regular stage has; None where that isn't known before it is over."""
        return None

    def shape(self, settings: SeasonSettings, players: int, given: Sequence[int] = ()) -> Shape | None:
        """Return how the groups of so many players would look, some of them `given`; None in a format without."""
        return None

    def round_names(self, season: Season) -> tuple[RoundNames, ...]:
        """Return what people call each round of a season and its matches."""
        stages, planned = [round_.stage for round_ in season.rounds], self.planned_rounds(season)
        titles = {**STAGE_NAMES, Stage.REGULAR: f"Round {{}} of {planned}"} if planned else STAGE_NAMES
        numbers = (stages[:number].count(stage) for number, stage in enumerate(stages, start=1))
        return tuple(
            RoundNames(titles[round_.stage].format(number), ("",) * len(round_.matches))
            for round_, number in zip(season.rounds, numbers, strict=True)
        )

    def room_in_finals(self, settings: SeasonSettings) -> int:
        """Return how many players the finals have room for however they play; 0 where that isn't known yet."""
        return settings.cut or 0

    def plays_finals(self, season: Season) -> bool:
        """Return whether the season has finals, or will have them with the players it has now."""
        return season.finals_begun

    def finalists_now(self, season: Season) -> tuple[Name, ...]:
        """Return who enters the finals, in seed order, or would now; nobody where no finals follow."""
        return ()

    def tree(self, season: Season) -> tuple[TreeMatch, ...]:
        """Return the whole bracket of the finals once they have begun."""
        return ()

    def first_slots(self, season: Season) -> tuple[Name | None, ...]:
        """Return the players by first slot of a bracket that has begun, None for an empty slot; nothing without one."""
        return ()

    def struck_by_leaving(self, season: Season, name: Name) -> tuple[int, int] | None:
        """Return how many of how many matches a player has played whose results leaving now lets count for nobody."""
        return None

    def struck(self, season: Season) -> frozenset[Name]:
        """Return the players who have left and whose results count for nobody."""
        return frozenset(name for table in self.group_tables(season) for name in table.struck)

    def kept_groups(self, season: Season) -> tuple[tuple[Name, ...], ...]:
        """Return the groups a file keeps where a player is forgotten, once they have begun; nothing without groups."""
        return ()

    def calendar(self, season: Season) -> Calendar:
        """Return every regular round by groups, where the rules know all of them: nothing changes it once it began."""
        return ()

    def why_resting(self, season: Season, number: int, name: Name) -> tuple[Reason, ...]:
        """Return why a player of the calendar has no opponent in a round; nothing for one who has, or is done."""
        return ()

    def group_tables(self, season: Season) -> tuple[GroupTable, ...]:
        """Return the tables of the groups before the finals, once they are known; nothing without groups."""
        return ()

    def final_and_third(self, season: Season, number: int) -> tuple[frozenset[Name], frozenset[Name]]:
        """Return who plays the final and who plays for third place in a round; nobody where it isn't that round."""
        return frozenset(), frozenset()

    def seeds(self, season: Season) -> Mapping[Name, int]:
        """Return the seed of each player in the finals; nothing where a draw fills the bracket."""
        return {}

    def best_of(self, season: Season, round_: Round, match: Match) -> int:
        """Return the most games a match of this round can have."""
        return getattr(season.settings, self.best_of_key(season, round_, match))

    def best_of_key(self, season: Season, round_: Round, match: Match) -> str:
        """Return the setting that says how many games a match of this round can have."""
        if round_.stage is not Stage.FINALS:
            return "best_of"
        return "final_best_of" if self.is_final(season, round_, match) else "finals_best_of"

    def is_final(self, season: Season, round_: Round, match: Match) -> bool:
        """Whether a match is between the last two players without a loss in the finals.

        A match beside byes isn't the final, and a match for third place isn't either.
        """
        if round_.stage is not Stage.FINALS:
            return False
        before = (r for r in season.rounds if r.stage is Stage.FINALS and r.number < round_.number)
        beaten = {name for earlier in before for match in earlier.matches for name in match.winless}
        return {*round_.seated} - beaten == {*match.players}

    def game_of(self, settings: SeasonSettings) -> Game | None:
        """Return the game of a season: that of its settings, or of the format's document."""
        return settings.game or self.game

    def loser_begins(self, settings: SeasonSettings, best_of: int) -> bool:
        """Whether the loser of a game chooses who goes first in the next (KeyForge, best of three)."""
        return best_of > 1 and self.game_of(settings) is Game.KEYFORGE

    def minutes(self, season: Season, round_: Round) -> int | None:
        """Return the minutes of a live round, those of its longest match; None where no document gives them."""
        settings, lengths = season.settings, list[int]()
        for match in round_.matches:
            best_of, final = self.best_of(season, round_, match), self.is_final(season, round_, match)
            minutes = round_minutes(self.game_of(settings), settings.variant, best_of=best_of, final=final)
            if minutes is None:
                return None
            lengths.append(minutes)
        return max(lengths, default=None)
