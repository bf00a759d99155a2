"""What the clock's turn costs over a thousand leagues: with nothing due, and with everything at once."""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot import steps
from storage.database import Database
from tests.benchmarks.figures import Figure, Row, best_of
from tests.benchmarks.leagues import NOW, build
from tests.benchmarks.yardsticks import HASHING, hashing

LEAGUES = 1_000
DUE = NOW + timedelta(hours=3)


def _measured(title: str, task: Callable[[Database], Awaitable[Any]], *, at_most: float, **shape: Any) -> Row:
    """Return a row for the processor time of a task on a database of a thousand leagues."""

    async def run() -> float:
        with tempfile.TemporaryDirectory() as folder:
            db = await build(Path(folder) / "leagues.db", LEAGUES, **shape)
            begun = time.process_time()
            await task(db)
            spent = time.process_time() - begun
            await db.close()
            return spent

    def measure() -> Figure:
        (yardstick,) = best_of(hashing())
        return Figure(title=title, value=asyncio.run(run()), yardstick=yardstick, against=HASHING, at_most=at_most)

    return measure


async def _nothing_due(db: Database) -> None:
    assert await steps.tick(db, NOW) == 0


async def _deadlines(db: Database) -> None:
    assert await steps.tick(db, DUE) == LEAGUES


ROWS: tuple[Row, ...] = (
    _measured("the clock's turn, nothing due, 1,000 running rounds", _nothing_due, at_most=0.65, seasons=10),
    _measured("1,000 deadlines at once", _deadlines, at_most=375, seasons=1, deadline=NOW + timedelta(hours=2)),
)
