"""The daily backups of a database: one file a day in a folder, each day of a week and one of each of four weeks."""

import glob
from collections.abc import Sequence
from datetime import date
from pathlib import Path

DAYS, WEEKS = 7, 4
"""How many of the newest days a backup is kept for, and for how many weeks before them."""


def path_on(folder: Path, database: Path, day: date) -> Path:
    """Return the file of a day's backup; databases of several names can share a folder."""
    return folder / f"{database.stem}-{day.isoformat()}{database.suffix}"


def unfinished(backup: Path) -> Path:
    """Return the name a backup has while it's written."""
    return backup.with_name(f"{backup.name}.part")


def days(folder: Path, database: Path) -> list[date]:
    """Return the days that have a backup, the newest first."""
    named = f"{glob.escape(database.stem)}-*{glob.escape(database.suffix)}"
    dated = ((path, _day(path, database)) for path in folder.glob(named))
    own = (day for path, day in dated if day is not None and path == path_on(folder, database, day))
    return sorted(own, reverse=True)


def _day(path: Path, database: Path) -> date | None:
    try:
        return date.fromisoformat(path.stem.removeprefix(f"{database.stem}-"))
    except ValueError:
        return None


def newest_first(folder: Path, database: Path) -> list[Path]:
    """Return the backups there are."""
    return [path_on(folder, database, day) for day in days(folder, database)]


def delete_unfinished(folder: Path, database: Path) -> None:
    """Delete what a program that was killed has left."""
    for left in folder.glob(f"{glob.escape(database.stem)}-*.part"):
        left.unlink(missing_ok=True)


def delete_old(folder: Path, database: Path) -> None:
    """Delete what is no longer kept; by rank and not by age, so that a clock that jumps deletes nothing more."""
    for day in set(days(folder, database)) - kept(days(folder, database)):
        path_on(folder, database, day).unlink(missing_ok=True)


def kept(newest: Sequence[date]) -> set[date]:
    """Return which days are kept: the newest ones, and before them the last one of each of the newest weeks."""
    weeks: dict[tuple[int, int], date] = {}
    for day in newest[DAYS:]:
        weeks.setdefault(day.isocalendar()[:2], day)
    return {*newest[:DAYS], *list(weeks.values())[:WEEKS]}
