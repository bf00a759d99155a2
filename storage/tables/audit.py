"""Who did what, when and why; written in the transaction of the change itself."""

from typing import Any

from storage.database import Connection
from storage.query import insert, many, value
from storage.rows import AuditRow, LeagueId


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
