"""Who did what, when and why; written in the transaction of the change itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from storage.database import Connection
from storage.query import Column, insert, many, value
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


def add(conn: Connection, **columns: Any) -> None:
    """Note one change; `actor_id` is None for the bot itself."""
    insert(conn, "audit", **columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which changes are looked for: by or about a person, of a kind, about a match, since a moment; None for any."""

    person: str | None = None
    person_id: int | None = None
    action: str | None = None
    subject: str | None = None
    since: datetime | None = None


ALL = Wanted()
_NAMED = "instr(' ' || replace(replace(subject, '(', ' '), ')', ' ') || ' ', ' ' || ?2 || ' ')"
_WANTED = (
    f" FROM audit WHERE league_id = ?1 AND (?2 IS NULL OR actor = ?2 OR actor_id = ?3 OR {_NAMED})"
    " AND (?4 IS NULL OR action = ?4 OR action GLOB ?4 || '.*') AND (?5 IS NULL OR subject = ?5)"
    " AND (?6 IS NULL OR at >= ?6)"
)


def page(
    conn: Connection, league_id: LeagueId, wanted: Wanted = ALL, *, limit: int, offset: int
) -> tuple[AuditRow, ...]:
    """Return a league's changes, newest first."""
    sql = f"SELECT *{_WANTED} ORDER BY id DESC LIMIT ?7 OFFSET ?8"
    return many(conn, AuditRow, sql, league_id, *_values(wanted), limit, offset)


def count(conn: Connection, league_id: LeagueId, wanted: Wanted = ALL) -> int:
    """Return how many changes are noted."""
    return int(value(conn, f"SELECT count(*){_WANTED}", league_id, *_values(wanted)))


def _values(wanted: Wanted) -> tuple[object, ...]:
    return wanted.person, wanted.person_id, wanted.action, wanted.subject, wanted.since


actions = Column[str, LeagueId]("SELECT DISTINCT action FROM audit WHERE league_id = ? ORDER BY action")
"""The kinds of changes noted in a league, in order of the alphabet."""
