"""Leagues of guilds."""

from datetime import datetime
from typing import TypedDict, Unpack

from storage.database import Connection
from storage.query import insert, many, one, the, update
from storage.rows import LeagueId, LeagueRow


class LeagueChanges(TypedDict, total=False):
    """What can change about a league."""

    name: str
    name_key: str
    channel_id: int
    moderation_channel_id: int | None
    moderator_role_id: int | None
    organiser_role_id: int | None
    time_zone: str


class NewLeague(LeagueChanges):
    """A league to insert; name, name key and channel are needed too."""

    guild_id: int
    created_at: datetime


async def add(conn: Connection, **columns: Unpack[NewLeague]) -> LeagueRow:
    """Insert a league; raises sqlite3.IntegrityError where the guild has one of this name."""
    return await get(conn, await insert(conn, "leagues", **columns))


async def change(conn: Connection, league_id: LeagueId, **columns: Unpack[LeagueChanges]) -> LeagueRow:
    """Change columns of a league."""
    await update(conn, "leagues", league_id, **columns)
    return await get(conn, league_id)


async def get(conn: Connection, league_id: int) -> LeagueRow:
    """Return a league; raises LookupError."""
    return await the(conn, LeagueRow, "SELECT * FROM leagues WHERE id = ?", league_id)


async def find(conn: Connection, league_id: int) -> LeagueRow | None:
    """Return a league, or None."""
    return await one(conn, LeagueRow, "SELECT * FROM leagues WHERE id = ?", league_id)


async def by_key(conn: Connection, guild_id: int, name_key: str) -> LeagueRow | None:
    """Return a guild's league of this name key, or None."""
    return await one(conn, LeagueRow, "SELECT * FROM leagues WHERE guild_id = ? AND name_key = ?", guild_id, name_key)


async def of_guild(conn: Connection, guild_id: int) -> tuple[LeagueRow, ...]:
    """Return a guild's leagues, oldest first."""
    return await many(conn, LeagueRow, "SELECT * FROM leagues WHERE guild_id = ? ORDER BY id", guild_id)


async def everywhere(conn: Connection) -> tuple[LeagueRow, ...]:
    """Return all leagues, oldest first."""
    return await many(conn, LeagueRow, "SELECT * FROM leagues ORDER BY id")
