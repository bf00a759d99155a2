"""Read and write the pages of the one league of a database, in a process that imports nothing that only tests need."""

import asyncio
import re
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from bot.services.base.order import by_bot
from bot.services.reads.past import whole_league
from bot.site.folder import publish
from storage.database import Database
from storage.rows import LeagueId

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


async def _write(path: Path) -> None:
    """Print the processor seconds that took, the megabytes this process had at most, and the kB of the largest page."""
    db, folder = await Database.open(path), path.parent / "site"
    began = time.process_time()
    facts = await db.read(whole_league.whole, by_bot(NOW, LeagueId(1)))
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


if __name__ == "__main__":
    asyncio.run(_write(Path(sys.argv[1])))
