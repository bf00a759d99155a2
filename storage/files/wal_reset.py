"""SQLite's WAL-reset bug: which versions have it, and whether another program checkpoints a file too.

Two connections of which one checkpoints while the other commits can damage a file (sqlite.org/wal.html#walresetbug).
Of the bot's connections only its writer checkpoints, so this takes a second program, such as Litestream.
"""

import sqlite3
from pathlib import Path

from storage.files.damage import is_sqlite, reading

Version = tuple[int, int, int]

FIRST, FIXED = (3, 7, 0), (3, 51, 3)
FIXED_IN_OLDER: dict[tuple[int, int], Version] = {(3, 44): (3, 44, 6), (3, 50): (3, 50, 7)}
"""Older versions that got the fix too, by the first two numbers."""
_LITESTREAM = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name IN ('_litestream_seq', '_litestream_lock')"


def has_bug(version: Version) -> bool:
    """Return whether a version of SQLite has the bug."""
    return FIRST <= version < FIXED_IN_OLDER.get(version[:2], FIXED)


def replicated(path: Path) -> bool:
    """Return whether a database has Litestream's tables; False where it can't be read, which opening it tells."""
    if not is_sqlite(path):
        return False
    try:
        with reading(path) as conn:
            return conn.execute(_LITESTREAM).fetchone() is not None
    except sqlite3.Error:
        return False
