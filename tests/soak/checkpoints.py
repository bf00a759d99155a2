"""A file that another program checkpoints without pause while the bot's writer commits, as Litestream might.

After each run SQLite looks at every page, and every commit that was acknowledged must be there. A SQLite with the
WAL-reset bug (`storage/files/wal_reset.py`) can fail this, so it isn't judged: what was seen is printed.
"""

import asyncio
import contextlib
import os
import sqlite3
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from storage.database import Connection, Database
from storage.files import damage, wal_reset

RUNS, SECONDS = int(os.environ.get("SOAK_RUNS", "10")), float(os.environ.get("SOAK_SECONDS", "60"))
CHECKPOINTS = """
import itertools, sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0)
print(flush=True)
done, end = 0, time.monotonic() + float(sys.argv[2])
for mode in itertools.cycle(["PASSIVE"] * 8 + ["FULL", "RESTART", "TRUNCATE"]):
    try:
        done += not connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()[0]
    except sqlite3.OperationalError:
        pass
    if time.monotonic() > end:
        break
print(done, flush=True)
"""
"""The other program: it prints an empty line when it begins, and at the end how often it was done."""
LARGE, SMALL = 40_000, 500
"""Bytes of a commit: one in 25 is large, so that the bot's writer moves the log itself, too."""


@dataclass(frozen=True)
class Run:
    """What came of one run."""

    commits: int
    checkpoints: int
    lost: int
    damage: str | None

    @property
    def held(self) -> bool:
        """Whether both worked and nothing was lost or damaged."""
        return self.commits > 0 and self.checkpoints > 0 and self.lost == 0 and self.damage is None

    def __str__(self) -> str:
        return f"{self.commits:>9}{self.checkpoints:>13}{self.lost:>6}  {self.damage or '-'}"


def _prepare(conn: Connection) -> None:
    conn.execute("CREATE TABLE commits (number INTEGER PRIMARY KEY, words BLOB NOT NULL, later INTEGER NOT NULL)")
    conn.execute("CREATE INDEX commits_later ON commits (later)")


def _commit(conn: Connection, number: int) -> None:
    size = SMALL if number % 25 else LARGE
    conn.execute("INSERT INTO commits VALUES (?1, zeroblob(?2), -?1)", (number, size))


async def _run(path: Path) -> Run:
    commits, db = 0, await Database.open(path)
    try:
        await db.write(_prepare)
        other = await asyncio.create_subprocess_exec(
            sys.executable, "-c", CHECKPOINTS, str(path), str(SECONDS), stdout=subprocess.PIPE
        )
        assert other.stdout is not None
        await other.stdout.readline()
        ended = asyncio.ensure_future(other.stdout.read())
        with contextlib.suppress(sqlite3.DatabaseError):  # what is damaged is told below
            while not ended.done():
                await db.write(_commit, commits + 1)
                commits += 1
        checkpoints = int(await ended)
        await other.wait()
    finally:
        await db.close()
    found = damage.problem(path, "integrity_check", seconds=600)
    return Run(commits=commits, checkpoints=checkpoints, lost=_lost(path, commits), damage=found)


def _lost(path: Path, commits: int) -> int:
    """Return how many of the commits aren't in the file."""
    with damage.reading(path) as conn, contextlib.suppress(sqlite3.DatabaseError):
        return commits - int(conn.execute("SELECT count(*) FROM commits WHERE number <= ?", (commits,)).fetchone()[0])
    return commits


def soak() -> bool:
    """Let both work on one file, print a line for each run, and return whether all held, if this SQLite can hold it."""
    judged = not wal_reset.has_bug(sqlite3.sqlite_version_info)
    print(f"SQLite {sqlite3.sqlite_version}, {'judged' if judged else 'not judged: it has the WAL-reset bug'}")
    print("  commits  checkpoints  lost  damage", flush=True)
    held = True
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            run = asyncio.run(_run(Path(folder) / "league.db"))
        print(run, flush=True)
        held = held and run.held
    return held or not judged
