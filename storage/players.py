"""Players of leagues and every name they have had."""

from datetime import datetime

from storage.database import Connection
from storage.query import column, insert, many, one, run, the, update
from storage.rows import LeagueId, PlayerId, PlayerRow


async def add(
    conn: Connection, *, league_id: LeagueId, discord_id: int | None, name: str, name_key: str, created_at: datetime
) -> PlayerRow:
    """Insert a player with their first name; raises sqlite3.IntegrityError where either is taken."""
    player_id = PlayerId(
        await insert(conn, "players", league_id=league_id, discord_id=discord_id, name=name, created_at=created_at)
    )
    await add_name(conn, league_id, player_id, name, name_key)
    return await get(conn, player_id)


async def add_name(conn: Connection, league_id: LeagueId, player_id: PlayerId, name: str, name_key: str) -> None:
    """Note a name a player has or had, unless it is noted already."""
    await run(
        conn,
        "INSERT INTO player_names (league_id, name, name_key, player_id) SELECT ?1, ?2, ?3, ?4"
        " WHERE NOT EXISTS (SELECT 1 FROM player_names WHERE league_id = ?1 AND name = ?2 AND player_id = ?4)",
        league_id,
        name,
        name_key,
        player_id,
    )


async def rename(conn: Connection, player: PlayerRow, name: str, name_key: str) -> PlayerRow:
    """Give a player another name; the old one stays theirs."""
    await add_name(conn, player.league_id, player.id, name, name_key)
    await update(conn, "players", player.id, name=name)
    return await get(conn, player.id)


async def link(conn: Connection, player_id: PlayerId, discord_id: int | None) -> None:
    """Set which Discord user a player is."""
    await update(conn, "players", player_id, discord_id=discord_id)


async def get(conn: Connection, player_id: PlayerId) -> PlayerRow:
    """Return a player; raises LookupError."""
    return await the(conn, PlayerRow, "SELECT * FROM players WHERE id = ?", player_id)


async def by_discord(conn: Connection, league_id: LeagueId, discord_id: int) -> PlayerRow | None:
    """Return the player a Discord user is in a league, or None."""
    return await one(
        conn, PlayerRow, "SELECT * FROM players WHERE league_id = ? AND discord_id = ?", league_id, discord_id
    )


async def by_name(conn: Connection, league_id: LeagueId, name: str) -> PlayerRow | None:
    """Return the player who has or had exactly this name, or None."""
    return await one(
        conn,
        PlayerRow,
        "SELECT p.* FROM players p JOIN player_names n ON n.player_id = p.id WHERE n.league_id = ? AND n.name = ?",
        league_id,
        name,
    )


async def looking_like(conn: Connection, league_id: LeagueId, name_key: str) -> tuple[PlayerRow, ...]:
    """Return the players who have or had a name of this key."""
    return await many(
        conn,
        PlayerRow,
        "SELECT * FROM players WHERE id IN"
        " (SELECT player_id FROM player_names WHERE league_id = ? AND name_key = ?) ORDER BY id",
        league_id,
        name_key,
    )


async def of_league(conn: Connection, league_id: LeagueId) -> tuple[PlayerRow, ...]:
    """Return a league's players in order of their names."""
    return await many(conn, PlayerRow, "SELECT * FROM players WHERE league_id = ? ORDER BY name", league_id)


async def former_names(conn: Connection, player: PlayerRow) -> tuple[str, ...]:
    """Return the other names a player has had, oldest first."""
    return await column(
        conn,
        "SELECT name FROM player_names WHERE player_id = ? AND name <> ? ORDER BY id",
        player.id,
        player.name,
    )


async def names_of(conn: Connection, league_id: LeagueId) -> tuple[str, ...]:
    """Return every name a player of a league has or had."""
    return await column(conn, "SELECT name FROM player_names WHERE league_id = ? ORDER BY id", league_id)
