"""The databases of tests: a new file quickly made, looked into and changed without a bot, and asked as people ask."""

import asyncio
import contextlib
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from storage.database import Connection, Database

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


@contextlib.contextmanager
def look_into(db: Database) -> Iterator[Connection]:
    """Look into the file of a database."""
    with contextlib.closing(_connect(db)) as sqlite:
        sqlite.execute("PRAGMA query_only = ON")
        sqlite.execute("BEGIN")
        yield Connection(sqlite)


@contextlib.contextmanager
def change_by_hand(db: Database) -> Iterator[Connection]:
    """Change the file of a database by hand, in a transaction."""
    with contextlib.closing(_connect(db)) as sqlite:
        sqlite.execute("BEGIN IMMEDIATE")
        yield Connection(sqlite)
        sqlite.execute("COMMIT")
    if isinstance(db, Watched):
        db.forget()


@runtime_checkable
class Watched(Protocol):
    """A database that compares what it holds before and after each change."""

    def forget(self) -> None: ...


def _connect(db: Database) -> sqlite3.Connection:
    sqlite = sqlite3.connect(db.path, isolation_level=None, timeout=10)
    sqlite.row_factory = sqlite3.Row
    sqlite.execute("PRAGMA foreign_keys = ON")
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
