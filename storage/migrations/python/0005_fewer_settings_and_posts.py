"""Seal the late lists that waited for a moderator, in seasons that are played."""

import hashlib
import sqlite3

_WAITING = (
    "SELECT l.id, l.key, l.text FROM lists l JOIN list_sets t ON t.id = l.set_id JOIN seasons s ON s.id = t.season_id"
    " WHERE l.late = 1 AND l.sealed_at IS NULL AND s.phase IN ('running', 'finals')"
)


def fill(connection: sqlite3.Connection) -> None:
    """Give each its fingerprint, as of the moment it was handed in."""
    for list_id, key, text in connection.execute(_WAITING).fetchall():
        sha256 = hashlib.sha256(f"{key}/{text}".encode()).hexdigest()
        connection.execute("UPDATE lists SET sha256 = ?, sealed_at = handed_in_at WHERE id = ?", (sha256, list_id))
