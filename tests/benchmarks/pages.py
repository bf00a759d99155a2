"""What the pages of a league of 20 seasons and 200 people cost: time, memory, and the size of the largest."""

import asyncio
import atexit
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from tests.benchmarks import long_league
from tests.benchmarks.figures import Figure, Row

SEASONS, PEOPLE = 20, 200
SECONDS, MEGABYTES, KILOBYTES = 5.0, 100, 150


@cache
def _league() -> Path:
    """Return the database of the league, in a folder of its own that ends with this process."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "league.db"
    asyncio.run(_build(path))
    return path


def _written(*, again: bool) -> list[float]:
    """Return the processor seconds to read and write all pages, the megabytes that took, and the kB of the largest.

    `again` is after a change, where pages are there, else it is for the first time.
    """
    path = _league()
    pages = path.parent / "site"
    program = [sys.executable, "-m", "tests.benchmarks.written_pages", str(path)]
    if not again:
        shutil.rmtree(pages, ignore_errors=True)
    elif not pages.exists():
        subprocess.run(program, stdout=subprocess.DEVNULL, check=True)
    return [float(figure) for figure in subprocess.run(program, capture_output=True, check=True).stdout.split()]


async def _build(path: Path) -> None:
    db, _ = await long_league.build(path, seasons=SEASONS, people=PEOPLE)
    await db.close()


def _row(title: str, most: float, unit: str, which: int, *, again: bool) -> Row:
    def row() -> Figure:
        value = _written(again=again)[which]
        return Figure(title=title, value=value, yardstick=most, against=f"{most:g} {unit}", at_most=1, unit=unit)

    return row


_OF = f"pages of {SEASONS} seasons x {PEOPLE} people"
ROWS: tuple[Row, ...] = (
    _row(f"{_OF}, time, all for the first time", SECONDS, "s", 0, again=False),
    _row(f"{_OF}, time after a change", SECONDS, "s", 0, again=True),
    _row(f"{_OF}, memory, all for the first time", MEGABYTES, "MB", 1, again=False),
    _row(f"{_OF}, memory after a change", MEGABYTES, "MB", 1, again=True),
    _row(f"{_OF}, largest page", KILOBYTES, "kB", 2, again=True),
)
