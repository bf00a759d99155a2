"""Leagues of guilds."""

from datetime import datetime
from typing import Any

from storage.database import Connection
from storage.query import insert, many, one, the, update
from storage.rows import LeagueId, LeagueRow


async def add(
    conn: Connection,
    *,
    guild_id: int,
    name: str,
    name_key: str,
    channel_id: int,
    moderation_channel_id: int | None,
    moderator_role_id: int | None,
    organiser_role_id: int | None,
    created_at: datetime,
) -> LeagueRow:
    """Insert a league; raises sqlite3.IntegrityError where the guild has one of this name."""
    league_id = await insert(
        conn,
        "leagues",
        guild_id=guild_id,
        name=name,
        name_key=name_key,
        channel_id=channel_id,
        moderation_channel_id=moderation_channel_id,
        moderator_role_id=moderator_role_id,
        organiser_role_id=organiser_role_id,
        created_at=created_at,
    )
    return await get(conn, LeagueId(league_id))


async def change(conn: Connection, league_id: LeagueId, **columns: Any) -> LeagueRow:
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
