"""Bring a file to the newest schema step by step, after a copy; refuse another program's or a newer version's file.

A new file is made of `migrations/schema.sql`, which says what the tables are now.

To add a migration:

1. Never change one that has landed; a test holds the hash of 0001. Take the next free number and write
   `migrations/NNNN_what_for.sql`. All its statements run in one transaction with the new version's number, after a copy
   of a file that has data, so that a program that dies leaves the file as it was.
2. A table whose constraints change is rebuilt: CREATE TABLE x_new, INSERT INTO x_new SELECT ... FROM x, DROP TABLE x,
   ALTER TABLE x_new RENAME TO x, then its indexes and triggers again. Foreign keys are off meanwhile and checked before
   the commit. What other tables and triggers say of `x` stays as it's written, so a table that gets another name for
   good needs those rebuilt too. A table with AUTOINCREMENT keeps its counter, also where it is empty, as
   `migrations/0031_places_kept.sql` shows.
3. What SQL can't work out is filled in by `fill(connection)` in `migrations/python/NNNN_what_for.py`, which runs
   right after the statements, in the same transaction.
4. Change `migrations/schema.sql` alike. A test compares what it makes with what all steps make.
5. tests/version_0_2 opens a file of 0.2 and compares every row: name there the columns and rows that yours changes, and
   test what it makes of them.
"""

import contextlib
import importlib.util
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, count
from pathlib import Path

from bot.league.errors import LeagueError

BUSY_SECONDS = 10
"""How long a statement waits for another process that writes to the same file."""

MIGRATIONS = Path(__file__).with_name("migrations")
APPLICATION_ID = 0x46507231
"""Marks a file as Fairpair's ("FPr1")."""


class UnusableFile(LeagueError):
    """A file that is not this program's database, or a newer version's; the text is for the person who runs the bot."""


@dataclass(frozen=True, slots=True)
class _Step:
    """What makes a version out of the one before it."""

    number: int
    script: Path

    def apply(self, connection: sqlite3.Connection) -> None:
        """Change the schema, then fill in what SQL can't work out."""
        for statement in _statements(self.script.read_text("utf-8")):
            connection.execute(statement)
        code = self.script.parent / "python" / f"{self.script.stem}.py"
        if code.exists():
            spec = importlib.util.spec_from_file_location(f"storage.migrations.{code.stem}", code)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            module.fill(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {self.number}")


def migrate(path: Path, folder: Path = MIGRATIONS) -> None:
    """Make a new file, or apply each missing step in one transaction, after a copy beside a file that has data.

    Raises UnusableFile where the file isn't this program's, or sqlite3.Error where a step fails.
    """
    steps = _steps(folder)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS)) as connection:
        version = version_of(connection, path, folder)
        if version == len(steps):
            return
        if version:
            _copy(connection, path, version)
        connection.execute("PRAGMA foreign_keys = OFF")  # a table may be rebuilt; checked before each commit
        connection.execute("PRAGMA legacy_alter_table = ON")  # and what refers to it by its name goes on to do so
        for step in steps[version:] if version else [_whole(folder)]:
            _apply(connection, step)


def is_newest(path: Path, folder: Path = MIGRATIONS) -> bool:
    """Whether a file has the version this program makes; raises as `version_of` does."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return version_of(connection, path, folder) == len(_steps(folder))


def version_of(connection: sqlite3.Connection, path: Path, folder: Path = MIGRATIONS) -> int:
    """Return the version of a file, 0 for a new one, and change nothing.

    Raises UnusableFile where it's another program's, of a newer version, or has other tables than its version has.
    """
    try:
        connection.execute("BEGIN")  # one moment, whatever another program that migrates it does meanwhile
        version, mark = _number(connection, "PRAGMA user_version"), _number(connection, "PRAGMA application_id")
        schema = _schema(connection)
        connection.execute("COMMIT")
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        raise UnusableFile(f"{path} isn't a SQLite database ({error}); set DATABASE to another file.") from None
    newest = len(_steps(folder))
    if not (mark or version or schema):
        return 0
    if mark != APPLICATION_ID:
        raise UnusableFile(f"{path} belongs to another program; set DATABASE to another file.")
    if version > newest:
        raise UnusableFile(f"{path} has version {version}, this program knows up to {newest}: update Fairpair.")
    wanted = _schema_of(folder, version)
    ours = {name for name, *_ in wanted}
    if (
        frozenset(each for each in schema if each[0] in ours) != wanted
    ):  # other tables may be there, such as Litestream's
        raise UnusableFile(
            f"{path} has other tables than this program makes: Fairpair 0.1 made it, or it was changed by hand;"
            " set DATABASE to another file."
        )
    return version


def tables() -> frozenset[str]:
    """Return the tables this program makes; a file can hold others, of a program that copies it, for example."""
    schema = _schema_of(MIGRATIONS, len(_steps(MIGRATIONS)))
    return frozenset(name for name, *about in schema if about == ["table", name])


@cache
def _steps(folder: Path) -> tuple[_Step, ...]:
    scripts = sorted(folder.glob("[0-9]*.sql"))
    return tuple(_Step(number, script) for number, script in enumerate(scripts, start=1))


def _whole(folder: Path) -> _Step:
    """Return the one step that makes a new file of the newest version."""
    return _Step(len(_steps(folder)), folder / "schema.sql")


def _schema(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    """Return each table with its columns, each index and trigger; their texts may differ from one SQLite to another."""
    named = "m.name NOT LIKE 'sqlite~_%' ESCAPE '~'"
    columns = 'c.name, c.type, c."notnull", c.dflt_value, c.pk'
    tables = f"SELECT m.name, {columns} FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'"
    schema = {*connection.execute(f"SELECT m.name, m.type, m.tbl_name FROM sqlite_schema m WHERE {named}")}
    return schema | {(table, *map(str, column)) for table, *column in connection.execute(f"{tables} AND {named}")}


@cache
def _schema_of(folder: Path, version: int) -> frozenset[tuple[str, ...]]:
    """Return what the steps up to a version make; the newest is made at once, because every start asks for it."""
    steps = [_whole(folder)] if version == len(_steps(folder)) else _steps(folder)[:version]
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("PRAGMA legacy_alter_table = ON")
        for step in steps:
            step.apply(connection)
        return frozenset(_schema(connection))


def _apply(connection: sqlite3.Connection, step: _Step) -> None:
    """Apply a step in one transaction, unless another process has done it meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _number(connection, "PRAGMA user_version") < step.number:
            step.apply(connection)
        if connection.execute("PRAGMA foreign_key_check").fetchall():
            raise sqlite3.IntegrityError(f"migration {step.number} leaves rows that refer to nothing")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
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


def _copy(connection: sqlite3.Connection, path: Path, version: int) -> None:
    target = _free_name(path, version)
    try:
        connection.execute("VACUUM INTO ?", (str(target),))
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _free_name(path: Path, version: int) -> Path:
    """Return an empty file for a copy: made here, so that another program that copies now takes another name."""
    for suffix in chain([""], (f"-{number}" for number in count(2))):
        name = path.with_name(f"{path.name}.version-{version}{suffix}")
        with contextlib.suppress(FileExistsError):
            name.touch(exist_ok=False)
            return name
    raise AssertionError


def _number(connection: sqlite3.Connection, sql: str) -> int:
    return int(connection.execute(sql).fetchone()[0])
