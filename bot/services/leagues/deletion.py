"""Delete a league whose seasons were all cancelled, taking back the roles it gave; a finished season keeps it."""

import logging

from bot.league.errors import WrongPhase
from bot.league.season.in_words import amount
from bot.league.season.phases import SeasonPhase
from bot.services.base.confirmation import require_confirmation
from bot.services.base.order import Order
from bot.services.base.transaction import ORGANISER, ReadTransaction, transaction
from storage.database import Connection
from storage.rows import LeagueRow, SeasonRow
from storage.tables import held_roles, leagues, matches, seasons, times
from storage.tables.field import entrants
from storage.tables.people import players

log = logging.getLogger(__name__)


def delete(conn: Connection, order: Order, *, agreed: str | None = None) -> LeagueRow:
    """Delete a league with all that belongs to it.

    Raises NotAllowed, WrongPhase for one that counts, and ConfirmationNeeded.
    """
    tx = transaction(conn, order, by=ORGANISER)
    _require_cancelled(tx)
    require_confirmation(_cost(tx), agreed)
    held_roles.leave(tx.conn, tx.league.id, tx.now)
    times.remove_hours(tx.conn, tx.league.id)  # no one could ask to be forgotten there any more
    leagues.remove(tx.conn, tx.league.id)
    log.info("league %s of server %s was deleted by user %s", tx.league.id, tx.league.guild_id, order.actor.user_id)
    return tx.league


def _cost(tx: ReadTransaction) -> str:
    players_in = len(players.of_league(tx.conn, tx.league.id))
    names = (
        []
        if not players_in
        else ["the league name of 1 player" if players_in == 1 else f"{players_in} players' league names"]
    )
    roles = " The roles it gave are taken back." if held_roles.of_league(tx.conn, tx.league.id) else ""
    parts = [*_seasons(tx), *names, "its settings, its rules"]
    return (
        f"This deletes {tx.league.name}: {', '.join(parts)} and its audit log."
        f" Its messages on Discord stay, but their buttons stop working.{roles} You can't undo this."
    )


def _seasons(tx: ReadTransaction) -> list[str]:
    seasons_left: list[str] = []
    for season in seasons.of_league(tx.conn, tx.league.id):
        if season.phase is SeasonPhase.CANCELLED:
            results = matches.count_confirmed(tx.conn, season.id)
            played = f" with {amount(results, 'result')}" if results else ""
            seasons_left.append(f"the cancelled season {season.number}{played}")
        elif season.phase is SeasonPhase.SIGNUP:
            signed_up = len(entrants.of_season(tx.conn, season.id))
            seasons_left.append(f"season {season.number} with {amount(signed_up, 'sign-up')}")
    if seasons.unpublished(tx.conn, tx.league.id) is not None:
        seasons_left.append("the prepared season")
    return seasons_left


def _require_cancelled(tx: ReadTransaction) -> None:
    played = seasons.last_played(tx.conn, tx.league.id)
    if played is not None:
        raise WrongPhase(f"{tx.league.name} can't be deleted: {_instead(played)}")


def _instead(played: SeasonRow) -> str:
    if played.phase is not SeasonPhase.FINISHED:
        return f"season {played.number} is running. Cancel it with /season cancel first."
    return f"season {played.number} counts for ratings and history. /league settings renames it or moves its channel."
