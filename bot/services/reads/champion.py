"""The post at the end of a season: its champion with their way, the season in numbers, the file to check it all."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.league.checking.by_hand import by_hand_words
from bot.league.checking.fingerprints import fingerprints as made
from bot.league.counting.standings import Standing, at_the_end
from bot.league.formats import by_key
from bot.league.season.model import Name, Season
from bot.league.summaries.divisions import Ended, ended
from bot.league.summaries.highlights import Highlights, highlights
from bot.services.base import cached
from bot.services.base.post_kinds import SeasonPost, about_season, known
from bot.services.leagues import exporting
from bot.services.leagues.exporting import ExportedFile
from storage.database import Connection
from storage.posts import PostRow
from storage.rows import EntrantRow, SeasonRow
from storage.tables import proofs
from storage.tables.field import entrants
from storage.tables.proofs import Fingerprints


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What the end of a season shows beside its champion."""

    standings: tuple[Standing, ...]
    highlights: Highlights
    seeds: Mapping[Name, int]
    file: ExportedFile
    fingerprints: Fingerprints
    by_hand: str
    divisions: tuple[Ended, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionPost(SeasonPost):
    """The end of a season; without `champion` it ended with its regular stage or with nobody left."""

    record: Season
    champion: EntrantRow | None
    ending: Ending


def load(conn: Connection, post: PostRow, _: datetime) -> ChampionPost:
    """Load a season with its champion, the season in numbers and its file; raises Gone."""
    league, season = about_season(conn, post)
    record, format_ = cached.complete(conn, season), by_key(season.format)
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
            file=exporting.file_of(conn, season),
            fingerprints=_fingerprints(conn, record, season),
            by_hand=by_hand_words(record),
            divisions=ended(record),
        ),
    )


def _fingerprints(conn: Connection, record: Season, season: SeasonRow) -> Fingerprints:
    """Return the fingerprint of the whole season, and those shown before that no longer count, as it is now."""
    recomputed = [*made(record)]
    compared = proofs.compared(proofs.fingerprints_of(conn, season.id), recomputed, len(recomputed) - 1)
    fingerprints = Fingerprints(
        new={number: value for number, value in compared.new.items() if number}, void=compared.void
    )
    return proofs.with_rounds(conn, season.id, fingerprints)
