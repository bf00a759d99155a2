"""What the pages of a league of 20 seasons and 200 people cost: time, memory, and the size of the largest."""

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

from bot.services.base.order import by_bot
from bot.services.reads.past import whole_league
from bot.site.folder import publish
from storage.database import Database
from storage.rows import LeagueId
from tests.benchmarks import long_league
from tests.benchmarks.figures import Figure, Row

SEASONS, PEOPLE = 20, 200
SECONDS, MEGABYTES, KILOBYTES = 5.0, 100, 150


@cache
def measured() -> tuple[float, float, float, float]:
    """Return the processor seconds to read and write all pages after a change, and for the first time.

    And the megabytes that took, and the kB of the largest page.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        asyncio.run(_build(path / "league.db"))
        program = [sys.executable, "-m", "tests.benchmarks.pages", str(path / "league.db")]
        first, again = (
            [float(figure) for figure in subprocess.run(program, capture_output=True, check=True).stdout.split()]
            for _ in range(2)
        )
        return again[0], first[0], max(first[1], again[1]), again[2]


async def _build(path: Path) -> None:
    db, _ = await long_league.build(path, seasons=SEASONS, people=PEOPLE)
    await db.close()


async def _write(path: Path) -> None:
    """Read and write everything in this process, which does nothing else."""
    db, folder = await Database.open(path), path.parent / "site"
    began = time.process_time()
    facts = await db.read(whole_league.whole, by_bot(long_league.NOW, LeagueId(1)))
    publish(facts, folder, "")
    seconds = time.process_time() - began
    await db.close()
    largest = max(file.stat().st_size for file in folder.rglob("*.html"))
    print(seconds, _most_memory(), largest / 1000)


def _most_memory() -> float:
    """Return the megabytes this process had at most; what `getrusage` says begins with the process that started it."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) / 1024


def _row(title: str, which: int, most: float, unit: str, at_most: float = 1) -> Row:
    def row() -> Figure:
        value = measured()[which]
        return Figure(title=title, value=value, yardstick=most, against=f"{most:g} {unit}", at_most=at_most, unit=unit)

    return row


_OF = f"pages of {SEASONS} seasons x {PEOPLE} people"
ROWS: tuple[Row, ...] = (
    _row(f"{_OF}, time after a change", 0, SECONDS, "s"),
    _row(f"{_OF}, time, all for the first time", 1, SECONDS, "s"),
    _row(f"{_OF}, memory", 2, MEGABYTES, "MB"),
    _row(f"{_OF}, largest page", 3, KILOBYTES, "kB"),
)

if __name__ == "__main__":
    asyncio.run(_write(Path(sys.argv[1])))
