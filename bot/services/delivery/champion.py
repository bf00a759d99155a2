"""The post at the end of a season: its champion with their way, the season in numbers, the file to check it all."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.league.counting.standings import Standing, at_the_end
from bot.league.formats import by_key
from bot.league.season.model import Name, Season
from bot.league.telling.highlights import Highlights, highlights
from bot.services.base import counted
from bot.services.leagues import files
from bot.services.leagues.files import ExportedFile
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, SeasonRow
from storage.tables import entrants, leagues


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What the end of a season shows beside its champion."""

    standings: tuple[Standing, ...]
    highlights: Highlights
    seeds: Mapping[Name, int]
    file: ExportedFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionPost:
    """The end of a season; without `champion` it ended with its regular stage or with nobody left."""

    league: LeagueRow
    season: SeasonRow
    record: Season
    champion: EntrantRow | None
    ending: Ending

    @property
    def ping_ids(self) -> tuple[int, ...]:
        """The Discord id of the champion."""
        known = self.champion is not None and self.champion.discord_id
        return (known,) if known else ()


def load(conn: Connection, season: SeasonRow) -> ChampionPost:
    """Load a season with its champion, the season in numbers and its file."""
    record = counted.complete(conn, season)
    champion = None if season.champion_id is None else entrants.get(conn, season.champion_id)
    return ChampionPost(
        league=leagues.get(conn, season.league_id),
        season=season,
        record=record,
        champion=champion,
        ending=_ending(record, champion, files.file_of(conn, season)),
    )


def _ending(record: Season, champion: EntrantRow | None, file: ExportedFile) -> Ending:
    format_ = by_key(record.format)
    return Ending(
        standings=at_the_end(record, format_.standings(record)),
        highlights=highlights(format_, record, None if champion is None else Name(champion.name)),
        seeds=format_.seeds(record),
        file=file,
    )
