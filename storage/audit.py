"""Who did what, when and why; written in the transaction of the change itself."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NotRequired, TypedDict, Unpack

from storage.database import Connection
from storage.query import insert, many, value
from storage.rows import AuditRow, LeagueId, SeasonId


class Entry(TypedDict):
    """One change; `actor_id` is None for the bot itself."""

    league_id: LeagueId
    at: datetime
    actor_id: int | None
    actor: str
    action: str
    subject: str
    season_id: NotRequired[SeasonId | None]
    before: NotRequired[Mapping[str, Any] | None]
    after: NotRequired[Mapping[str, Any] | None]
    reason: NotRequired[str | None]


async def add(conn: Connection, **columns: Unpack[Entry]) -> None:
    """Note one change."""
    await insert(conn, "audit", **columns)


async def page(conn: Connection, league_id: LeagueId, *, limit: int, offset: int) -> tuple[AuditRow, ...]:
    """Return a league's changes, newest first."""
    sql = "SELECT * FROM audit WHERE league_id = ? ORDER BY id DESC LIMIT ? OFFSET ?"
    return await many(conn, AuditRow, sql, league_id, limit, offset)


async def count(conn: Connection, league_id: LeagueId) -> int:
    """Return how many changes are noted."""
    return int(await value(conn, "SELECT count(*) FROM audit WHERE league_id = ?", league_id))
