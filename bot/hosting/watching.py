"""Look, while the bot runs, whether its database is still the file it opened: else what people do would be lost."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import IO, Any

from storage.files import lock
from storage.migrate import UnusableFile

SECONDS = 10
"""How often it is looked."""

Sleep = Callable[[float], Awaitable[None]]


class Owned:
    """A database that is held by this program, as it was when it was opened."""

    def __init__(self, database: Path, locked: IO[bytes]) -> None:
        self._database = database
        self._file = _identity(os.stat(database))
        self._lock_path, self._lock = lock.path_of(database), _identity(os.fstat(locked.fileno()))

    def trouble(self) -> str | None:
        """Return in words what another program did to the file or its lock, and what to do."""
        if not _is(self._database, self._file):
            done = "replaced" if self._database.exists() else "removed"
            return (
                f"{self._database} was {done} while the bot ran, so the bot has stopped: nothing more would have been "
                "kept. Go back to a backup with `python -m bot restore FILE`, never with mv or cp, then start the bot."
            )
        if not _is(self._lock_path, self._lock):
            return (
                f"{self._lock_path} was deleted while the bot ran, so the bot has stopped: a second one could have "
                "started on its database. Leave that file alone and start the bot again."
            )
        return None


def _identity(before: os.stat_result) -> tuple[int, int]:
    return before.st_dev, before.st_ino


def _is(path: Path, identity: tuple[int, int]) -> bool:
    """Return whether a path leads to a file; a disk that doesn't answer says nothing about that."""
    try:
        return _identity(os.stat(path)) == identity
    except FileNotFoundError:
        return False
    except OSError:
        return True


async def while_in_place(work: Coroutine[Any, Any, int], owned: Owned, sleep: Sleep = asyncio.sleep) -> int:
    """Do the work of a bot; end it, in order, and raise UnusableFile once its database isn't in its place any more."""
    task, watch = asyncio.ensure_future(work), asyncio.ensure_future(_until_trouble(owned, sleep))
    try:
        await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise UnusableFile(watch.result())
    finally:
        watch.cancel()
        task.cancel()
        await asyncio.wait({task, watch})


async def _until_trouble(owned: Owned, sleep: Sleep) -> str:
    while True:
        await sleep(SECONDS)
        trouble = await asyncio.to_thread(owned.trouble)
        if trouble is not None:
            return trouble
