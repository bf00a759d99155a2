"""Who did what, when and why; written in the transaction of the change itself."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from storage.database import Connection
from storage.query import insert, many, value
from storage.rows import AuditRow, LeagueId, SeasonId


async def add(
    conn: Connection,
    *,
    league_id: LeagueId,
    at: datetime,
    actor_id: int | None,
    actor: str,
    action: str,
    subject: str,
    season_id: SeasonId | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str | None = None,
) -> None:
    """Note one change."""
    await insert(
        conn,
        "audit",
        league_id=league_id,
        season_id=season_id,
        at=at,
        actor_id=actor_id,
        actor=actor,
        action=action,
        subject=subject,
        before=before,
        after=after,
        reason=reason,
    )


async def page(conn: Connection, league_id: LeagueId, *, limit: int, offset: int) -> tuple[AuditRow, ...]:
    """Return a league's changes, newest first."""
    return await many(
        conn,
        AuditRow,
        "SELECT * FROM audit WHERE league_id = ? ORDER BY id DESC LIMIT ? OFFSET ?",
        league_id,
        limit,
        offset,
    )


async def count(conn: Connection, league_id: LeagueId) -> int:
    """Return how many changes are noted."""
    return int(await value(conn, "SELECT count(*) FROM audit WHERE league_id = ?", league_id))
