"""Players over the seasons: the careers of a league, kept season by season, for profiles.

A season's part holds until that season or one before it changes, so a result in the running season lets only its own
part be worked out again. What takes long is worked out in a process beside the bot (`bot/steps.py`).
"""

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.league.bracket.match_names import in_sentence
from bot.league.counting.ratings import Carried, ShownRating
from bot.league.season.match_score import Result, result_words
from bot.league.season.model import Name, Rating
from bot.league.season.phases import SeasonPhase
from bot.league.summaries import careers, league_records
from bot.league.summaries.careers import Career, OwnSeason, Played, SeasonPlayed
from bot.league.summaries.league_records import LeagueRecords
from bot.services.base import cached
from bot.services.base.order import Order
from bot.services.base.transaction import read_transaction
from storage import rated_seasons, rules_season
from storage.cache import Cache, InTurn, in_turn, keep_in_turn, known_in_turn
from storage.database import Connection
from storage.rows import LeagueId, PlayerId, PlayerRow
from storage.rules_season import Known
from storage.tables import seasons
from storage.tables.field import entrants

MOST_WHILE_READING = 2000
"""As many matches are told of in a reader's thread; they take a quarter of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """A season as plain records, with what `SeasonPlayed` says beside them."""

    record: Known
    people: Mapping[Name, PlayerId]
    phase: SeasonPhase
    champion: PlayerId | None
    start: Mapping[PlayerId, Rating | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What each player did in a season, packed, because people ask for a few of them; what everyone takes out of it.

    `records` are the league's after it.
    """

    own: Mapping[int, bytes]
    matches: int
    taken: Carried[int]
    records: LeagueRecords


@dataclass(frozen=True, slots=True, kw_only=True)
class Untold:
    """What is to be told of a league's seasons: `first` is what is known of the first, `rest` are the others."""

    league_id: LeagueId
    turns: tuple[InTurn, ...]
    first: tuple[Told, ...]
    rest: tuple[Records, ...]

    @property
    def brought(self) -> tuple[Carried[int], LeagueRecords]:
        """What everyone takes out of the seasons that are known, and the records after them."""
        return (self.first[-1].taken, self.first[-1].records) if self.first else (Carried(), LeagueRecords())

    def keep(self, cache: Cache, summaries: Sequence[Told]) -> None:
        """Keep what was told, each season for as long as none up to it changes."""
        careers_now = (*self.first, *summaries)
        size = sum(careers_of.matches + len(careers_of.own) for careers_of in careers_now)
        keep_in_turn(cache, ("careers", self.league_id), self.turns, careers_now, size=size)


def tell(brought: tuple[Carried[int], LeagueRecords], rest: Sequence[Records]) -> tuple[Told, ...]:
    """Return what everyone did in seasons, in turn; some seconds for 50,000 matches."""
    taken, records = brought
    summaries: list[Told] = []
    for season in rest:
        record = rules_season.season_of(season.record)
        played = SeasonPlayed(
            record=record, people=season.people, phase=season.phase, champion=season.champion, start=season.start
        )
        own, taken = careers.of_season(played, taken)
        matches = sum(len(each.matches) for each in own.values()) // 2
        records = league_records.after_season(records, own)
        packed = {player_id: pickle.dumps(each) for player_id, each in own.items()}
        summaries.append(Told(own=packed, matches=matches, taken=taken, records=records))
    return tuple(summaries)


def untold(conn: Connection, league_id: LeagueId) -> Untold:
    """Return what is known of a league's careers, and what is to be told."""
    turns = in_turn(conn, league_id)
    known_part: tuple[Told, ...] = known_in_turn(conn, ("careers", league_id), turns)
    rest = turns[len(known_part) :]
    starts = rated_seasons.starts_of(conn, league_id, since=rest[0].number) if rest else {}
    return Untold(
        league_id=league_id,
        turns=turns,
        first=known_part,
        rest=tuple(_records(conn, turn, starts.get(turn.season_id, {})) for turn in rest),
    )


def _records(conn: Connection, turn: InTurn, start: Mapping[PlayerId, Rating | None]) -> Records:
    row = seasons.get(conn, turn.season_id)
    return Records(
        record=rules_season.known(conn, row.id, past=False),
        people=cached.people_of(conn, row),
        phase=row.phase,
        champion=None if row.champion_id is None else entrants.get(conn, row.champion_id).person_id,
        start=start,
    )


def takes_long(conn: Connection, order: Order) -> Untold | None:
    """Return what is to be told before someone asks for a career; None where that is known or soon done."""
    league_id = read_transaction(conn, order).league.id
    turns = in_turn(conn, league_id)
    known_part = known_in_turn(conn, ("careers", league_id), turns)
    if len(known_part) == len(turns):
        return None
    matches = rated_seasons.how_many(conn, league_id, turns[len(known_part)].number, rated_seasons.EVERY_SEASON)
    return untold(conn, league_id) if matches > MOST_WHILE_READING else None


def of_player(conn: Connection, player: PlayerRow) -> Career:
    """Return a player's career, without seasons in which no round was posted."""
    parts = _told(conn, player.league_id)
    own: list[OwnSeason] = [pickle.loads(part.own[player.id]) for part in parts if player.id in part.own]
    return Career(seasons=tuple(season for season in own if season.begun))


def records_of(conn: Connection, league_id: LeagueId) -> LeagueRecords:
    """Return a league's records."""
    parts = _told(conn, league_id)
    return parts[-1].records if parts else LeagueRecords()


def _told(conn: Connection, league_id: LeagueId) -> tuple[Told, ...]:
    def told() -> tuple[Told, ...]:
        missing = untold(conn, league_id)
        if missing.rest:
            summaries = tell(missing.brought, missing.rest)
            if conn.cache is not None and not conn.changes:
                missing.keep(conn.cache, summaries)
            return (*missing.first, *summaries)
        return missing.first

    return conn.once(("careers", league_id), told)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastMeeting:
    """One match against an opponent: where in the season, and the result in words."""

    season: int
    match: str
    result: str


def meeting(match: Played, own: Career, theirs: Career) -> PastMeeting:
    """Return a match of two people in words, by the names they had then."""
    winner = {Result.WON.value: own, Result.LOST.value: theirs}.get(match.result)
    called = (
        next((season.called for season in winner.seasons if season.number == match.season), None) if winner else None
    )
    scoreline = match.scoreline.flipped if match.result == Result.LOST else match.scoreline
    result = result_words(match.kind, winner=called, scoreline=scoreline)
    return PastMeeting(season=match.season, match=in_sentence(match.where), result=result)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingAfter:
    """The shown rating after a rated match of a season."""

    season: int
    rating: ShownRating


def ratings_of(career: Career) -> tuple[RatingAfter, ...]:
    """Return a player's rating after each of their rated matches."""
    return tuple(
        RatingAfter(season=match.season, rating=match.rating) for match in career.matches if match.rating is not None
    )
