"""Copies of a database: written whole or not at all, and what one holds, in a few words."""

import contextlib
import os
import shutil
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.league.errors import Invalid
from bot.league.season.in_words import amount
from storage.files.damage import DamagedFile, is_damage, reading

SPARE_BYTES = 50_000_000
"""Space that a copy leaves on the disk, because the database itself needs some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a database holds: leagues, its newest season (id of its league, in words), the moment of its last change."""

    leagues: int
    league_id: int | None
    season: str
    changed_at: datetime | None

    def words(self) -> str:
        """Return them in one line."""
        changed = "never changed" if self.changed_at is None else f"last change {self.changed_at:%Y-%m-%d %H:%M} UTC"
        return f"{amount(self.leagues, 'league')}, {self.season}, {changed}"


def contents(path: Path) -> Contents:
    """Return what a database of this version holds; raises sqlite3.Error where it can't be read."""
    with reading(path) as conn:
        (leagues,) = conn.execute("SELECT count(*) FROM leagues").fetchone()
        newest = conn.execute(
            "SELECT l.id, l.name, s.number FROM seasons s JOIN leagues l ON l.id = s.league_id"
            " WHERE s.number IS NOT NULL AND s.phase <> 'cancelled' ORDER BY s.id DESC LIMIT 1"
        ).fetchone()
        (changed,) = conn.execute("SELECT max(at) FROM audit WHERE id = (SELECT max(id) FROM audit)").fetchone()
    return Contents(
        leagues=leagues,
        league_id=None if newest is None else newest[0],
        season="no season" if newest is None else f"newest season {newest[2]} of {newest[1]}",
        changed_at=None if changed is None else datetime.fromtimestamp(changed, UTC),
    )


def write_copy(source: Path, target: Path) -> None:
    """Write a copy of a database to a new file; raises Invalid and leaves nothing where that fails.

    It reads one state of the source and never waits for a writer, nor does a writer wait for it. Raises DamagedFile
    where the source can't be read to its end.
    """
    if target.exists():
        raise Invalid(f"{target} already exists; choose a new file")
    try:
        _require_space(source, target)
        with contextlib.closing(sqlite3.connect(source)) as conn:
            conn.execute("VACUUM INTO ?", (str(target),))
        _keep(target)
    except (sqlite3.Error, OSError) as wrong:
        with contextlib.suppress(OSError):  # where nothing can be written, nothing is left either
            target.unlink(missing_ok=True)
        if isinstance(wrong, sqlite3.Error) and is_damage(wrong):
            raise DamagedFile(f"{source} is damaged ({wrong}).") from None
        raise Invalid(f"can't write {target} ({wrong}); choose a new file, in a folder with enough space") from None


def put_in_place(written: Path, target: Path) -> None:
    """Give a file that was written under another name its own, in place of what had it, for good."""
    written.replace(target)
    if os.name != "nt":  # Windows can't open folders, and keeps names in order by itself
        _keep(target.parent)


def name_twice(path: Path, other: Path) -> None:
    """Give a file a second name, or copy it on a disk that doesn't know that; raises OSError."""
    try:
        os.link(path, other)
    except FileExistsError:
        raise
    except OSError:
        shutil.copyfile(path, other)


def _require_space(source: Path, target: Path) -> None:
    size = source.stat().st_size
    if shutil.disk_usage(target.parent).free < size + SPARE_BYTES:
        raise OSError(f"the copy needs {size // 1_000_000 + 1} MB, and the database some space to grow")


def _keep(path: Path) -> None:
    """Wait until the disk has what was written to a file or folder."""
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
