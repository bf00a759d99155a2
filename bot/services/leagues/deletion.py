"""Delete a league in which nothing was played; one with results stays, because ratings and history count."""

import logging
from datetime import datetime

from bot.league.errors import WrongPhase
from bot.league.phases import SeasonPhase
from bot.services.act import Look, act
from bot.services.asking import ask_first
from bot.services.permissions import Actor
from storage.database import Database
from storage.rows import LeagueId, LeagueRow, SeasonRow
from storage.tables import entrants, leagues, players, seasons

log = logging.getLogger(__name__)


async def delete(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, agreed: str | None = None
) -> LeagueRow:
    """Delete a league with all that belongs to it; raises NotAllowed, WrongPhase for one with results, and AskFirst."""
    async with act(db, actor, now, league_id) as do:
        do.organiser()
        await _require_unplayed(do)
        ask_first(await _cost(do), agreed)
        await leagues.remove(do.conn, league_id)
    log.info("league %s of server %s was deleted by user %s", league_id, do.league.guild_id, actor.user_id)
    return do.league


async def _cost(see: Look) -> str:
    known = len(await players.of_league(see.conn, see.league.id))
    names = [] if not known else ["the league name of 1 player" if known == 1 else f"{known} players' league names"]
    parts = [*await _sign_ups(see), *names, "its settings, its rules"]
    return (
        f"This deletes {see.league.name}: {', '.join(parts)} and its audit log."
        " Its messages on Discord stay, but their buttons stop working. You can't undo this."
    )


async def _sign_ups(see: Look) -> list[str]:
    season = await seasons.live(see.conn, see.league.id)
    if season is None:
        return []
    signed_up = len(await entrants.of_season(see.conn, season.id))
    return [f"season {season.number} with {'1 sign-up' if signed_up == 1 else f'{signed_up} sign-ups'}"]


async def _require_unplayed(see: Look) -> None:
    played = await seasons.last_played(see.conn, see.league.id)
    if played is not None:
        raise WrongPhase(f"{see.league.name} has results, so it can't be deleted: {_instead(played)}")


def _instead(played: SeasonRow) -> str:
    if played.phase in (SeasonPhase.RUNNING, SeasonPhase.FINALS):
        return f"season {played.number} is running. /season cancel ends it; the league stays with its history."
    return f"season {played.number} counts for ratings and history. /league settings renames it or moves its channel."
