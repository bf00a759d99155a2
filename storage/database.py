"""One SQLite file: one writer thread, readers that can't write, what people read when it's full, damaged or in use."""

import asyncio
import contextlib
import contextvars
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

import aiosqlite

from bot import logs
from bot.league.errors import Unavailable
from storage.cache import Cache
from storage.migrate import BUSY_SECONDS, UnusableFile, migrate

_log = logging.getLogger(__name__)
Made = TypeVar("Made")
Given = ParamSpec("Given")
Values = Sequence[Any] | Mapping[str, Any]
"""What a statement is about: in order, or by name."""
UseCase = Callable[Concatenate["Connection", Given], Made]
"""A plain function that works on a connection in its thread."""

SYNCHRONOUS = "FULL"
"""What was committed is on the disk, also after a power cut."""
READERS = 3
"""As many commands read at once; one that reads a whole season keeps nobody waiting."""
MOST_KEPT = 100_000
"""As many players, matches and lines of tables are kept in memory: some 20 MB in large seasons, 40 in those of eight.

Twenty seasons of 200 players are half of that, so that one look at them doesn't push out what the next one needs; what
is kept of a whole league, which may be larger, raises it.
"""
STATEMENTS = 1000
"""As many statements a connection keeps ready; there are some hundreds in all."""


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards of this process, out of so many: Discord gives each server to one by its id."""

    ids: tuple[int, ...] = (0,)
    count: int = 1


ALL_SHARDS = Shards()


class Connection:
    """A connection as a function in its thread uses it: a statement is done when it's asked for, and nothing waits.

    It has the `cache` of what was worked out from the file. One that `changes` the file keeps nothing there, and finds
    there only what rests on earlier seasons.
    """

    def __init__(self, sqlite: sqlite3.Connection, cache: Cache | None = None, *, changes: bool = False) -> None:
        self._sqlite = sqlite
        self._known: dict[object, tuple[int, Any]] = {}
        self.cache, self.changes = cache, changes

    def once(self, key: object, work: Callable[[], Made]) -> Made:
        """Return what was worked out under this key here, again only once a row was changed."""
        entry = self._known.get(key)
        if entry is None or entry[0] != self._sqlite.total_changes:
            entry = self._known[key] = (self._sqlite.total_changes, work())
        return entry[1]

    def execute(self, sql: str, values: Values = ()) -> sqlite3.Cursor:
        """Run a statement."""
        return self._sqlite.execute(sql, values)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> sqlite3.Cursor:
        """Run a statement once for each row of values."""
        return self._sqlite.executemany(sql, rows)

    def execute_fetchall(self, sql: str, values: Values = ()) -> list[sqlite3.Row]:
        """Run a query and return all its records."""
        return self._sqlite.execute(sql, values).fetchall()

    def execute_insert(self, sql: str, values: Values = ()) -> int:
        """Insert one record and return its id."""
        done = self._sqlite.execute(sql, values).lastrowid
        assert done is not None
        return done


class _Thread:
    """A connection in a thread of its own, in which functions run one after another, as they came."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.waiting = 0
        self._closed = False
        self._connection = aiosqlite.Connection(self._connect, iter_chunk_size=64)

    def _connect(self) -> sqlite3.Connection:
        self._sqlite = sqlite3.connect(
            self._path, isolation_level=None, timeout=BUSY_SECONDS, cached_statements=STATEMENTS
        )
        self._sqlite.row_factory = sqlite3.Row
        self._sqlite.execute("PRAGMA foreign_keys = ON")
        return self._sqlite

    async def __aenter__(self) -> Self:
        await self._connection
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    def refuse(self) -> None:
        """Take no more functions; what runs and waits here is done."""
        self._closed = True

    async def close(self) -> None:
        """Close the connection after what runs and waits there."""
        self.refuse()
        await self._connection.close()

    async def run(self, work: Callable[[sqlite3.Connection], Made]) -> Made:
        """Run a function here and return what it returns.

        Cancelled before its turn it isn't run; once it has begun, the cancellation comes after it, so that none is
        half done.
        """
        if self._closed:
            raise Unavailable("The bot is being stopped. Nothing was changed; try again in a minute.")
        context = contextvars.copy_context()
        turn = _Turn[Made](lambda: context.run(work, self._sqlite))
        # The one private name of aiosqlite: its public ones run a statement, not a function, in the thread.
        in_thread = self._connection._execute
        self.waiting += 1
        try:
            return await in_thread(turn.take)
        except asyncio.CancelledError:
            while not turn.give_up():
                with contextlib.suppress(asyncio.CancelledError):
                    await in_thread(_nothing)  # which comes after it
            raise
        finally:
            self.waiting -= 1


def _nothing() -> None:
    pass


class _Turn(Generic[Made]):
    """A function that waits for its turn in a thread, and isn't run if nobody wants it any more by then."""

    def __init__(self, work: Callable[[], Made]) -> None:
        self._work = work
        self._taken = threading.Lock()

    def take(self) -> Made:
        """Run the function, unless it was given up."""
        if not self._taken.acquire(blocking=False):
            raise RuntimeError("nobody waits for this any more")
        try:
            return self._work()
        except StopIteration as error:  # which no future takes
            raise RuntimeError("a function in the database's thread raised StopIteration") from error
        finally:
            self._taken.release()

    def give_up(self) -> bool:
        """Return whether the function isn't running, and won't be any more."""
        return self._taken.acquire(blocking=False)


class Database:
    """The database of a bot; open it with `Database.open`, close it with `close`."""

    def __init__(self, path: Path, writer: _Thread, readers: Sequence[_Thread]) -> None:
        self.path = path
        self._writer = writer
        self.shards = ALL_SHARDS
        self.cache = Cache(most=MOST_KEPT)
        self._idle = asyncio.LifoQueue[_Thread]()
        for reader in readers:
            self._idle.put_nowait(reader)

    @classmethod
    async def open(cls, path: Path | str) -> Self:
        """Open a file, creating or migrating it; raises UnusableFile where it is not ours or newer than this."""
        path = Path(path)
        await asyncio.to_thread(_probe, path)
        async with contextlib.AsyncExitStack() as opened:
            writer = await opened.enter_async_context(_Thread(path))
            await _prepare(writer, path)
            readers = [await opened.enter_async_context(_Thread(path)) for _ in range(READERS)]
            for reader in readers:
                await reader.run(lambda sqlite: sqlite.execute("PRAGMA query_only = ON").close())
            opened.pop_all()
        return cls(path, writer, readers)

    @property
    def busy(self) -> bool:
        """Whether someone reads or writes."""
        return self._writer.waiting > 0 or self._idle.qsize() < READERS

    async def close(self) -> None:
        """Close all connections; what is being read or written is finished first.

        The writer's is the last, because SQLite moves the log into the file when the last one is closed: no reader
        ever does that.
        """
        self._writer.refuse()
        readers = [await self._idle.get() for _ in range(READERS)]
        for reader in readers:
            await reader.close()
        for reader in readers:
            self._idle.put_nowait(reader)  # so that who asks now is told, too
        await self._writer.close()

    async def leave_log(self) -> None:
        """Leave moving the log into the file (a checkpoint) to the bot that may run on it.

        Two connections of which one checkpoints while the other commits can damage the file (`files/wal_reset.py`).
        What SQLite does when a file is closed by its last user is left: it happens only while nobody else has it open.
        """
        await self._writer.run(lambda sqlite: sqlite.execute("PRAGMA wal_autocheckpoint = 0").fetchall())

    async def write(self, use_case: UseCase[Given, Made], *args: Given.args, **kwargs: Given.kwargs) -> Made:
        """Run a function in the writer's thread, in a transaction: committed at its end, rolled back on any exception.

        It runs to its end even if the task that waits for it is cancelled. The log tells if a row was changed.
        """

        def transaction(sqlite: sqlite3.Connection) -> Made:
            before = sqlite.total_changes
            try:
                sqlite.execute("BEGIN IMMEDIATE")
                result = use_case(Connection(sqlite, self.cache, changes=True), *args, **kwargs)
                sqlite.execute("COMMIT")
            except BaseException as error:
                sqlite.rollback()
                _require_usable(error)
                raise
            if sqlite.total_changes > before:
                logs.tell(saved=True)
            return result

        return await self._writer.run(transaction)

    async def read(self, look: UseCase[Given, Made], *args: Given.args, **kwargs: Given.kwargs) -> Made:
        """Run a function in a reader's thread, which sees one moment of the data however long that takes."""

        def snapshot(sqlite: sqlite3.Connection) -> Made:
            try:
                sqlite.execute("BEGIN")
                return look(Connection(sqlite, self.cache), *args, **kwargs)
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_READONLY:  # that would be a write by mistake
                    _require_usable(error)
                raise
            finally:
                sqlite.rollback()

        reader = await self._idle.get()
        try:
            return await reader.run(snapshot)
        finally:
            self._idle.put_nowait(reader)


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


async def _prepare(writer: _Thread, path: Path) -> None:
    """Bring the file to the newest version, then let readers and the writer work side by side."""
    try:
        await _set_up(writer, path)
        await writer.run(lambda sqlite: sqlite.execute(f"PRAGMA synchronous = {SYNCHRONOUS}").close())
    except sqlite3.DatabaseError as error:
        raise UnusableFile(f"{path} can't be used as Fairpair's database: {error}.") from error


async def _set_up(writer: _Thread, path: Path) -> None:
    """Migrate and switch to WAL; SQLite does not wait for another process that is switching, so this does."""
    patience = asyncio.get_running_loop().time() + BUSY_SECONDS
    while True:
        try:
            await asyncio.to_thread(migrate, path)
            await writer.run(partial(_use_wal, path))
        except sqlite3.OperationalError as error:
            late = asyncio.get_running_loop().time() > patience
            if late or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            await asyncio.sleep(0.05)
        else:
            return


def _use_wal(path: Path, sqlite: sqlite3.Connection) -> None:
    """Switch to WAL; raises UnusableFile where it can't be had, because each reader would block the writer.

    The answer is read to its end: half read, the switch goes on until its cursor is freed, and no COMMIT succeeds.
    """
    (answer,) = sqlite.execute("PRAGMA journal_mode = WAL").fetchall()
    if answer[0] != "wal":
        raise UnusableFile(f"{path} can't keep a write-ahead log. Set DATABASE to a file on a local disk.")
