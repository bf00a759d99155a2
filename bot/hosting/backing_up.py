"""Make the backup of a day, check it before old ones go, and find the newest good one."""

import asyncio
import os
import shlex
from datetime import UTC, date, datetime
from pathlib import Path

from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.errors import Invalid, LeagueError
from bot.services.base.order import by_bot
from bot.services.leagues import exporting
from storage.database import Database
from storage.files import backups, copies, damage
from storage.files.damage import DamagedFile
from storage.rows import LeagueId

SERVICE = "A service of systemd may write elsewhere only where its ReadWritePaths says so (docs/hosting.md, Backups)."
CHECK_SECONDS = 3600
"""How long a look at every page can take."""


def in_background(database: Path, folder: Path, day: date) -> str | None:
    """Do `back_up` in a process of its own, which lets the bot's answers go first."""
    if hasattr(os, "nice"):
        os.nice(10)
    return back_up(database, folder, day)


def back_up(database: Path, folder: Path, day: date) -> str | None:
    """Write and check the backup of a day, then delete old ones.

    Return what differs from the rules in the newest season of the copy; old backups are kept then. Raises LeagueError
    where there is no good copy.
    """
    target = backups.path_on(folder, database, day)
    copy = backups.unfinished(target)
    _prepare(folder, database)
    copies.write_copy(database, copy)
    different = check(copy)
    copies.put_in_place(copy, target)
    if different is None:
        backups.delete_old(folder, database)
    return different


def check(copy: Path) -> str | None:
    """Look at a copy as a whole: every page, whether it opens, and its newest season.

    Return what differs from the rules in that season, if anything; raises LeagueError where the file is no good.
    """
    fault = damage.problem(copy, "integrity_check", seconds=CHECK_SECONDS)
    if fault is not None:
        raise DamagedFile(f"{copy} is damaged ({fault}).")
    return asyncio.run(_difference(copy))


def newest(database: Path, folder: Path | None) -> Path | None:
    """Return the newest backup of a database, good or not."""
    return next(iter(backups.newest_first(folder, database)), None) if folder is not None else None


def way_back(database: Path, folder: Path | None) -> str:
    """Say how to go back to the newest good backup."""
    for backup in backups.newest_first(folder, database) if folder is not None else ():
        if damage.is_sqlite(backup) and damage.problem(backup, "integrity_check", seconds=CHECK_SECONDS) is None:
            return f"Go back to the newest good backup: python -m bot restore {shlex.quote(str(backup))}"
    return f"There is no good backup in {folder}; if you have another: python -m bot restore FILE"


def _prepare(folder: Path, database: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        backups.delete_unfinished(folder, database)
    except OSError as wrong:
        raise Invalid(
            f"{folder} can't be used for backups ({wrong.strerror}); set BACKUPS to another folder. {SERVICE}"
        ) from None
    if not can_be_written(folder):
        raise Invalid(f"{folder} can't be written, so there are no backups; let the bot's user write there. {SERVICE}")


def can_be_written(folder: Path) -> bool:
    """Return whether this user can write in a folder, or make it."""
    nearest = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    return os.access(nearest, os.W_OK | os.X_OK)


async def _difference(copy: Path) -> str | None:
    """Export the newest season of a copy as people would, and verify the file."""
    db = await Database.open(copy)
    try:
        league = copies.contents(copy).league_id
        if league is None:
            return None
        exported = await db.read(exporting.export, by_bot(datetime.now(UTC), LeagueId(league)))
    finally:
        await db.close()
    season = reading.read(exported.text.encode())
    try:
        verified = verify(season)
    except LeagueError:
        return None  # a season that was recorded elsewhere
    return f"{exported.filename}: {verified.differences[0]}" if verified.differences else None
