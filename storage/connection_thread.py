"""A SQLite connection in a thread of its own, and the block of a task that runs there: one trip for all it asks."""

import asyncio
import contextlib
import contextvars
import sqlite3
import types
from collections.abc import AsyncGenerator, Coroutine, Generator
from functools import partial
from pathlib import Path
from typing import Any, Literal

import aiosqlite

BUSY_SECONDS = 10
"""How long a statement waits for another process that writes to the same file."""
STATEMENTS = 1000
"""As many statements a connection keeps ready; there are some hundreds in all."""

_OVER = object()
"""What a task yields to say that its block in the thread is over."""


class ConnectionThread(aiosqlite.Connection):
    """aiosqlite's connection, which can take a whole block of a task into its thread.

    A trip there and back costs forty times what a statement does, so a block makes it once, as in curio's
    `spawn_thread`. The task waits meanwhile, and the event loop is free for others, also while the block computes.
    """

    def __init__(self, path: Path) -> None:
        connector = partial(
            sqlite3.connect, path, isolation_level=None, timeout=BUSY_SECONDS, cached_statements=STATEMENTS
        )
        super().__init__(connector, iter_chunk_size=64)

    @contextlib.asynccontextmanager
    async def block(self) -> AsyncGenerator[sqlite3.Connection]:
        """Run the block in this thread: what waits for anything else is a RuntimeError.

        The block runs to its end even if its task is cancelled meanwhile; the cancellation comes after it.
        """
        connection = self._conn
        await self._enter()
        try:
            yield connection
        finally:
            await _leave()

    @types.coroutine
    def _enter(self) -> Generator[Any, None, None]:
        """Stop the task on the event loop, and let the thread go on with it behind the task's back."""
        task, over, context = asyncio.current_task(), _Over(), contextvars.copy_context()
        assert task is not None
        coroutine: Any = task.get_coro()

        def drive() -> None:
            context.run(_drive, coroutine)

        # Not before the task has stopped; as aiosqlite itself puts a function, but with a future nobody cancels.
        asyncio.get_running_loop().call_soon(self._tx.put_nowait, (over, drive))
        yield next(iter(over))


@types.coroutine
def _leave() -> Generator[Any, None, None]:
    yield _OVER


def _drive(coroutine: Coroutine[Any, Any, Any]) -> None:
    """Go on with a task until its block is over; the one thing it may never do is wait."""
    reached = coroutine.send(None)
    while reached is not _OVER:
        reached = coroutine.throw(RuntimeError("a transaction or snapshot awaits nothing but its own connection"))


class _Over(asyncio.Future[None]):
    """The end of a block, which can't be cancelled: the task is told of a cancellation when it's there."""

    def cancel(self, msg: Any | None = None) -> Literal[False]:
        return False
