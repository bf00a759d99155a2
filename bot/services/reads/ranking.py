"""The ranking of a league: everyone's rating now, provisional ones apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.league.counting.ratings import RatedSeason, ShownRating, in_turn, ranking_value, shown_rating
from bot.league.season.model import Name, Rating
from bot.services.base.act import look
from bot.services.base.order import Order
from storage import rated_seasons
from storage.database import Connection
from storage.rows import LeagueRow
from storage.tables import players


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A player with a rating, and how many rated matches it rests on."""

    name: str
    rating: ShownRating
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingView:
    """The players of a league with a rated match, the best rating first; `own` is the name of the person who asks."""

    league: LeagueRow
    players: tuple[Ranked, ...]
    own: str | None


def ranking(conn: Connection, order: Order) -> RankingView:
    """Return the ratings of a league's players."""
    see = look(conn, order)
    rated = rated_seasons.of_league(see.conn, see.league.id)
    own = None if order.actor.user_id is None else players.by_discord(see.conn, see.league.id, order.actor.user_id)
    return RankingView(league=see.league, players=_ranked(rated), own=None if own is None else own.name)


def _ranked(rated: Sequence[RatedSeason]) -> tuple[Ranked, ...]:
    ratings: dict[Name, Rating] = {}
    matches: dict[Name, int] = {}
    for _, match in in_turn(rated, ratings):
        for name in match.players:
            matches[name] = matches.get(name, 0) + 1
    best_first = sorted(matches, key=lambda name: (-ranking_value(ratings[name]), name))
    return tuple(
        Ranked(name=name, rating=shown_rating(ratings[name], rated[-1].scale, matches[name]), matches=matches[name])
        for name in best_first
    )
