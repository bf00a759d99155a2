"""Say hello once in each server the bot is invited to."""

from datetime import datetime, timedelta

from storage.database import Connection
from storage.tables import leagues

LATE = timedelta(days=1)
"""How long after an invitation the bot still says hello, where it was off at that moment."""


def greet(conn: Connection, *, guild_id: int, joined_at: datetime, now: datetime) -> bool:
    """Return whether to say hello in a server now: once after each invitation, and only where it has no league yet."""
    if now - joined_at > LATE:
        return False
    if leagues.of_guild(conn, guild_id):
        return False
    return leagues.greet(conn, guild_id, joined_at=joined_at, now=now)


def forget(conn: Connection, *, guild_id: int) -> None:
    """Forget a server the bot was removed from, so that it says hello if it is invited again."""
    leagues.forget_guild(conn, guild_id)
