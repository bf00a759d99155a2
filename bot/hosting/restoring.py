"""Go back to a backup: look at it first, say what it replaces, and keep that aside."""

import glob
import itertools
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bot.hosting import backing_up
from bot.league.errors import Invalid
from storage.files import copies, damage, lock
from storage.migrate import UnusableFile


def restore(backup: Path, database: Path, agreed: Callable[[str], bool]) -> str | None:
    """Put a backup in the place of a database no bot runs on, if that's agreed to; return what was done.

    The backup itself stays as it is, and the file that is replaced is kept under another name. Raises LeagueError
    where the backup is no good, and Conflict while a bot or an import runs.
    """
    with lock.held_alone(database, "python -m bot restore"):
        copy = database.with_name(f"{database.name}.restoring")
        try:
            _write_checked(backup, copy)
            if not agreed(f"This replaces {database} ({_known(database)}) by {backup} ({_known(copy)})."):
                return None
            aside = _put_aside(database) if database.exists() else None
            for suffix in ("-wal", "-shm"):  # SQLite would play the log of the file that is replaced into the other one
                _beside(database, suffix).unlink(missing_ok=True)
            copies.put_in_place(copy, database)
        finally:
            for left in database.parent.glob(f"{glob.escape(copy.name)}*"):
                left.unlink()
    kept = "" if aside is None else f" The file from before is kept as {aside}."
    return f"{database} is as it was in {backup}: {_known(database)}.{kept} Start the bot now."


def _write_checked(backup: Path, copy: Path) -> None:
    if not damage.is_sqlite(backup):
        raise UnusableFile(f"{backup} isn't a database; name a backup, such as one in the folder of BACKUPS.")
    fault = damage.problem(backup, "integrity_check", seconds=backing_up.CHECK_SECONDS)
    if fault is not None:
        raise UnusableFile(f"{backup} is damaged too ({fault}); try an older one.")
    damage.require_ours(backup)
    copy.unlink(missing_ok=True)  # of a program that was killed
    copies.write_copy(backup, copy)
    backing_up.check(copy)


def _known(path: Path) -> str:
    """Return in words what a file holds, as far as it can be read."""
    if not path.exists():
        return "which isn't there"
    try:
        return copies.contents(path).words()
    except sqlite3.Error as wrong:
        return f"which can't be read: {wrong}"


def _put_aside(database: Path) -> Path:
    """Give a database and its log a second name, so that nothing is lost whenever this program dies."""
    aside = _free_name(f"{database}.replaced-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    try:
        for suffix in ("", "-wal"):
            if _beside(database, suffix).exists():
                copies.name_twice(_beside(database, suffix), _beside(aside, suffix))
    except OSError as wrong:
        raise Invalid(f"{database} can't be kept aside ({wrong.strerror}); make space on its disk") from None
    return aside


def _free_name(name: str) -> Path:
    """Return a name that no database has, nor a log that was left; two are made within a second by a script."""
    numbered = (Path(name if number == 1 else f"{name}-{number}") for number in itertools.count(1))
    return next(path for path in numbered if not (path.exists() or _beside(path, "-wal").exists()))


def _beside(database: Path, suffix: str) -> Path:
    return database.with_name(f"{database.name}{suffix}")
