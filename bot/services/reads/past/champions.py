"""The champions of a league, season by season, with their finals."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from bot.league.bracket.match_names import FINAL
from bot.league.season.match_score import NO_NUMBERS, Scoreline
from bot.league.season.model import Name
from bot.league.season.phases import SeasonPhase
from bot.league.summaries.divisions import Ended
from bot.league.summaries.league_records import LeagueRecords
from bot.services.base.order import Order
from bot.services.base.transaction import read_transaction
from bot.services.matches import season_ladders
from bot.services.reads import looking_back
from storage.database import Connection
from storage.rows import EntrantId, EntrantRow, LeagueRow, MatchRow, SeasonRow
from storage.tables import matches, seasons
from storage.tables.field import entrants
from storage.tables.people import players


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """A season that was played to its end: its champion and the player they beat in its final, where it has them.

    `scoreline` has the numbers of the final, the champion's first; `divisions` are those below the first.
    """

    season: SeasonRow
    champion: EntrantRow | None
    beaten: EntrantRow | None
    scoreline: Scoreline = NO_NUMBERS
    divisions: tuple[Ended, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Champions:
    """The seasons of a league that were played to their end, newest first, and the one that is played, if any.

    `names` are what those in its records are called.
    """

    league: LeagueRow
    won: tuple[Won, ...]
    playing: SeasonRow | None
    records: LeagueRecords
    names: Mapping[int, Name]


def champions(conn: Connection, order: Order) -> Champions:
    """Return the champions of a league."""
    tx = read_transaction(conn, order)
    ended = [row for row in seasons.of_league(conn, tx.league.id) if row.phase is SeasonPhase.FINISHED]
    finals = {final.winner_id: final for final in matches.finals(conn, tx.league.id, FINAL)}
    people = {row.id: row for row in entrants.some(conn, _ids(ended, finals.values()))}
    won = tuple(
        replace(_won(row, finals.get(row.champion_id), people), divisions=season_ladders.ends(conn, row))
        for row in reversed(ended)
    )
    return Champions(
        league=tx.league,
        won=won,
        playing=seasons.live(conn, tx.league.id),
        records=looking_back.records_of(conn, tx.league.id),
        names={row.id: Name(row.name) for row in players.of_league(conn, tx.league.id)},
    )


def _ids(ended: Iterable[SeasonRow], finals: Iterable[MatchRow]) -> tuple[EntrantId, ...]:
    champions = (row.champion_id for row in ended if row.champion_id is not None)
    return (*champions, *(side for final in finals for side in (final.upper_id, final.lower_id)))


def _won(season: SeasonRow, final: MatchRow | None, people: Mapping[EntrantId, EntrantRow]) -> Won:
    if season.champion_id is None:
        return Won(season=season, champion=None, beaten=None)
    champion = people[season.champion_id]
    if final is None:
        return Won(season=season, champion=champion, beaten=None)
    upper = final.upper_id == champion.id
    return Won(
        season=season,
        champion=champion,
        beaten=people[final.lower_id if upper else final.upper_id],
        scoreline=final.scoreline if upper else final.scoreline.flipped,
    )
