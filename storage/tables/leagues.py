"""Leagues of guilds."""

from storage.database import Connection
from storage.query import Table, many
from storage.rows import LeagueRow

_LEAGUES: Table[LeagueRow, int] = Table(LeagueRow, "leagues")
add, change, get, find = _LEAGUES.add, _LEAGUES.change, _LEAGUES.get, _LEAGUES.find


async def of_guild(conn: Connection, guild_id: int) -> tuple[LeagueRow, ...]:
    """Return a guild's leagues, oldest first."""
    return await many(conn, LeagueRow, "SELECT * FROM leagues WHERE guild_id = ? ORDER BY id", guild_id)


async def everywhere(conn: Connection) -> tuple[LeagueRow, ...]:
    """Return all leagues, oldest first."""
    return await many(conn, LeagueRow, "SELECT * FROM leagues ORDER BY id")
