"""Who leaves or comes back, who does it when and why, and what both have in common."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.league.errors import Conflict
from bot.league.phases import PLAYING
from bot.services import find
from bot.services.act import Act, Look, note, required
from bot.services.outbox import promises
from bot.services.permissions import Actor, require_organiser
from bot.services.rounds import progress
from storage import audit, entrants
from storage.database import Connection
from storage.rows import DepartureRow, EntrantRow, LeagueId, LeagueRow, SeasonRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Who is concerned, and who does it when and why."""

    league: LeagueRow
    season: SeasonRow
    entrant: EntrantRow
    actor: Actor
    now: datetime
    reason: str | None = None


async def of_named(
    conn: Connection, league_id: LeagueId, player: str, actor: Actor, now: datetime, reason: str | None
) -> Case:
    """Return a named player's case for an organiser, who has to give a reason."""
    league = await find.league(conn, league_id)
    require_organiser(league, actor)
    words = required(reason)
    season = await find.live_season(conn, league)
    entrant = await find.entrant(Look(conn=conn, actor=actor, league=league, found=season), player)
    return Case(league=league, season=season, entrant=entrant, actor=actor, now=now, reason=words)


async def departure(conn: Connection, entrant: EntrantRow) -> DepartureRow:
    """Return how an entrant left last; raises Conflict where he never did."""
    row = await entrants.last_departure(conn, entrant.id)
    if row is None:
        raise Conflict(f"{entrant.name} has not left.")
    return row


async def note_case(
    conn: Connection,
    case: Case,
    action: str,
    *,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    """Write what happened to the entrant."""
    await note(
        conn,
        actor=case.actor,
        now=case.now,
        league=case.league,
        season=case.season,
        action=action,
        subject=case.entrant.name,
        before=before,
        after=after,
        reason=case.reason,
    )


async def tell(conn: Connection, case: Case, text: str) -> None:
    """Promise a notice to the league; one may leave and come back often, so the key counts what was noted."""
    await promises.promise(
        conn,
        key=f"season:{case.season.id}:entrant:{case.entrant.id}:{await audit.count(conn, case.league.id)}:notice",
        kind=promises.PostKind.NOTICE,
        league_id=case.league.id,
        season_id=case.season.id,
        now=case.now,
        facts={"text": text},
    )


async def field_changed(conn: Connection, case: Case) -> None:
    """Do what follows from another field: count anew, pair a draft anew, go on where nothing is waited for."""
    await promises.touch(conn, season_id=case.season.id, now=case.now)
    if case.season.phase in PLAYING:
        await progress.advance(await Act.inside(conn, case.actor, case.season.id, now=case.now))


async def refuse_waiting(conn: Connection, case: Case) -> None:
    """Answer a wish to come back that is beside the point now."""
    waiting = await entrants.waiting_request(conn, case.entrant.id)
    if waiting is not None:
        await entrants.answer(conn, waiting.id, accepted=False, at=case.now)
        await promises.touch(conn, season_id=case.season.id, now=case.now)
