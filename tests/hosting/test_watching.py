"""A database that is removed, replaced or unlocked under the running bot stops it with a sentence."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.hosting import watching
from bot.hosting.starting import owned_database
from bot.settings import Settings
from storage.files import copies, lock
from storage.migrate import UnusableFile

CLOSED: list[str] = []


async def the_bot() -> int:
    """Run until it is told to stop, and close in order."""
    CLOSED.clear()
    try:
        await asyncio.Event().wait()
    finally:
        await asyncio.sleep(0)
        CLOSED.append("closed")
    return 0


def removed(database: Path) -> None:
    database.unlink()


def moved_over(database: Path) -> None:
    copies.write_copy(database, database.with_name("copy.db"))
    shutil.move(database.with_name("copy.db"), database)


def unlocked(database: Path) -> None:
    lock.path_of(database).unlink()


@pytest.mark.parametrize(
    ("ruin", "words"),
    [
        (removed, r"league.db was removed while the bot ran.* python -m bot restore FILE"),
        (moved_over, r"league.db was replaced while the bot ran.* python -m bot restore FILE"),
        (unlocked, r"league.db.lock was deleted while the bot ran.* start the bot again"),
    ],
)
async def test_a_database_that_is_taken_away_stops_the_bot_in_words(
    database: Path, ruin: Callable[[Path], None], words: str
) -> None:
    looks = 0

    async def sleep(seconds: float) -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            ruin(database)

    async with owned_database(Settings(database=database)) as owned:
        with pytest.raises(UnusableFile, match=words.replace(" python", " .python")):
            await watching.while_in_place(the_bot(), owned, sleep)
    assert looks == 3
    assert CLOSED == ["closed"]
    assert watching.SECONDS <= 60


async def test_a_bot_that_is_told_to_stop_closes_in_order_and_its_database_stays(database: Path) -> None:
    async with owned_database(Settings(database=database)) as owned:
        task = asyncio.create_task(watching.while_in_place(the_bot(), owned))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert CLOSED == ["closed"]


async def test_a_bot_that_ends_by_itself_says_so(database: Path) -> None:
    async def ends() -> int:
        return 2

    async with owned_database(Settings(database=database)) as owned:
        assert await watching.while_in_place(ends(), owned) == 2
