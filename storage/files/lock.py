"""One program at a time runs leagues on a database, and one brings something in beside it.

Each holds a lock of the operating system, which dies with its process.
"""

import contextlib
import json
import os
import socket
import sys
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from bot.league.errors import Conflict
from storage.migrate import UnusableFile

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # Windows lets no one read what is locked: a place behind the holder's facts is.

    def _lock(file: IO[Any]) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: IO[Any]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def held(database: Path, program: str) -> Generator[IO[bytes]]:
    """Hold the lock of a database; raises Conflict naming the program, process and host that hold it already.

    Yields the file that is locked, which another program can have deleted since.
    """
    with _held(path_of(database), database, program) as file:
        yield file


@contextlib.contextmanager
def held_beside(database: Path, program: str) -> Generator[None]:
    """Hold the lock of what changes a database beside a bot; raises Conflict as `held` does."""
    with _held(_path(database, ".beside.lock"), database, program):
        yield


@contextlib.contextmanager
def held_alone(database: Path, program: str) -> Generator[None]:
    """Hold both locks of a database, where its rows or the whole file go elsewhere; raises Conflict as `held` does."""
    with held(database, program), held_beside(database, program):
        yield


@contextlib.contextmanager
def _held(path: Path, database: Path, program: str) -> Generator[IO[bytes]]:
    try:
        file = path.open("a+b", buffering=0)
    except OSError as wrong:
        raise UnusableFile(f"{database} can't be locked ({wrong.strerror}): its folder must be writable.") from None
    with file:
        _take(file, database)
        _write(file, database, program)
        yield file
        file.truncate(0)


def holder(database: Path) -> str | None:
    """Return who holds the lock of a database in words, or None."""
    try:
        with path_of(database).open("r+b", buffering=0) as file:
            return _holder(file)
    except OSError:
        return None


def path_of(database: Path) -> Path:
    """Return the file that is locked; one for all names of a database."""
    return _path(database, ".lock")


def _path(database: Path, suffix: str) -> Path:
    real = database.resolve()
    return real.with_name(f"{real.name}{suffix}")


def _take(file: IO[bytes], database: Path) -> None:
    taken = _holder(file)
    if taken is not None:
        raise Conflict(f"{database} is in use by {taken}. Stop that one first, or set DATABASE to another file.")


def _holder(file: IO[bytes]) -> str | None:
    """Take the lock, or return who has it."""
    try:
        _lock(file)
    except OSError:
        file.seek(0)
        return _in_words(file.read())
    return None


def _in_words(facts: bytes) -> str:
    try:
        loaded = json.loads(facts)
        return f"{loaded['program']} (process {loaded['pid']} on {loaded['host']}, since {loaded['since']})"
    except (ValueError, KeyError, TypeError):
        return "another program that is just starting"


def _write(file: IO[bytes], database: Path, program: str) -> None:
    since = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    facts = {"program": program, "pid": os.getpid(), "host": socket.gethostname(), "since": since}
    try:
        file.truncate(0)
        file.write(json.dumps(facts).encode())
    except OSError as wrong:
        raise UnusableFile(f"{database} can't be used ({wrong.strerror}): make space on its disk.") from None
