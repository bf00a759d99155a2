"""A bot starts on a sound database of its own that it can write; else one line says what to do, and nothing changes."""

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from bot.hosting import backing_up
from bot.hosting.starting import beside_the_bot, owned_database
from bot.league.errors import Conflict
from bot.settings import Settings
from storage.files import backups, copies, lock
from storage.files.damage import DamagedFile, require_writable
from storage.migrate import MIGRATIONS, UnusableFile, is_newest, migrate
from storage.tables import leagues
from tests.hosting.conftest import damage, small_disk, token
from tests.test_program import ROOT, run, run_process

HOLD = """
import sys
from pathlib import Path
from storage.files import lock
with lock.held(Path(sys.argv[1]), "a bot"):
    print(flush=True)
    sys.stdin.read()
"""
LIMITED = """
import asyncio, resource, sys
from pathlib import Path
from tests.hosting.test_starting import start
resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))
asyncio.run(start(Path(sys.argv[1])))
"""


async def start(database: Path) -> None:
    async with owned_database(Settings(database=database)):
        pass


def refused(database: Path, program: Callable[..., subprocess.CompletedProcess[str]] = run) -> str:
    """Return the one line with which the program refuses a database, which it leaves as it is."""
    before = database.read_bytes() if database.is_file() else None
    done = program("run", cwd=database.parent, env=token(database))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert (database.read_bytes() if database.is_file() else None) == before
    return done.stderr


@pytest.mark.long
def test_a_second_process_is_refused_with_who_holds_the_database(database: Path) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLD, str(database)], cwd=ROOT, stdin=pipe, stdout=pipe) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        try:
            line = refused(database, run_process)
            assert f"in use by a bot (process {holder.pid} on {os.uname().nodename}, since " in line
            assert "Stop that one first, or set DATABASE to another file" in line
            assert run_process("export", "--league", "L7", cwd=database.parent).returncode == 0
            assert run_process("backup", "b.db", cwd=database.parent).returncode == 0
            assert "in use by a bot" in run_process("restore", "b.db", "--yes", cwd=database.parent).stderr
        finally:
            holder.kill()
    assert lock.holder(database) is None
    asyncio.run(start(database))


async def test_shards_of_their_own_do_not_make_two_bots_on_one_file_safe(database: Path) -> None:
    first = Settings(database=database, shard_ids=(0,), shard_count=2)
    async with owned_database(first):
        with pytest.raises(Conflict, match=r"a bot with SHARD_IDS 0 of 2 \(process"):
            async with owned_database(Settings(database=database, shard_ids=(1,), shard_count=2)):
                pass


async def test_a_database_has_one_lock_whatever_it_is_called(database: Path) -> None:
    other = database.with_name("other.db")
    other.symlink_to(database)
    with lock.held(other, "a bot"), pytest.raises(Conflict, match="in use by a bot"):
        await start(database)


@pytest.mark.parametrize("facts", ["", "{", "[]", '{"pid": 1}'])
def test_a_holder_that_is_just_starting_is_told_as_such(database: Path, facts: str) -> None:
    with lock.held(database, "a bot"):
        lock.path_of(database).write_text(facts)
        assert lock.holder(database) == "another program that is just starting"


def test_the_lock_says_who_holds_it(database: Path) -> None:
    with lock.held(database, "a bot"):
        assert json.loads(lock.path_of(database).read_text())["pid"] == os.getpid()
    assert lock.path_of(database).read_text() == ""


@pytest.mark.long
def test_a_damaged_page_is_told_at_the_start_with_the_way_back(database: Path) -> None:
    kept = backups.path_on(database.parent / "backups", database, date(2026, 3, 1))
    assert backing_up.back_up(database, kept.parent, date(2026, 3, 1)) is None
    damage(database)
    line = refused(database, run_process)
    assert "is damaged (" in line
    assert f"Go back to the newest good backup: python -m bot restore {kept}" in line


@pytest.mark.long
def test_the_way_back_passes_over_a_backup_that_is_damaged_too(database: Path) -> None:
    folder = database.parent / "backups"
    for day in (1, 2, 3):
        backing_up.back_up(database, folder, date(2026, 3, day))
    damage(backups.path_on(folder, database, date(2026, 3, 3)))
    assert backing_up.way_back(database, folder).endswith("league-2026-03-02.db")


@pytest.mark.long
@pytest.mark.parametrize("size", [5000, *(pytest.param(size, marks=pytest.mark.long) for size in (100, 20_000))])
def test_a_truncated_file_is_told_as_damaged(database: Path, size: int) -> None:
    os.truncate(database, size)
    line = refused(database)
    assert "is damaged (" in line
    assert "There is no good backup" in line


@pytest.mark.long
@pytest.mark.parametrize(
    "ruin", ["missing", *(pytest.param(ruin, marks=pytest.mark.long) for ruin in ("empty", "overwritten"))]
)
def test_a_lost_file_is_not_replaced_by_an_empty_one_where_there_are_backups(database: Path, ruin: str) -> None:
    backing_up.back_up(database, database.parent / "backups", date(2026, 3, 1))
    if ruin == "missing":
        database.unlink()
    else:
        database.write_bytes(b"" if ruin == "empty" else b"\0" * 5000)
    line = refused(database)
    assert "but there are backups of it" in line
    assert "python -m bot restore" in line


@pytest.mark.long
def test_a_lost_file_whose_log_is_left_is_not_replaced_by_an_empty_one(database: Path) -> None:
    database.rename(database.with_name("elsewhere.db"))
    log = database.with_name("league.db-wal")
    log.write_bytes(b"words")
    line = refused(database)
    assert f"is missing, but its log {log} isn't" in line
    assert not database.exists()
    log.unlink()
    asyncio.run(start(database))


@pytest.mark.long
def test_a_newer_version_and_another_programs_file_are_told_before_discord_is_asked(database: Path) -> None:
    other = database.with_name("other.db")
    subprocess.run(
        [sys.executable, "-c", "import sqlite3,sys;sqlite3.connect(sys.argv[1]).execute('CREATE TABLE t (x)')", other],
        check=True,
    )
    assert "belongs to another program" in refused(other)
    other.write_bytes(b"words" * 1000)
    assert "isn't a SQLite database" in refused(other)
    script = "import sqlite3,sys;sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 99')"
    subprocess.run([sys.executable, "-c", script, database], check=True)
    assert "update Fairpair" in refused(database)


def fill_up(disk: Path) -> None:
    filler = os.open(disk / "filler", os.O_CREAT | os.O_WRONLY)
    with contextlib.suppress(OSError), contextlib.closing(os.fdopen(filler, "wb", buffering=0)) as file:
        while True:
            file.write(bytes(4096))


@pytest.mark.long
def test_a_full_disk_is_told_at_the_start(database: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 2) as disk:
        moved = disk / "league.db"
        moved.write_bytes(database.read_bytes())
        fill_up(disk)
        line = refused(moved)
    assert "full" in line or "No space left" in line


@pytest.mark.long
def test_a_disk_that_cannot_be_written_is_told_at_the_start(database: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 8) as disk:
        moved = disk / "league.db"
        moved.write_bytes(database.read_bytes())
        assert os.system(f"mount -o remount,ro {disk}") == 0
        assert "can't be locked (Read-only file system)" in refused(moved)
        assert copies.contents(moved).season == "newest season 3 of L7"


@pytest.mark.long
def test_a_disk_that_takes_no_more_is_told_at_the_start(database: Path) -> None:
    done = subprocess.run([sys.executable, "-c", LIMITED, database], cwd=ROOT, capture_output=True, check=False)
    assert b"UnusableFile" in done.stderr
    asyncio.run(start(database))


def test_a_file_that_cannot_be_opened_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match="it can't be opened: make the file and its folder writable"):
        require_writable(tmp_path / "no folder" / "league.db")


@pytest.mark.long
async def test_a_program_beside_a_bot_of_an_older_version_leaves_its_tables(tmp_path: Path) -> None:
    older = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, older)
    *before, newest = sorted(older.glob("[0-9]*.sql"))
    newest.unlink()
    (older / "schema.sql").write_text("\n".join(script.read_text("utf-8") for script in before), "utf-8")
    database = tmp_path / "league.db"
    migrate(database, older)
    with lock.held(database, "a bot"), pytest.raises(Conflict, match="is in use by a bot"):
        async with beside_the_bot(database):
            pass
    assert not is_newest(database)
    async with beside_the_bot(database):
        assert lock.holder(database) is None
    assert is_newest(database)
    with lock.held(database, "a bot"):
        async with beside_the_bot(database) as db:
            assert await db.read(leagues.everywhere) == ()


@pytest.mark.long
async def test_a_file_that_is_not_there_is_begun(tmp_path: Path) -> None:
    await start(tmp_path / "new.db")
    assert (tmp_path / "new.db").exists()


async def test_a_damaged_file_raises_what_the_program_tells(database: Path) -> None:
    damage(database, table="matches")
    with pytest.raises(DamagedFile):
        await start(database)
    assert lock.holder(database) is None
