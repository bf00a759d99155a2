"""Whether SQLite here can damage the database together with a program that copies it, and what to do then."""

import sqlite3
from pathlib import Path

from bot.hosting.findings import Finding, good, warning
from storage.files import wal_reset

LITESTREAM = "0.5.17"
"""The first Litestream with a SQLite that is fixed."""
_FIXED = ".".join(map(str, wal_reset.FIXED))
_PAGE = "docs/scale.md says how"


def finding(database: Path, version: wal_reset.Version | None = None) -> Finding:
    """Judge a version of SQLite, by default this Python's, with what is in the database."""
    version = sqlite3.sqlite_version_info if version is None else version
    words, beside = ".".join(map(str, version)), wal_reset.replicated(database)
    if not wal_reset.has_bug(version):
        return good(
            "SQLite",
            f"{words}, without the WAL-reset bug; Litestream beside it must be {LITESTREAM} or newer"
            if beside
            else f"{words}, without the WAL-reset bug",
        )
    if not beside:
        return good(
            "SQLite",
            f"{words} has the WAL-reset bug, which does no harm while no other program such as Litestream"
            f" copies the database; before you use one, get {_FIXED} or newer ({_PAGE})",
        )
    return warning(
        "SQLite",
        f"{words} has the WAL-reset bug, and {database} has tables of Litestream: if both checkpoint and write at the"
        f" same moment, results can be lost or the file damaged. Run the bot with SQLite {_FIXED} or newer, as the"
        f" container does, and Litestream {LITESTREAM} or newer; until then stop Litestream ({_PAGE})",
    )
