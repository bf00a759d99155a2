"""The post at the end of a season: its champion with their way, the season in numbers, the file to check it all."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.league.counting.standings import Standing, at_the_end
from bot.league.formats import by_key
from bot.league.season.model import Name, Season
from bot.league.telling.highlights import Highlights, highlights
from bot.services.base import counted
from bot.services.base.post_kinds import SeasonFacts, about_season, known
from bot.services.leagues import files
from bot.services.leagues.files import ExportedFile
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow
from storage.tables import entrants


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What the end of a season shows beside its champion."""

    standings: tuple[Standing, ...]
    highlights: Highlights
    seeds: Mapping[Name, int]
    file: ExportedFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionPost(SeasonFacts):
    """The end of a season; without `champion` it ended with its regular stage or with nobody left."""

    record: Season
    champion: EntrantRow | None
    ending: Ending


def load(conn: Connection, post: PostRow, _: datetime) -> ChampionPost:
    """Load a season with its champion, the season in numbers and its file; raises Gone."""
    league, season = about_season(conn, post)
    record, format_ = counted.complete(conn, season), by_key(season.format)
    champion = None if season.champion_id is None else entrants.get(conn, season.champion_id)
    return ChampionPost(
        league=league,
        season=season,
        record=record,
        champion=champion,
        ping_ids=known([] if champion is None else [champion.discord_id]),
        ending=Ending(
            standings=at_the_end(record, format_.standings(record)),
            highlights=highlights(format_, record, None if champion is None else Name(champion.name)),
            seeds=format_.seeds(record),
            file=files.file_of(conn, season),
        ),
    )
