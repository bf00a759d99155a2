"""A log is moved into the file by the bot alone, and a SQLite that can't do that beside Litestream is told."""

import hashlib
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from bot.hosting import checkpoints
from bot.hosting.findings import Verdict
from bot.league.checking.league_file.writing import to_json
from storage.files import wal_reset
from tests.league.builders import play_rounds, season_of_file
from tests.test_program import ROOT, environment, run_process

BOT = """
import asyncio, sys
from pathlib import Path
from bot.hosting.starting import owned_database
from bot.settings import Settings
from storage.database import Database

def fill(conn):
    conn.execute("CREATE TABLE _litestream_lock (id INTEGER)")
    conn.execute("INSERT INTO _litestream_lock VALUES (zeroblob(8000000))")

async def run(path):
    async with owned_database(Settings(database=path)):
        db = await Database.open(path)
        await db.leave_log()  # so the log is long, as it is while someone reads for some time
        await db.write(fill)
        await db.read(lambda conn: conn.execute_fetchall("SELECT 1 FROM leagues"))
        print(flush=True)
        sys.stdin.read()
        await db.close()

asyncio.run(run(Path(sys.argv[1])))
"""
BACKUP = """
import sys
from datetime import date
from pathlib import Path
from bot.hosting import backing_up
backing_up.in_background(Path("league.db"), Path("backups"), date(2026, 3, 1))
"""
IMPORT = "import season.json --league L7"
AUTOMATIC = 1000
"""Pages in the log from which on SQLite moves them, whoever commits next."""


@pytest.mark.parametrize(
    ("version", "bug"),
    [
        ((3, 6, 23), False),
        ((3, 7, 0), True),
        ((3, 40, 1), True),
        ((3, 43, 2), True),
        ((3, 44, 0), True),
        ((3, 44, 5), True),
        ((3, 44, 6), False),
        ((3, 44, 7), False),
        ((3, 45, 0), True),
        ((3, 46, 1), True),
        ((3, 49, 2), True),
        ((3, 50, 0), True),
        ((3, 50, 6), True),
        ((3, 50, 7), False),
        ((3, 50, 8), False),
        ((3, 51, 0), True),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 52, 0), False),
        ((3, 53, 0), False),
        ((4, 0, 0), False),
    ],
)
def test_the_versions_with_the_bug_are_known(version: wal_reset.Version, bug: bool) -> None:
    assert wal_reset.has_bug(version) is bug


@pytest.mark.parametrize("table", ["_litestream_seq", "_litestream_lock"])
def test_litestream_beside_an_old_sqlite_is_a_risk(database: Path, table: str) -> None:
    old, new = (3, 40, 1), (3, 53, 4)
    before = [checkpoints.finding(database, version) for version in (old, new)]
    assert [each.verdict for each in before] == [Verdict.GOOD, Verdict.GOOD]
    assert ["has the WAL-reset bug" in each.words for each in before] == [True, False]
    with closing(sqlite3.connect(database)) as conn:
        conn.execute(f"CREATE TABLE {table} (id INTEGER)")
    risk, fixed = (checkpoints.finding(database, version) for version in (old, new))
    assert risk.line().startswith("⚠     SQLite: 3.40.1 has the WAL-reset bug")
    assert all(
        words in risk.words for words in ("file damaged", "3.51.3 or newer", "0.5.17 or newer", "stop Litestream")
    )
    assert (fixed.verdict, "Litestream beside it must be 0.5.17" in fixed.words) == (Verdict.GOOD, True)
    assert "\n" not in risk.line() + fixed.line()


@pytest.mark.parametrize("content", [None, b"", b"words", b"SQLite format 3\0" + b"\x5a" * 4096])
def test_a_file_that_is_no_database_is_not_taken_for_one_that_is_copied(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "league.db"
    if content is not None:
        path.write_bytes(content)
    assert not wal_reset.replicated(path)


@dataclass(frozen=True)
class Log:
    """What a checkpoint changes: the file, where the log begins, and how much of it was moved."""

    file: str
    header: bytes
    moved: int
    pages: int

    @classmethod
    def of(cls, database: Path) -> "Log":
        log, index = (database.with_name(f"{database.name}{suffix}").read_bytes() for suffix in ("-wal", "-shm"))
        size = int.from_bytes(log[8:12])
        return cls(
            file=hashlib.sha256(database.read_bytes()).hexdigest(),
            header=log[:32],
            moved=int.from_bytes(index[96:100], sys.byteorder),
            pages=(len(log) - 32) // (size + 24),
        )


@pytest.fixture
def log(database: Path) -> Iterator[Log]:
    """Let a bot hold the database, whose log is longer than what SQLite moves by itself."""
    with closing(sqlite3.connect(database)) as conn, conn:
        conn.execute("UPDATE leagues SET site = 1")
    command = [sys.executable, "-c", BOT, str(database)]
    with subprocess.Popen(command, cwd=ROOT, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        assert bot.stdout.readline() == b"\n"
        log = Log.of(database)
        assert log.moved == 0
        assert log.pages > AUTOMATIC
        yield log
        bot.stdin.close()
        assert bot.wait() == 0
    assert not database.with_name("league.db-wal").exists()


@cache
def season_text(players: int) -> str:
    return to_json(play_rounds(season_of_file("ohs", players, season=2)))


@pytest.mark.long
@pytest.mark.parametrize(
    ("program", "code"),
    [
        (IMPORT, 0),
        (f"{IMPORT} --check", 0),
        ("export out.json --league L7", 0),
        ("site pages", 0),
        ("backup copy.db", 0),
        ("doctor", 1),  # there is no Discord here
        ("restore older.db --yes", 2),
        ("move other.db --guild 7", 2),
        ("verify season.json", 0),
        ("run", 2),
    ],
)
def test_no_program_moves_the_log_beside_a_bot(database: Path, log: Log, program: str, code: int) -> None:
    database.with_name("season.json").write_text(season_text(24), encoding="utf-8")
    done = run_process(*program.split(), cwd=database.parent, env={"DISCORD_TOKEN": "token"})
    assert done.returncode == code, done.stderr + done.stdout
    after = Log.of(database)
    assert (after.file, after.header, after.moved) == (log.file, log.header, 0)
    assert (after.pages > log.pages) is (program == IMPORT)


@pytest.mark.long
def test_the_daily_backup_does_not_move_the_log(database: Path, log: Log) -> None:
    subprocess.run([sys.executable, "-c", BACKUP], cwd=database.parent, env=environment(), check=True)
    assert Log.of(database) == log


@pytest.mark.long
def test_a_program_without_a_bot_leaves_a_whole_file(database: Path) -> None:
    database.with_name("season.json").write_text(season_text(9), encoding="utf-8")
    assert run_process(*IMPORT.split(), cwd=database.parent).returncode == 0
    assert not database.with_name("league.db-wal").exists()
