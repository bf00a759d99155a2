"""Work out the shape of each name."""

import sqlite3

from bot.league.season.names import look_alike_key, skeleton


def fill(connection: sqlite3.Connection) -> None:
    """Give each name its shape; the other key ignores what can't be seen, as it always did."""
    for row, name in connection.execute("SELECT id, name FROM player_names").fetchall():
        said = (skeleton(name), look_alike_key(name), row)
        connection.execute("UPDATE player_names SET skeleton = ?, name_key = ? WHERE id = ?", said)
