"""The champions of a league, season by season, with their finals."""

from dataclasses import dataclass

from bot.league.bracket.match_names import FINAL
from bot.league.season.model import Stage
from bot.league.season.phases import SeasonPhase
from bot.services.base.act import look
from bot.services.base.order import Order
from bot.services.matches import views
from bot.services.matches.views import MatchView
from storage.database import Connection
from storage.rows import EntrantRow, LeagueRow, SeasonRow
from storage.tables import entrants, matches, rounds, seasons


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """A season that was played to its end: its champion and its final, where it has them."""

    season: SeasonRow
    champion: EntrantRow | None
    final: MatchView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Champions:
    """The seasons of a league that were played to their end, newest first, and the one that is played, if any."""

    league: LeagueRow
    won: tuple[Won, ...]
    playing: SeasonRow | None


def champions(conn: Connection, order: Order) -> Champions:
    """Return the champions of a league."""
    see = look(conn, order)
    ended = [row for row in seasons.of_league(conn, see.league.id) if row.phase is SeasonPhase.FINISHED]
    won = (
        Won(
            season=row,
            champion=None if row.champion_id is None else entrants.get(conn, row.champion_id),
            final=_final(conn, row),
        )
        for row in reversed(ended)
    )
    return Champions(league=see.league, won=tuple(won), playing=seasons.live(conn, see.league.id))


def _final(conn: Connection, row: SeasonRow) -> MatchView | None:
    last = rounds.latest(conn, row.id)
    if last is None or last.stage is not Stage.FINALS:
        return None
    final = next((match for match in matches.of_round(conn, last.id) if match.name == FINAL), None)
    return None if final is None else views.match_view(conn, final.id)
