"""One SQLite file: one writer behind a lock, readers that cannot write, migrations at opening."""

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from bot.league.errors import Unavailable
from storage.cache import Cache
from storage.connection_thread import BUSY_SECONDS, ConnectionThread
from storage.migrate import UnusableFile, migrate

_log = logging.getLogger(__name__)
Made = TypeVar("Made")

SYNCHRONOUS = "FULL"
"""What was committed is on the disk, also after a power cut."""
READERS = 3
"""As many commands read at once; one that reads a whole season keeps nobody waiting."""
MOST_KEPT = 50_000
"""As many players, matches and lines of tables are kept in memory: some ten megabytes."""


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards of this process, out of so many: Discord gives each server to one by its id."""

    ids: tuple[int, ...] = (0,)
    count: int = 1


class Connection:
    """A connection as a block inside its thread uses it: a statement is done when it's asked for, and nothing waits.

    A snapshot has the `cache` of what was worked out from the file; a transaction, which changes the file, has none.
    """

    def __init__(self, sqlite: sqlite3.Connection, cache: Cache | None = None) -> None:
        self._sqlite = sqlite
        self._known: dict[object, tuple[int, Any]] = {}
        self.cache = cache

    async def once(self, key: object, work: Callable[[], Awaitable[Made]]) -> Made:
        """Return what was worked out under this key in this block, again only once the block has changed a row."""
        known = self._known.get(key)
        if known is None or known[0] != self._sqlite.total_changes:
            known = self._known[key] = (self._sqlite.total_changes, await work())
        return known[1]

    async def execute(self, sql: str, values: Iterable[Any] = ()) -> sqlite3.Cursor:
        """Run a statement."""
        return self._sqlite.execute(sql, tuple(values))

    async def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> sqlite3.Cursor:
        """Run a statement once for each row of values."""
        return self._sqlite.executemany(sql, rows)

    async def execute_fetchall(self, sql: str, values: Iterable[Any] = ()) -> list[sqlite3.Row]:
        """Run a query and return all its records."""
        return self._sqlite.execute(sql, tuple(values)).fetchall()

    async def execute_insert(self, sql: str, values: Iterable[Any] = ()) -> int:
        """Insert one record and return its id."""
        done = self._sqlite.execute(sql, tuple(values)).lastrowid
        assert done is not None
        return done


class Database:
    """The database of a bot; open it with `Database.open`, close it with `close`."""

    def __init__(self, path: Path, writer: ConnectionThread, readers: Sequence[ConnectionThread]) -> None:
        self.path = path
        self._writer = writer
        self._writing = asyncio.Lock()
        self.shards = Shards()
        self._cache = Cache(most=MOST_KEPT)
        self._idle = asyncio.LifoQueue[ConnectionThread]()
        for reader in readers:
            self._idle.put_nowait(reader)

    @classmethod
    async def open(cls, path: Path | str) -> Self:
        """Open a file, creating or migrating it; raises UnusableFile where it is not ours or newer than this."""
        path = Path(path)
        await asyncio.to_thread(_probe, path)
        async with contextlib.AsyncExitStack() as opened:
            writer = await _connect(opened, path)
            await _prepare(writer, path)
            readers = [await _connect(opened, path) for _ in range(READERS)]
            for reader in readers:
                await reader.execute("PRAGMA query_only = ON")
            opened.pop_all()
        return cls(path, writer, readers)

    async def close(self) -> None:
        """Close all connections; what is being read or written is finished first."""
        async with self._writing:
            readers = [await self._idle.get() for _ in range(READERS)]
            for connection in (*readers, self._writer):
                await connection.close()
            for reader in readers:
                self._idle.put_nowait(reader)  # who asks now is told that it's closed

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Connection]:
        """Run a block in the writer's thread, in a transaction: committed at its end, rolled back on any exception."""
        _require_outside()
        async with self._writing, self._writer.block() as sqlite:
            try:
                sqlite.execute("BEGIN IMMEDIATE")
                yield Connection(sqlite)
                sqlite.execute("COMMIT")
            except BaseException as error:
                sqlite.rollback()
                _require_usable(error)
                raise

    @contextlib.asynccontextmanager
    async def snapshot(self) -> AsyncGenerator[Connection]:
        """Run a block in the thread of a reader, which sees one moment of the data however long the block takes."""
        _require_outside()
        async with self._reader() as reader, reader.block() as sqlite:
            try:
                sqlite.execute("BEGIN")
                yield Connection(sqlite, self._cache)
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_READONLY:  # that would be a write by mistake
                    _require_usable(error)
                raise
            finally:
                sqlite.rollback()

    @contextlib.asynccontextmanager
    async def _reader(self) -> AsyncGenerator[ConnectionThread]:
        reader = await self._idle.get()
        try:
            yield reader
        finally:
            self._idle.put_nowait(reader)


def _require_outside() -> None:
    """Refuse a block inside another, which would wait for itself: inside one there is no event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError("a transaction or snapshot inside another would wait for itself") from None


def _require_usable(error: BaseException) -> None:
    """Raise Unavailable, in words for the person who asked, where the file and not the statement is at fault."""
    code = getattr(error, "sqlite_errorcode", None) if isinstance(error, sqlite3.DatabaseError) else None
    trouble = _TROUBLE.get(code & 0xFF) if code is not None else None
    if trouble is None:
        return
    _log.error("the database cannot be used (python -m bot doctor says more): %s", error)
    raise Unavailable(f"{trouble} Nothing was changed.") from error


_DAMAGED = "The bot's database is damaged. Tell the person who runs the bot: they can go back to a backup."
_TROUBLE = {
    sqlite3.SQLITE_BUSY: "Another program is using the bot's database. Try again in a minute.",
    sqlite3.SQLITE_LOCKED: "Another program is using the bot's database. Try again in a minute.",
    sqlite3.SQLITE_FULL: "The bot's disk is full. Tell the person who runs the bot, then try again.",
    sqlite3.SQLITE_READONLY: "The bot can't write its database. Tell the person who runs the bot, then try again.",
    sqlite3.SQLITE_IOERR: "The bot's disk isn't responding. Tell the person who runs the bot, then try again.",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_CANTOPEN: "The bot can't open its database. Tell the person who runs the bot, then try again.",
}
"""What is wrong with the file, by SQLite's primary result code."""


def _probe(path: Path) -> None:
    """Raise UnusableFile where a file cannot be opened; aiosqlite would leave a thread behind."""
    try:
        sqlite3.connect(path).close()
    except sqlite3.OperationalError as error:
        problem = f"{path} can't be opened ({error}). Set DATABASE to a file in a folder that exists."
        raise UnusableFile(problem) from None


async def _connect(opened: contextlib.AsyncExitStack, path: Path) -> ConnectionThread:
    connection = ConnectionThread(path)
    await opened.enter_async_context(connection)
    connection.row_factory = sqlite3.Row
    await connection.execute("PRAGMA foreign_keys = ON")
    return connection


async def _set_up(writer: ConnectionThread, path: Path) -> None:
    """Migrate and switch to WAL; SQLite does not wait for another process that is switching, so this does."""
    patience = asyncio.get_running_loop().time() + BUSY_SECONDS
    while True:
        try:
            await asyncio.to_thread(migrate, path)
            await _use_wal(writer, path)
        except sqlite3.OperationalError as error:
            late = asyncio.get_running_loop().time() > patience
            if late or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            await asyncio.sleep(0.05)
        else:
            return


async def _use_wal(writer: ConnectionThread, path: Path) -> None:
    """Switch to WAL; raises UnusableFile where it can't be had, because each reader would block the writer.

    The answer is read to its end: half read, the switch goes on until its cursor is freed, and no COMMIT succeeds.
    """
    (answer,) = await writer.execute_fetchall("PRAGMA journal_mode = WAL")
    if answer[0] != "wal":
        raise UnusableFile(f"{path} can't keep a write-ahead log. Set DATABASE to a file on a local disk.")


async def _prepare(writer: ConnectionThread, path: Path) -> None:
    """Bring the file to the newest version, then let readers and the writer work side by side."""
    try:
        await _set_up(writer, path)
        await writer.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
    except sqlite3.DatabaseError as error:
        raise UnusableFile(f"{path} can't be used as Fairpair's database: {error}.") from error
