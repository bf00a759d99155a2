"""Bring a file to the newest version of the schema, one numbered .sql file after another."""

import sqlite3
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path

import aiosqlite

from bot.league.errors import LeagueError

MIGRATIONS = Path(__file__).with_name("migrations")
APPLICATION_ID = 0x46507231
"""Marks a file as Fairpair's ("FPr1")."""


class UnusableFile(LeagueError):
    """A file that is not this program's database, or a newer version's; the text is for the person who runs the bot."""


def newest_version() -> int:
    """Return the version of the schema this program makes."""
    return len(_scripts(MIGRATIONS))


def require_ours(path: Path, *, mark: int, version: int, newest: int) -> None:
    """Raise UnusableFile if what a file says of itself is another program's, or of a newer version."""
    if mark != APPLICATION_ID:
        raise UnusableFile(f"{path} belongs to another program; set DATABASE to another file.")
    if version > newest:
        raise UnusableFile(f"{path} has version {version}, this program knows up to {newest}: update Fairpair.")


async def migrate(connection: aiosqlite.Connection, path: Path, migrations: Path = MIGRATIONS) -> None:
    """Apply what is missing, each file in one transaction, after a copy beside a file that has data."""
    steps = _scripts(migrations)
    version = await _version(connection, path, newest=len(steps))
    if version == len(steps):
        return
    if version:
        await _copy(connection, path, version)
    await connection.execute("PRAGMA foreign_keys = OFF")  # a table may be rebuilt; checked before each commit
    try:
        for number, step in enumerate(steps, start=1):
            await _apply(connection, number, step)
    finally:
        await connection.execute("PRAGMA foreign_keys = ON")


def _scripts(folder: Path) -> list[str]:
    return [path.read_text("utf-8") for path in sorted(folder.glob("[0-9]*.sql"))]


async def _version(connection: aiosqlite.Connection, path: Path, *, newest: int) -> int:
    """Return the file's version, 0 for a new one; raises UnusableFile."""
    try:
        version = await _number(connection, "PRAGMA user_version")
        mark = await _number(connection, "PRAGMA application_id")
        tables = await _number(connection, "SELECT count(*) FROM sqlite_schema")
    except sqlite3.DatabaseError as error:
        raise UnusableFile(f"{path} isn't a SQLite database ({error}); set DATABASE to another file.") from None
    if mark or version or tables:
        require_ours(path, mark=mark, version=version, newest=newest)
    return version


async def _apply(connection: aiosqlite.Connection, number: int, script: str) -> None:
    """Apply one migration, unless another process has done it meanwhile."""
    await connection.execute("BEGIN IMMEDIATE")
    try:
        if await _number(connection, "PRAGMA user_version") < number:
            for statement in _statements(script):
                await connection.execute(statement)
            if list(await connection.execute_fetchall("PRAGMA foreign_key_check")):
                raise sqlite3.IntegrityError(f"migration {number} leaves rows that refer to nothing")
            await connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            await connection.execute(f"PRAGMA user_version = {number}")
        await connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            await connection.execute("ROLLBACK")
        raise


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script; sqlite3's own executescript would commit between them."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement


async def _copy(connection: aiosqlite.Connection, path: Path, version: int) -> None:
    suffixes = chain([""], (f"-{number}" for number in count(2)))
    names = (path.with_name(f"{path.name}.version-{version}{suffix}") for suffix in suffixes)
    target = next(name for name in names if not name.exists())
    await connection.execute("VACUUM INTO ?", (str(target),))


async def _number(connection: aiosqlite.Connection, sql: str) -> int:
    return int(next(iter(await connection.execute_fetchall(sql)))[0])
