"""The press by which a player made a result count, with what the match was before it, so that it can be taken back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from storage.database import Connection
from storage.query import insert, many, run
from storage.rows import EntrantId, MatchId


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeback:
    """Who pressed and when, the match's version since then, and the reports and the dispute that stood before."""

    match_id: MatchId
    entrant_id: EntrantId
    version: int
    at: datetime
    reports: tuple[int, ...]
    dispute_id: int | None


async def keep(conn: Connection, *, match_id: MatchId, **columns: Any) -> None:
    """Keep what a match was before a press, in place of an earlier one."""
    await run(conn, "DELETE FROM takebacks WHERE match_id = ?", match_id)
    await insert(conn, "takebacks", match_id=match_id, **columns)


async def of_matches(conn: Connection, match_ids: Sequence[MatchId]) -> tuple[Takeback, ...]:
    """Return the presses that made the results of these matches count."""
    sql = "SELECT * FROM takebacks WHERE match_id IN (SELECT value FROM json_each(?))"
    return await many(conn, Takeback, sql, match_ids)
