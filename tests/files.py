"""The databases of tests: a new file quickly made, looked into and changed without a bot, and asked as people ask."""

import asyncio
import contextlib
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

import pytest

from bot.league.season.settings import SETTINGS
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from storage import database, migrate
from storage.cache import Cache
from storage.database import MOST_KEPT, READERS, STATEMENTS, Connection, Database

Made = TypeVar("Made")
AllRows = Mapping[str, Sequence[tuple[Any, ...]]]
"""The rows of each table of a file."""

_made: list[bytes] = []


async def new_database(path: Path) -> Path:
    """Put an empty database of the newest version at a path where there is none, as opening one there does."""
    if not _made:
        with tempfile.TemporaryDirectory(prefix="fairpair-new-") as folder:
            file = Path(folder) / "league.db"
            await (await Database.open(file)).close()
            _made.append(file.read_bytes())
    await asyncio.to_thread(_copy_to, path)
    return path


def _copy_to(path: Path) -> None:
    if not path.exists():
        path.write_bytes(_made[0])


_newest = set[bytes]()
"""What the headers of files say that were looked through and have the newest version."""


def migrate_once(path: Path) -> None:
    """Bring a file to the newest version; one whose schema was looked through in another file isn't once more."""
    known = _schema_of(path)
    if not known or known not in _newest:
        migrate.migrate(path)
        _newest.add(_schema_of(path))


def _schema_of(path: Path) -> bytes:
    """Return which program's, version's and how often changed schema a file has; nothing where its log may say more."""
    logs = (path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-journal"))
    if not path.is_file() or any(log.exists() for log in logs):
        return b""
    with path.open("rb") as file:
        header = file.read(72)
    return header[40:44] + header[60:64] + header[68:72]


class Looked(Database):
    """A database whose tests look into its file often: what they look with stays open as long as it does.

    It can be put back to a moment as often as needed; its connections keep their statements ready.
    """

    looks: list[sqlite3.Connection] | None = None
    _restoring: sqlite3.Connection | None = None
    _changing: sqlite3.Connection | None = None

    @classmethod
    async def open(cls, path: Path | str) -> Self:
        db = await super().open(path)
        db.looks = []
        return db

    async def close(self) -> None:
        self._close_looks()
        await super().close()

    def _close_looks(self) -> None:
        for sqlite in filter(None, (*(self.looks or ()), self._restoring, self._changing)):
            sqlite.close()
        self.looks = self._restoring = self._changing = None

    @property
    def is_open(self) -> bool:
        return self.looks is not None

    @property
    def schema(self) -> int:
        """How often tables were changed in the file."""
        with look_into(self) as conn:
            (version,) = conn.execute("PRAGMA schema_version").fetchone()
            return version

    async def emptied(self, new: AllRows) -> Self:
        """Return what the database of a new file would be, with the connections of this one."""
        readers = [await self._idle.get() for _ in range(READERS)]
        await self._writer.run(lambda _: None)
        self.put_back(new)
        again = type(self)(self.path, self._writer, readers)
        again.looks, again._restoring, again._changing = self.looks, self._restoring, self._changing
        return again

    def stop(self) -> None:
        """Close all connections when no loop runs any more."""
        self._close_looks()
        for thread in (*self._idle._queue, self._writer):  # type: ignore[attr-defined]
            thread._connection.stop()

    def forget(self) -> None:
        """Take the file as it is: it was changed as no service does."""

    @contextlib.contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """Give what the file is changed with by hand."""
        self._changing = self._changing or _connect(self)
        yield self._changing

    def all_rows(self) -> AllRows:
        """Return the rows of every table, those of the ids that were given first."""
        tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name <> 'sqlite_sequence', rowid"
        with look_into(self) as conn:
            names = [name for (name,) in conn.execute(tables)]
            return {
                name: [tuple(row) for row in conn.execute(f"SELECT * FROM {name} ORDER BY rowid")] for name in names
            }

    def put_back(self, rows: AllRows) -> None:
        """Have these rows and no others, as a file that was opened now."""
        sqlite = self._restoring = self._restoring or _connect(self, foreign_keys=False)
        sqlite.execute("BEGIN IMMEDIATE")
        for table in rows:
            if sqlite.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():
                sqlite.execute(f"DELETE FROM {table}")
        for table, there in rows.items():
            if there:
                sqlite.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(there[0]))})", there)
        sqlite.execute("COMMIT")
        self.cache = Cache(most=MOST_KEPT)
        self.forget()


Kind = TypeVar("Kind", bound=Looked)


class Kept(Generic[Kind]):
    """Databases that nothing is written in: their connections serve one test after another."""

    def __init__(self, kind: type[Kind], folder: Path) -> None:
        self._kind, self._folder, self._made = kind, folder, count()
        self._idle: list[Kind] = []
        self._new: AllRows = {}
        self._schema = 0

    async def take(self) -> Kind:
        if self._idle:
            return self._idle.pop()
        db = await self._kind.open(await new_database(self._folder / f"{next(self._made)}.db"))
        self._new, self._schema = self._new or db.all_rows(), db.schema
        return db

    async def give_back(self, db: Kind) -> None:
        """Take out what was written, unless it was closed or has other tables now."""
        if not db.is_open:
            return
        if db.schema == self._schema:
            self._idle.append(await db.emptied(self._new))
        else:
            await db.close()

    def stop(self) -> None:
        for db in self._idle:
            db.stop()


@contextlib.contextmanager
def look_into(db: Database) -> Iterator[Connection]:
    """Look into the file of a database."""
    looks = db.looks if isinstance(db, Looked) else None
    sqlite = looks.pop() if looks else _connect(db, query_only=True)
    try:
        sqlite.execute("BEGIN")
        yield Connection(sqlite)
    finally:
        sqlite.rollback()
        if isinstance(db, Looked) and db.looks is not None:
            db.looks.append(sqlite)
        else:
            sqlite.close()


@contextlib.contextmanager
def change_by_hand(db: Database, *, seasons: bool = True) -> Iterator[Connection]:
    """Change the file of a database by hand, in a transaction; say if nothing is changed that seasons rest on."""
    stays = isinstance(db, Looked) and db.is_open
    with db.changing() if stays else contextlib.closing(_connect(db)) as sqlite:
        try:
            sqlite.execute("BEGIN IMMEDIATE")
            yield Connection(sqlite)
            sqlite.execute("COMMIT")
        finally:
            sqlite.rollback()
    if isinstance(db, Looked) and seasons:
        db.forget()


def _connect(db: Database, *, foreign_keys: bool = True, query_only: bool = False) -> sqlite3.Connection:
    # Looks are taken in the thread of a test and in the writer's, never in both at once.
    sqlite = sqlite3.connect(
        db.path, isolation_level=None, timeout=10, cached_statements=STATEMENTS, check_same_thread=False
    )
    sqlite.row_factory = sqlite3.Row
    sqlite.execute(f"PRAGMA foreign_keys = {foreign_keys}")
    sqlite.execute(f"PRAGMA query_only = {query_only}")
    sqlite.execute(f"PRAGMA synchronous = {database.SYNCHRONOUS}")
    return sqlite


async def do(
    use_case: Callable[..., Made],
    *,
    db: Database,
    actor: Actor,
    now: datetime,
    league_id: Any = None,
    **given: Any,
) -> Made:
    """Let someone change something."""
    return await db.write(use_case, Order(actor=actor, now=now, league_id=league_id), **given)


async def see(
    look: Callable[..., Made],
    *,
    db: Database,
    actor: Actor,
    now: datetime = datetime(2026, 11, 21, 12, tzinfo=UTC),
    league_id: Any = None,
    **given: Any,
) -> Made:
    """Let someone look something up."""
    return await db.read(look, Order(actor=actor, now=now, league_id=league_id), **given)


def draw_plainly(patch: pytest.MonkeyPatch) -> None:
    """Let seasons begin with the draw of names alone, whose pairs are the same each time."""
    patch.setitem(SETTINGS, "salt", replace(SETTINGS["salt"], begins=None))
