"""Leagues of guilds."""

from storage.database import Connection
from storage.query import Table, many, run
from storage.rows import LeagueId, LeagueRow

_LEAGUES: Table[LeagueRow, int] = Table(LeagueRow, "leagues")
add, change, get, find = _LEAGUES.add, _LEAGUES.change, _LEAGUES.get, _LEAGUES.find


async def of_guild(conn: Connection, guild_id: int) -> tuple[LeagueRow, ...]:
    """Return a guild's leagues, oldest first."""
    return await many(conn, LeagueRow, "SELECT * FROM leagues WHERE guild_id = ? ORDER BY id", guild_id)


async def everywhere(conn: Connection) -> tuple[LeagueRow, ...]:
    """Return all leagues, oldest first."""
    return await many(conn, LeagueRow, "SELECT * FROM leagues ORDER BY id")


async def remove(conn: Connection, league_id: LeagueId) -> None:
    """Delete a league without a played season, with everything that belongs to it.

    Raises sqlite3.IntegrityError where a round refers to one of its seasons.
    """
    entrants = "SELECT e.id FROM seasons s JOIN entrants e ON e.season_id = s.id WHERE s.league_id = ?"
    for sql in (
        "DELETE FROM outbox WHERE league_id = ?",
        "DELETE FROM audit WHERE league_id = ?",
        f"DELETE FROM rejoin_requests WHERE entrant_id IN ({entrants})",  # noqa: S608 (our own words)
        f"DELETE FROM departures WHERE entrant_id IN ({entrants})",  # noqa: S608
        "DELETE FROM entrants WHERE season_id IN (SELECT id FROM seasons WHERE league_id = ?)",
        "DELETE FROM seasons WHERE league_id = ?",
        "DELETE FROM past_meetings WHERE league_id = ?",
        "DELETE FROM notify WHERE player_id IN (SELECT id FROM players WHERE league_id = ?)",
        "DELETE FROM player_names WHERE league_id = ?",
        "DELETE FROM notify WHERE player_id IN (SELECT id FROM players WHERE league_id = ?)",
        "DELETE FROM players WHERE league_id = ?",
        "DELETE FROM leagues WHERE id = ?",
    ):
        await run(conn, sql, league_id)
