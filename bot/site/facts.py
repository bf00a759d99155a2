"""What pages say of a league: only what everyone may read, without Discord ids and without anyone's reasons."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from bot.exporters.calendar import Entry
from bot.exporters.sheets import Sheet
from bot.league.season.model import Name, Rating, Season
from bot.league.season.phases import RoundPhase, SeasonPhase
from bot.league.summaries.season_table import SeasonTable


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFacts:
    """When a round was posted and ends, how it's called, and when the players of its matches have agreed to play."""

    number: int
    words: str
    phase: RoundPhase
    posted_at: datetime | None
    deadline: datetime | None
    agreed: Mapping[tuple[Name, Name], datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """A season as files to take along; `name` is what they are called, without an ending."""

    name: str
    league_file: bytes
    sheets: tuple[Sheet, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonFacts:
    """A season: `record` as the rules see it, who its names are, and what is known of its course.

    `began` and `ended` are moments, or days where a season was played elsewhere, None where that isn't known. `people`
    says which player each name is, those of substitutes too; `called` what a seat is called now, `start` the
    ratings noted at its start.
    """

    record: Season
    phase: SeasonPhase
    people: Mapping[Name, int]
    start: Mapping[Any, Rating | None]
    called: Mapping[Name, str]
    champion: Name | None
    champion_id: int | None
    rounds: tuple[RoundFacts, ...]
    field: int | None
    maps: tuple[tuple[str, str], ...]
    signups_close: datetime | None
    paused_until: datetime | None
    began: date | None
    ended: date | None
    table: SeasonTable
    files: Files

    @property
    def number(self) -> int:
        """Its number."""
        return self.record.number


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFacts:
    """A player by their number, which is for good; `forgotten` ones have no page of their own."""

    id: int
    name: Name
    former_names: tuple[str, ...]
    forgotten: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The deadlines and agreed times of a season, or of the newest two."""

    season: int
    name: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueFacts:
    """A league with all its seasons, oldest first, as it was at the moment `now`.

    `changed` is the newest change noted. `calendar` is that of the season that runs. `every_season` stands at one
    address for good; what the season before calls off is in it too.
    """

    id: int
    name: str
    time_zone: str
    rules_text: str | None
    now: datetime
    players: tuple[PlayerFacts, ...]
    seasons: tuple[SeasonFacts, ...]
    someone_forgotten: bool
    changed: int
    calendar: Calendar | None = None
    every_season: Calendar | None = None
