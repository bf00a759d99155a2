"""Delete a league whose seasons were all cancelled, taking back the roles it gave; a finished season keeps it."""

import logging

from bot.league.errors import WrongPhase
from bot.league.season.in_words import amount
from bot.league.season.phases import SeasonPhase
from bot.services.base.act import ORGANISER, Look, act
from bot.services.base.ask_first import ask_first
from bot.services.base.order import Order
from storage.database import Connection
from storage.rows import LeagueRow, SeasonRow
from storage.tables import entrants, held_roles, leagues, matches, players, seasons, times

log = logging.getLogger(__name__)


def delete(conn: Connection, order: Order, *, agreed: str | None = None) -> LeagueRow:
    """Delete a league with all that belongs to it; raises NotAllowed, WrongPhase for one that counts, and AskFirst."""
    do = act(conn, order, by=ORGANISER)
    _require_cancelled(do)
    ask_first(_cost(do), agreed)
    held_roles.leave(do.conn, do.league.id, do.now)
    times.remove_hours(do.conn, do.league.id)  # no one could ask to be forgotten there any more
    leagues.remove(do.conn, do.league.id)
    log.info("league %s of server %s was deleted by user %s", do.league.id, do.league.guild_id, order.actor.user_id)
    return do.league


def _cost(see: Look) -> str:
    known = len(players.of_league(see.conn, see.league.id))
    names = [] if not known else ["the league name of 1 player" if known == 1 else f"{known} players' league names"]
    roles = " The roles it gave are taken back." if held_roles.of_league(see.conn, see.league.id) else ""
    parts = [*_seasons(see), *names, "its settings, its rules"]
    return (
        f"This deletes {see.league.name}: {', '.join(parts)} and its audit log."
        f" Its messages on Discord stay, but their buttons stop working.{roles} You can't undo this."
    )


def _seasons(see: Look) -> list[str]:
    found: list[str] = []
    for season in seasons.of_league(see.conn, see.league.id):
        if season.phase is SeasonPhase.CANCELLED:
            results = matches.count_confirmed(see.conn, season.id)
            played = f" with {amount(results, 'result')}" if results else ""
            found.append(f"the cancelled season {season.number}{played}")
        elif season.phase is SeasonPhase.SIGNUP:
            signed_up = len(entrants.of_season(see.conn, season.id))
            found.append(f"season {season.number} with {amount(signed_up, 'sign-up')}")
    if seasons.unpublished(see.conn, see.league.id) is not None:
        found.append("the prepared season")
    return found


def _require_cancelled(see: Look) -> None:
    played = seasons.last_played(see.conn, see.league.id)
    if played is not None:
        raise WrongPhase(f"{see.league.name} can't be deleted: {_instead(played)}")


def _instead(played: SeasonRow) -> str:
    if played.phase is not SeasonPhase.FINISHED:
        return f"season {played.number} is running. Cancel it with /season cancel first."
    return f"season {played.number} counts for ratings and history. /league settings renames it or moves its channel."
