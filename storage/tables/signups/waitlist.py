"""Players who wait for a place in a full season."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from storage.query import Change, One, Rows, Table
from storage.question_rows import QuestionRows
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
add, change, get, find = _WAITLIST.add, _WAITLIST.change, _WAITLIST.get, _WAITLIST.find
ASKED = QuestionRows(
    table="waitlist",
    waits="t.asked_at IS NOT NULL",
    joined="JOIN seasons s ON s.id = t.season_id",
    live="+s.phase IN ('signup', 'running', 'finals')",
)
"""Who waits is asked once a place is free."""

of_season = Rows[WaitingRow, SeasonId](WaitingRow, f"{_SELECT} WHERE t.season_id = ? ORDER BY t.id")
"""Those who wait for a place in a season, the first in line first."""

by_discord = One[WaitingRow, SeasonId, int](WaitingRow, f"{_SELECT} WHERE t.season_id = ? AND p.discord_id = ?")
"""The line of a Discord user on a season's waiting list, or None."""

by_player = One[WaitingRow, SeasonId, PlayerId](WaitingRow, f"{_SELECT} WHERE t.season_id = ? AND t.player_id = ?")
"""A player's line on a season's waiting list, or None."""

remove = Change[WaitingId]("DELETE FROM waitlist WHERE id = ?")
"""Take a player off a waiting list."""

clear = Change[SeasonId]("DELETE FROM waitlist WHERE season_id = ?")
"""Take everyone off a season's waiting list."""
