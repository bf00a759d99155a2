"""Servers the bot is in, as far as they are remembered: where it has said hello."""

from datetime import datetime

from storage.database import Connection
from storage.query import Change, run


def greet(conn: Connection, guild_id: int, *, joined_at: datetime, now: datetime) -> bool:
    """Note that the bot says hello in a server, unless it has since it joined; return whether it was noted."""
    sql = (
        "INSERT INTO guilds (guild_id, said_hello_at) VALUES (?1, max(?2, ?3))"  # the server's clock may be ahead
        " ON CONFLICT (guild_id) DO UPDATE SET said_hello_at = excluded.said_hello_at WHERE said_hello_at < ?2"
    )
    return run(conn, sql, guild_id, joined_at, now) > 0


forget = Change[int]("DELETE FROM guilds WHERE guild_id = ?")
"""Forget a server the bot was removed from."""
