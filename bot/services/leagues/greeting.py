"""Say hello once in each server the bot is invited to."""

from datetime import datetime, timedelta

from storage.database import Connection
from storage.tables import leagues

LATE = timedelta(days=1)
"""How long after an invitation the bot still says hello, where it was off at that moment."""


def due(conn: Connection, *, guild_id: int, joined_at: datetime, now: datetime) -> bool:
    """Whether to say hello in a server now: once after each invitation, and only where it has no league yet."""
    if now - joined_at > LATE or leagues.of_guild(conn, guild_id):
        return False
    return not leagues.greeted(conn, guild_id, joined_at)


def greet(conn: Connection, *, guild_id: int, joined_at: datetime, now: datetime) -> bool:
    """Note that the bot says hello in a server now; return whether it is to, because it hasn't yet."""
    if not due(conn, guild_id=guild_id, joined_at=joined_at, now=now):
        return False
    return leagues.greet(conn, guild_id, joined_at=joined_at, now=now)


def forget(conn: Connection, *, guild_id: int) -> None:
    """Forget a server the bot was removed from, so that it says hello if it is invited again."""
    leagues.forget_guild(conn, guild_id)
