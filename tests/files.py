"""The databases of tests: a new file quickly made, looked into and changed without a bot, and asked as people ask."""

import asyncio
import contextlib
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self, TypeVar

import pytest

from bot.league.season.settings import SETTINGS
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from storage import database, migrate
from storage.database import STATEMENTS, Connection, Database

Made = TypeVar("Made")

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
    """A database whose tests look into its file often: what they look with stays open as long as it does."""

    looks: list[sqlite3.Connection] | None = None

    @classmethod
    async def open(cls, path: Path | str) -> Self:
        db = await super().open(path)
        db.looks = []
        return db

    async def close(self) -> None:
        looks, self.looks = self.looks or [], None
        for sqlite in looks:
            sqlite.close()
        await super().close()

    def forget(self) -> None:
        """Take the file as it is: it was changed as no service does."""


@contextlib.contextmanager
def look_into(db: Database) -> Iterator[Connection]:
    """Look into the file of a database."""
    with _file_of(db) as sqlite:
        sqlite.execute("PRAGMA query_only = ON")
        try:
            sqlite.execute("BEGIN")
            yield Connection(sqlite)
        finally:
            sqlite.rollback()
            sqlite.execute("PRAGMA query_only = OFF")


@contextlib.contextmanager
def change_by_hand(db: Database, *, seasons: bool = True) -> Iterator[Connection]:
    """Change the file of a database by hand, in a transaction; say if nothing is changed that seasons rest on."""
    with _file_of(db) as sqlite:
        try:
            sqlite.execute("BEGIN IMMEDIATE")
            yield Connection(sqlite)
            sqlite.execute("COMMIT")
        finally:
            sqlite.rollback()
    if isinstance(db, Looked) and seasons:
        db.forget()


@contextlib.contextmanager
def _file_of(db: Database) -> Iterator[sqlite3.Connection]:
    """Give a connection to the file of a database, which stays open as long as one whose tests look often."""
    looks = db.looks if isinstance(db, Looked) else None
    sqlite = looks.pop() if looks else _connect(db)
    try:
        yield sqlite
    finally:
        if isinstance(db, Looked) and db.looks is not None:
            db.looks.append(sqlite)
        else:
            sqlite.close()


def _connect(db: Database) -> sqlite3.Connection:
    # Looks are taken in the thread of a test and in the writer's, never in both at once.
    sqlite = sqlite3.connect(
        db.path, isolation_level=None, timeout=10, cached_statements=STATEMENTS, check_same_thread=False
    )
    sqlite.row_factory = sqlite3.Row
    sqlite.execute("PRAGMA foreign_keys = ON")
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
