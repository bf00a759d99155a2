"""Who did what, when and why; written in the transaction of the change itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from storage.database import Connection
from storage.query import insert, many, value
from storage.rows import LeagueId, SeasonId


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """Who did what, when and why, with the state before and after; `actor_id` is None for the bot itself."""

    id: int
    league_id: LeagueId
    season_id: SeasonId | None
    at: datetime
    actor_id: int | None
    actor: str
    action: str
    subject: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None
    reason: str | None


async def add(conn: Connection, **columns: Any) -> None:
    """Note one change; `actor_id` is None for the bot itself."""
    await insert(conn, "audit", **columns)


async def page(conn: Connection, league_id: LeagueId, *, limit: int, offset: int) -> tuple[AuditRow, ...]:
    """Return a league's changes, newest first."""
    sql = "SELECT * FROM audit WHERE league_id = ? ORDER BY id DESC LIMIT ? OFFSET ?"
    return await many(conn, AuditRow, sql, league_id, limit, offset)


async def count(conn: Connection, league_id: LeagueId) -> int:
    """Return how many changes are noted."""
    return int(await value(conn, "SELECT count(*) FROM audit WHERE league_id = ?", league_id))
