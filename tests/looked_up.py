"""What tests look up of rounds and of past matches."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.league.errors import NotFound
from bot.league.season.phases import RoundPhase
from bot.league.summaries.careers import OwnSeason
from bot.services.base import find
from bot.services.base.order import Order
from bot.services.base.transaction import numbered, read_transaction
from bot.services.matches import views
from bot.services.matches.views import RoundView
from bot.services.reads.looking_back import PastMeeting, RatingAfter
from bot.services.reads.past import profiles
from storage.database import Connection
from storage.rows import PlayerRow
from storage.tables import rounds


def posted_round(conn: Connection, order: Order, *, number: int | None = None, season: int | None = None) -> RoundView:
    """Return the last posted round of a season, by default the newest, or the round of a number."""
    see = read_transaction(conn, order, numbered(season))
    latest = rounds.latest(conn, see.season.id)
    row = latest if number is None else rounds.by_number(conn, see.season.id, number)
    if row is None or row.phase is RoundPhase.DRAFT:
        raise NotFound(f"no posted round {number}")
    return views.round_view(conn, row.id)


@dataclass(frozen=True, kw_only=True)
class History:
    """A player's seasons by number and ratings, and their matches against an opponent."""

    player: PlayerRow
    former_names: tuple[str, ...]
    names: Mapping[int, str]
    ratings: tuple[RatingAfter, ...]
    seasons: Mapping[int, OwnSeason]
    meetings: tuple[PastMeeting, ...]


def history(conn: Connection, order: Order, *, player: str | int, opponent: str | None = None) -> History:
    """Return what a profile and its head-to-head say of a player."""
    found = profiles.profile(conn, order, player=player)
    met = profiles.meetings(conn, order, player=player)
    other = None if opponent is None else find.player(read_transaction(conn, order), opponent)
    return History(
        player=found.player,
        former_names=found.former_names,
        names=found.names,
        ratings=found.ratings,
        seasons={one.number: one for one in reversed(found.seasons)},
        meetings=() if other is None else tuple(met.get(other.id, ())),
    )
