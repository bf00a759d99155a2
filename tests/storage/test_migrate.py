import asyncio
import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import aiosqlite
import pytest

from storage.database import Database
from storage.migrate import APPLICATION_ID, MIGRATIONS, UnusableFile, migrate

SCRIPTS = sorted(MIGRATIONS.glob("[0-9]*.sql"))


@contextlib.contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as conn:
        yield conn


def version_of(path: Path) -> tuple[int, int]:
    with opened(path) as conn:
        mark = conn.execute("PRAGMA application_id").fetchone()[0]
        return mark, conn.execute("PRAGMA user_version").fetchone()[0]


def schema_of(path: Path) -> list[str]:
    with opened(path) as conn:
        return [row[0] for row in conn.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")]


def copies_of(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.version-*"))


def of_version(path: Path, version: int) -> None:
    """Make a file as an earlier version of the program left it."""
    with opened(path) as conn:
        for script in SCRIPTS[:version]:
            conn.executescript(script.read_text("utf-8"))
        conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        conn.execute(f"PRAGMA user_version = {version}")
        if version:
            conn.execute("INSERT INTO leagues (guild_id, name, name_key, channel_id) VALUES (1, 'Kept', 'kept', 2)")


async def run(path: Path, migrations: Path = MIGRATIONS) -> None:
    async with aiosqlite.connect(path, isolation_level=None) as conn:
        await migrate(conn, path, migrations)


def test_the_scripts_are_numbered_without_gaps() -> None:
    assert [int(script.name[:4]) for script in SCRIPTS] == list(range(1, len(SCRIPTS) + 1))


@pytest.mark.parametrize("version", range(len(SCRIPTS) + 1))
async def test_a_file_of_any_version_becomes_the_newest_and_keeps_its_data(tmp_path: Path, version: int) -> None:
    path, fresh = tmp_path / "old.db", tmp_path / "fresh.db"
    of_version(path, version)
    for file in (path, fresh):
        await (await Database.open(file)).close()
    assert version_of(path) == version_of(fresh) == (APPLICATION_ID, len(SCRIPTS))
    assert schema_of(path) == schema_of(fresh)
    with opened(path) as conn:
        assert conn.execute("SELECT name FROM leagues").fetchall() == ([("Kept",)] if version else [])
    assert len(copies_of(path)) == (1 if 0 < version < len(SCRIPTS) else 0)


async def test_what_moderators_were_still_to_be_told_at_half_time_isnt_owed_any_more(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    of_version(path, 1)
    with opened(path) as conn:
        for kind in ("unscheduled", "reminder"):
            sql = (
                "INSERT INTO outbox (key, kind, league_id, target, due_at, created_at) VALUES (?, ?, 1, 'league', 1, 1)"
            )
            conn.execute(sql, (kind, kind))
    await (await Database.open(path)).close()
    with opened(path) as conn:
        assert conn.execute("SELECT kind FROM outbox").fetchall() == [("reminder",)]


async def test_the_last_statement_of_a_migration_needs_no_semicolon(tmp_path: Path) -> None:
    folder, path = tmp_path / "scripts", tmp_path / "x.db"
    folder.mkdir()
    (folder / "0001_first.sql").write_text("CREATE TABLE one (id INTEGER);\n\nCREATE TABLE two (id INTEGER)\n", "utf-8")
    await run(path, folder)
    assert schema_of(path) == ["CREATE TABLE one (id INTEGER)", "CREATE TABLE two (id INTEGER)"]


async def test_half_a_statement_at_the_end_of_a_migration_changes_nothing(tmp_path: Path) -> None:
    folder, path = tmp_path / "scripts", tmp_path / "x.db"
    folder.mkdir()
    (folder / "0001_first.sql").write_text("CREATE TABLE one (id INTEGER);\nCREATE TABLE two (", "utf-8")
    with pytest.raises(sqlite3.OperationalError):
        await run(path, folder)
    assert (schema_of(path), version_of(path)) == ([], (0, 0))


async def test_a_file_that_cannot_have_a_write_ahead_log_is_refused() -> None:
    with pytest.raises(UnusableFile, match="write-ahead log"):
        await Database.open(":memory:")


@pytest.fixture
def future(tmp_path: Path) -> Path:
    """The scripts of a later version: one more table, and a column with a value from the old data."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    for script in SCRIPTS:
        (folder / script.name).write_text(script.read_text("utf-8"), "utf-8")
    later = len(SCRIPTS) + 1
    (folder / f"{later:04}_later.sql").write_text(
        "CREATE TABLE later (id INTEGER PRIMARY KEY, note TEXT DEFAULT 'a;b') STRICT;\n"
        "-- a comment; with a semicolon\n"
        "CREATE TRIGGER noted AFTER INSERT ON later BEGIN\n  UPDATE later SET note = 'seen'; SELECT 1;\nEND;\n"
        "INSERT INTO later (id) SELECT id FROM leagues;\n",
        "utf-8",
    )
    return folder


async def test_a_file_with_data_is_copied_before_it_changes(tmp_path: Path, future: Path) -> None:
    path = tmp_path / "league.db"
    of_version(path, len(SCRIPTS))
    await run(path, future)
    assert version_of(path)[1] == len(SCRIPTS) + 1
    copy = tmp_path / f"league.db.version-{len(SCRIPTS)}"
    assert version_of(copy)[1] == len(SCRIPTS)
    with opened(path) as conn:
        assert conn.execute("SELECT id, note FROM later").fetchall() == [(1, "seen")]
    with opened(copy) as conn:
        assert conn.execute("SELECT name FROM leagues").fetchall() == [("Kept",)]
    await run(path, future)
    assert copies_of(path) == [copy]


async def test_an_earlier_copy_is_not_overwritten(tmp_path: Path, future: Path) -> None:
    path = tmp_path / "league.db"
    of_version(path, len(SCRIPTS))
    earlier = tmp_path / f"league.db.version-{len(SCRIPTS)}"
    earlier.write_text("precious", "utf-8")
    await run(path, future)
    assert earlier.read_text("utf-8") == "precious"
    assert version_of(tmp_path / f"{earlier.name}-2")[1] == len(SCRIPTS)


@pytest.mark.parametrize(
    "broken",
    [
        "CREATE TABLE half (id INTEGER) STRICT;\nCREATE TABLE nonsense (;\n",
        "CREATE TABLE half (id INTEGER) STRICT;\nINSERT INTO missing VALUES (1);\n",
        "CREATE TABLE half (id INTEGER) STRICT;\nINSERT INTO players (league_id, name) VALUES (77, 'nobody');\n",
    ],
)
async def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path, future: Path, broken: str) -> None:
    path = tmp_path / "league.db"
    of_version(path, len(SCRIPTS))
    before = schema_of(path)
    (future / f"{len(SCRIPTS) + 1:04}_later.sql").write_text(broken, "utf-8")
    with pytest.raises(sqlite3.Error):
        await run(path, future)
    assert version_of(path)[1] == len(SCRIPTS)
    assert schema_of(path) == before


async def test_two_programs_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    opened_ = await asyncio.gather(*(Database.open(path) for _ in range(4)))
    for db in opened_:
        await db.close()
    assert version_of(path) == (APPLICATION_ID, len(SCRIPTS))


async def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    of_version(path, len(SCRIPTS))
    with opened(path) as conn:
        conn.execute("PRAGMA user_version = 9999")
    with pytest.raises(UnusableFile, match=r"version 9999.*update Fairpair"):
        await Database.open(path)
    assert version_of(path)[1] == 9999


FOREIGN = {
    "text": None,
    "another program's tables": "CREATE TABLE other (id); PRAGMA user_version = 1;",
    "another program's mark": "PRAGMA application_id = 7;",
}


@pytest.mark.parametrize("script", FOREIGN.values(), ids=list(FOREIGN))
async def test_a_file_of_another_program_is_refused_and_left_alone(tmp_path: Path, script: str | None) -> None:
    path = tmp_path / "other.db"
    if script is None:
        path.write_bytes(b"this is no database at all" * 100)
    else:
        with opened(path) as conn:
            conn.executescript(script)
    before = path.read_bytes()
    with pytest.raises(UnusableFile, match=rf"{path} (isn't a SQLite database|belongs to another program)"):
        await Database.open(path)
    assert path.read_bytes() == before


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match="Set DATABASE to a file"):
        await Database.open(tmp_path / "nowhere" / "league.db")


async def test_an_empty_file_becomes_ours(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    path.touch()
    await (await Database.open(path)).close()
    assert version_of(path) == (APPLICATION_ID, len(SCRIPTS))
