"""Players who wait for a place in a full season."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from storage.database import Connection
from storage.query import Table, column, many, one, run
from storage.rows import PlayerId, SeasonId

WaitingId = NewType("WaitingId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingRow:
    """A player on a season's waiting list; a place is kept for one who was asked, until `until` once that was sent."""

    id: WaitingId
    season_id: SeasonId
    player_id: PlayerId
    discord_id: int | None
    name: str
    asked_at: datetime | None
    until: datetime | None


_SELECT = "SELECT t.*, p.discord_id, p.name FROM waitlist t JOIN players p ON p.id = t.player_id"
_WAITLIST: Table[WaitingRow, WaitingId] = Table(WaitingRow, "waitlist", select=_SELECT)
add, change, find = _WAITLIST.add, _WAITLIST.change, _WAITLIST.find


def of_season(conn: Connection, season_id: SeasonId) -> tuple[WaitingRow, ...]:
    """Return those who wait for a place in a season, the first in line first."""
    return many(conn, WaitingRow, f"{_SELECT} WHERE t.season_id = ? ORDER BY t.id", season_id)


def by_discord(conn: Connection, season_id: SeasonId, discord_id: int) -> WaitingRow | None:
    """Return the line of a Discord user on a season's waiting list, or None."""
    return one(conn, WaitingRow, f"{_SELECT} WHERE t.season_id = ? AND p.discord_id = ?", season_id, discord_id)


def by_player(conn: Connection, season_id: SeasonId, player_id: PlayerId) -> WaitingRow | None:
    """Return a player's line on a season's waiting list, or None."""
    return one(conn, WaitingRow, f"{_SELECT} WHERE t.season_id = ? AND t.player_id = ?", season_id, player_id)


def remove(conn: Connection, waiting_id: WaitingId) -> None:
    """Take a player off a waiting list."""
    run(conn, "DELETE FROM waitlist WHERE id = ?", waiting_id)


def clear(conn: Connection, season_id: SeasonId) -> None:
    """Take everyone off a season's waiting list."""
    run(conn, "DELETE FROM waitlist WHERE season_id = ?", season_id)


def move_answers(conn: Connection, season_id: SeasonId, *, after: datetime, seconds: int) -> None:
    """Move the times to take a season's free places that lie after a moment."""
    run(conn, "UPDATE waitlist SET until = until + ?3 WHERE season_id = ?1 AND until > ?2", season_id, after, seconds)


def lapsed(conn: Connection, now: datetime) -> tuple[WaitingId, ...]:
    """Return those who haven't taken the place they were offered in time, for the clock."""
    return column(conn, "SELECT id FROM waitlist WHERE until <= ? ORDER BY until, id", now)
