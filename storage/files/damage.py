"""Whether a database is sound: what SQLite finds in its pages, at a start within 10 seconds, and if it's writable."""

import contextlib
import sqlite3
import time
from collections.abc import Generator
from pathlib import Path
from typing import Literal

from storage.migrate import APPLICATION_ID, UnusableFile, version_of

PATIENCE_SECONDS = 10
"""A start looks at the pages no longer than that (300 MB take half a second); the daily backup looks at all of them."""

_HEADER = b"SQLite format 3\0"
_UNWRITABLE = {
    sqlite3.SQLITE_FULL: "its disk is full: make space, then start again",
    sqlite3.SQLITE_READONLY: "it can't be written: make the file and its folder writable for this user",
    sqlite3.SQLITE_IOERR: "its disk doesn't take what is written: check the disk",
    sqlite3.SQLITE_CANTOPEN: "it can't be opened: make the file and its folder writable for this user",
}


class DamagedFile(UnusableFile):
    """A database with pages that can't be right; the way back is a backup."""


def require_sound(path: Path) -> None:
    """Raise DamagedFile if a quick look finds something wrong; a file that isn't there or not ours is passed over."""
    fault = problem(path, "quick_check", seconds=PATIENCE_SECONDS)
    if fault is not None:
        raise DamagedFile(f"{path} is damaged ({fault}).")


def require_ours(path: Path) -> None:
    """Raise UnusableFile if a database is another program's or of another version than this one knows."""
    with reading(path) as conn:
        version_of(conn, path)


def require_writable(path: Path) -> None:
    """Raise UnusableFile if nothing can be written to a database now."""
    try:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as conn:
            conn.execute("BEGIN IMMEDIATE")
            conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            conn.execute("COMMIT")
    except sqlite3.OperationalError as error:
        reason = _UNWRITABLE.get(error.sqlite_errorcode & 0xFF)
        if reason is not None:
            raise UnusableFile(f"{path} can't be used, because {reason} ({error}).") from None


def problem(path: Path, check: Literal["quick_check", "integrity_check"], *, seconds: float) -> str | None:
    """Return the first thing SQLite finds wrong in a database of ours within so many seconds, or None."""
    if not is_sqlite(path):
        return None
    try:
        with reading(path) as conn:
            end = time.monotonic() + seconds
            conn.set_progress_handler(lambda: time.monotonic() > end, 10_000)
            answer = conn.execute(f"PRAGMA {check}(1)").fetchone()[0]
    except sqlite3.OperationalError:
        return None  # out of time, or it can't be opened at all, which opening it will tell
    except sqlite3.DatabaseError as error:
        return str(error)
    return None if answer == "ok" else str(answer).splitlines()[-1]


@contextlib.contextmanager
def reading(path: Path) -> Generator[sqlite3.Connection]:
    """Yield a connection that changes nothing, not even of a copy that lies on a disk that can't be written."""
    log = path.with_name(f"{path.name}-wal")
    mode = "mode=ro" if log.exists() else "immutable=1"
    with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True)) as conn:
        yield conn


def is_sqlite(path: Path) -> bool:
    """Whether a file is there and begins as SQLite's do."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_HEADER)) == _HEADER


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite met a page that can't be right."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
