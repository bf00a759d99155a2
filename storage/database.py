"""One SQLite file: one writer behind a lock, one reader that cannot write, migrations at opening."""

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import AsyncGenerator, Awaitable
from pathlib import Path
from typing import Any, Literal, Self

import aiosqlite

from bot.league.errors import Unavailable
from storage.migrate import UnusableFile, migrate

_log = logging.getLogger(__name__)

BUSY_SECONDS = 10
"""How long a statement waits for another process that writes to the same file."""

Connection = aiosqlite.Connection


class _Turn(asyncio.Lock):
    """A lock that refuses the task that holds it already, which would wait for itself for ever."""

    _holder: asyncio.Task[Any] | None = None

    async def acquire(self) -> Literal[True]:
        task = asyncio.current_task()
        if self._holder is task:
            raise RuntimeError("a transaction or snapshot inside another of its kind would wait for itself")
        await super().acquire()
        self._holder = task
        return True

    def release(self) -> None:
        self._holder = None
        super().release()


class Database:
    """The database of a bot; open it with `Database.open`, close it with `close`."""

    def __init__(self, path: Path, writer: Connection, reader: Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._writing = _Turn()
        self._reading = _Turn()

    @classmethod
    async def open(cls, path: Path | str) -> Self:
        """Open a file, creating or migrating it; raises UnusableFile where it is not ours or newer than this."""
        path = Path(path)
        await asyncio.to_thread(_probe, path)
        writer = await _connect(path)
        try:
            await _prepare(writer, path)
            reader = await _connect(path)
        except BaseException:
            await writer.close()
            raise
        await reader.execute("PRAGMA query_only = ON")
        return cls(path, writer, reader)

    async def close(self) -> None:
        """Close both connections; what is being written is finished first."""
        async with self._writing, self._reading:
            await self._reader.close()
            await self._writer.close()

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Connection]:
        """Yield the writer in a transaction: committed at the end, rolled back on any exception, cancellation too."""
        async with self._writing:
            try:
                await _finish(self._writer.execute("BEGIN IMMEDIATE"))
                yield self._writer
                await _finish(self._writer.execute("COMMIT"))
            except BaseException as error:
                await _roll_back(self._writer)
                _require_usable(error)
                raise

    @contextlib.asynccontextmanager
    async def snapshot(self) -> AsyncGenerator[Connection]:
        """Yield the reader in one consistent view of the data; leave it before any long computation."""
        async with self._reading:
            try:
                await _finish(self._reader.execute("BEGIN"))
                yield self._reader
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_READONLY:  # that would be a write by mistake
                    _require_usable(error)
                raise
            finally:
                await _roll_back(self._reader)

    async def backup(self, target: Path) -> None:
        """Write a complete copy to a new file; raises sqlite3.Error where it exists or cannot be written."""
        async with self._writing:
            await _finish(self._writer.execute("VACUUM INTO ?", (str(target),)))


def _require_usable(error: BaseException) -> None:
    """Raise Unavailable, in words for the person who asked, where the file and not the statement is at fault."""
    code = getattr(error, "sqlite_errorcode", None) if isinstance(error, sqlite3.OperationalError) else None
    trouble = _TROUBLE.get(code & 0xFF) if code is not None else None
    if trouble is None:
        return
    _log.error("the database cannot be used: %s", error)
    raise Unavailable(f"{trouble} Nothing was changed.") from error


_TROUBLE = {
    sqlite3.SQLITE_BUSY: "Another program is using the bot's database. Try again in a minute.",
    sqlite3.SQLITE_LOCKED: "Another program is using the bot's database. Try again in a minute.",
    sqlite3.SQLITE_FULL: "The bot's disk is full. Tell the person who runs the bot, then try again.",
    sqlite3.SQLITE_READONLY: "The bot can't write its database. Tell the person who runs the bot, then try again.",
    sqlite3.SQLITE_IOERR: "The bot's disk isn't responding. Tell the person who runs the bot, then try again.",
    sqlite3.SQLITE_CANTOPEN: "The bot can't open its database. Tell the person who runs the bot, then try again.",
}
"""What is wrong with the file, by SQLite's primary result code."""


async def _roll_back(connection: Connection) -> None:
    """End a transaction; statements of a cancelled task still in the queue come before it."""
    if connection.in_transaction:
        await _finish(connection.execute("ROLLBACK"))


async def _finish(work: Awaitable[Any]) -> None:
    """Run a statement to its end even if the caller is cancelled meanwhile, then let the cancellation through."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # read, because asyncio would complain otherwise: only the cancellation counts
        raise


def _probe(path: Path) -> None:
    """Raise UnusableFile where a file cannot be opened; aiosqlite would leave a thread behind."""
    try:
        sqlite3.connect(path).close()
    except sqlite3.OperationalError as error:
        problem = f"{path} can't be opened ({error}). Set DATABASE to a file in a folder that exists."
        raise UnusableFile(problem) from None


async def _connect(path: Path) -> Connection:
    connection = await aiosqlite.connect(path, isolation_level=None, timeout=BUSY_SECONDS)
    connection.row_factory = aiosqlite.Row
    await connection.execute("PRAGMA foreign_keys = ON")
    return connection


async def _set_up(writer: Connection, path: Path) -> None:
    """Migrate and switch to WAL; SQLite does not wait for another process that is switching, so this does."""
    patience = asyncio.get_running_loop().time() + BUSY_SECONDS
    while True:
        try:
            await migrate(writer, path)
            await _use_wal(writer, path)
        except sqlite3.OperationalError as error:
            late = asyncio.get_running_loop().time() > patience
            if late or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            await asyncio.sleep(0.05)
        else:
            return


async def _use_wal(writer: Connection, path: Path) -> None:
    """Switch to WAL; raises UnusableFile where it can't be had, because each reader would block the writer.

    The answer is read to its end: half read, the switch goes on until its cursor is freed, and no COMMIT succeeds.
    """
    (answer,) = await writer.execute_fetchall("PRAGMA journal_mode = WAL")
    if answer[0] != "wal":
        raise UnusableFile(f"{path} can't keep a write-ahead log. Set DATABASE to a file on a local disk.")


async def _prepare(writer: Connection, path: Path) -> None:
    """Bring the file to the newest version, then let readers and the writer work side by side."""
    try:
        await _set_up(writer, path)
        await writer.execute("PRAGMA synchronous = FULL")
    except sqlite3.DatabaseError as error:
        raise UnusableFile(f"{path} can't be used as Fairpair's database: {error}.") from error
