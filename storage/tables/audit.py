"""Who did what, when and why; written in the transaction of the change itself."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from storage.database import Connection
from storage.query import Column, Exists, One, Value, insert, many, value
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
_NAMED = "instr(' ' || replace(replace(subject, '(', ' '), ')', ' ') || ' ', ' ' || :person || ' ')"
_WANTED = (
    " FROM audit WHERE league_id = :league"
    f" AND (:person IS NULL OR actor = :person OR actor_id = :person_id OR {_NAMED})"
    " AND (:action IS NULL OR action = :action OR action GLOB :action || '.*')"
    " AND (:subject IS NULL OR subject = :subject) AND (:since IS NULL OR at >= :since)"
)


def page(
    conn: Connection, league_id: LeagueId, wanted: Wanted = ALL, *, limit: int, offset: int
) -> tuple[AuditRow, ...]:
    """Return a league's changes, newest first."""
    sql = f"SELECT *{_WANTED} ORDER BY id DESC LIMIT :limit OFFSET :offset"
    return many(conn, AuditRow, sql, league=league_id, **asdict(wanted), limit=limit, offset=offset)


def count(conn: Connection, league_id: LeagueId, wanted: Wanted = ALL) -> int:
    """Return how many changes are noted."""
    return value(conn, f"SELECT count(*){_WANTED}", league=league_id, **asdict(wanted))


noted_at = One[AuditRow, SeasonId, str, datetime](
    AuditRow, "SELECT * FROM audit WHERE season_id = ? AND action = ? AND at = ? ORDER BY id DESC LIMIT 1"
)
"""The last change of a kind in a season that was noted at a moment, or None."""

last_about = One[AuditRow, SeasonId, str, str](
    AuditRow, "SELECT * FROM audit WHERE season_id = ? AND action = ? AND subject = ? ORDER BY id DESC LIMIT 1"
)
"""The last change of a kind about someone in a season, or None."""

was_forgotten = Exists[LeagueId, str](
    "SELECT 1 FROM audit WHERE league_id = ? AND action = 'player.forget' AND subject = ?"
)
"""Whether a player who has this name was forgotten."""

forgotten = Column[str, LeagueId]("SELECT subject FROM audit WHERE league_id = ? AND action = 'player.forget'")
"""What the players are called who were forgotten."""

newest = Value[int, LeagueId]("SELECT coalesce(max(id), 0) FROM audit WHERE league_id = ?")
"""The id of the newest change noted in a league, 0 for none."""

forgotten_since = Exists[LeagueId, int](
    "SELECT 1 FROM audit WHERE league_id = ? AND action = 'player.forget' AND id > ?"
)
"""Whether someone was forgotten after the change of an id."""

actions = Column[str, LeagueId]("SELECT DISTINCT action FROM audit WHERE league_id = ? ORDER BY action")
"""The kinds of changes noted in a league, in order of the alphabet."""

noted_between = Exists[LeagueId, str, datetime, datetime](
    "SELECT 1 FROM audit WHERE league_id = ? AND action = ? AND at > ? AND at <= ?"
)
"""Whether a kind of change was noted in a league after a moment and until another."""
