"""The bot's doors to the world under one seed: a clock nobody waits for, one thread, drawn secrets."""

import asyncio
import contextlib
import contextvars
import functools
import random
import secrets
import sqlite3
from collections.abc import Callable, Coroutine, Generator
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

from storage import database
from tests.jumping_time import Loop

Made = TypeVar("Made")
MOST_TURNS = 3
"""So often others may act before a transaction that waits for its turn."""


turns = random.Random(0)
"""Who comes first among those who wait."""


class _InTurn:
    """A connection whose functions run in the one thread there is, each after some of the others' turns."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.waiting = 0
        self._closed = False

    async def __aenter__(self) -> "_InTurn":
        self._sqlite = sqlite3.connect(
            self._path, isolation_level=None, timeout=database.BUSY_SECONDS, cached_statements=database.STATEMENTS
        )
        self._sqlite.row_factory = sqlite3.Row
        self._sqlite.execute("PRAGMA foreign_keys = ON")
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    def refuse(self) -> None:
        self._closed = True

    async def close(self) -> None:
        self.refuse()
        self._sqlite.close()

    async def run(self, work: Callable[[sqlite3.Connection], Made]) -> Made:
        if self._closed:
            raise database.Unavailable("The bot is being stopped. Nothing was changed; try again in a minute.")
        self.waiting += 1
        try:
            for _ in range(turns.randrange(MOST_TURNS)):
                await asyncio.sleep(0)
            made = contextvars.copy_context().run(work, self._sqlite)
            for _ in range(turns.randrange(MOST_TURNS)):
                await asyncio.sleep(0)
        finally:
            self.waiting -= 1
        return made


@contextlib.contextmanager
def _seeded(seed: str) -> Generator[None]:
    """Put threads and secrets under a seed."""
    drawn = random.Random(f"secrets {seed}")
    turns.seed(f"turns {seed}")

    async def at_once(work: Callable[..., Made], *given: Any, **more: Any) -> Made:
        return contextvars.copy_context().run(functools.partial(work, *given, **more))

    def token_hex(size: int = 32) -> str:
        return drawn.randbytes(size).hex()

    with (
        patch.object(database, "_Thread", _InTurn),
        patch.object(database, "SYNCHRONOUS", "OFF"),  # only a power cut would lose what wasn't waited for
        patch.object(asyncio, "to_thread", at_once),
        patch.object(secrets, "token_hex", token_hex),
        patch.object(secrets, "randbelow", drawn.randrange),
    ):
        yield


def run(life: Coroutine[Any, Any, Made], seed: str) -> Made:
    """Run a life in a thread and on a clock of its own; the seed says in which order things happen in it."""
    with _seeded(seed), asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(life)
