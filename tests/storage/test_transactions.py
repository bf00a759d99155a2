"""What the two doors of a database promise: all or nothing, one moment, in one thread, whoever is cancelled."""

import asyncio
import contextlib
import contextvars
import inspect
import random
import sqlite3
import sys
import threading
import time
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from bot import logs
from bot.league.errors import Unavailable
from storage.database import READERS, Connection, Database
from tests.files import change_by_hand, look_into

ROOT = Path(__file__).parents[2]
TASKS = 50
LONG = 600
"""Longer than a test may take: only one that has failed already leaves a thread behind that waits so many seconds."""


def _counter(db: Database) -> None:
    with change_by_hand(db) as conn:
        conn.execute("CREATE TABLE counter (id INTEGER PRIMARY KEY, value INT NOT NULL, twin INT NOT NULL) STRICT")
        conn.execute("INSERT INTO counter VALUES (1, 0, 0)")


def _value(conn: Connection) -> tuple[int, int]:
    (row,) = conn.execute_fetchall("SELECT value, twin FROM counter WHERE id = 1")
    return row[0], row[1]


def _add_one(conn: Connection, pause: float = 0) -> None:
    """Read, let others run, write: what loses updates when transactions mix."""
    value, _ = _value(conn)
    time.sleep(pause)
    conn.execute("UPDATE counter SET value = ? WHERE id = 1", (value + 1,))
    time.sleep(0)
    conn.execute("UPDATE counter SET twin = ? WHERE id = 1", (value + 1,))


class _Gate:
    """A function that changes both halves, and waits between them until it may go on."""

    def __init__(self) -> None:
        self.inside, self.go_on = threading.Event(), threading.Event()

    def wait(self) -> None:
        self.inside.set()
        assert self.go_on.wait(LONG)

    def change(self, conn: Connection) -> None:
        conn.execute("UPDATE counter SET value = 5 WHERE id = 1")
        self.wait()
        conn.execute("UPDATE counter SET twin = 5 WHERE id = 1")

    def look_twice(self, conn: Connection) -> tuple[tuple[int, int], tuple[int, int]]:
        before = _value(conn)
        self.wait()
        return before, _value(conn)


@pytest.mark.long
async def test_no_statement_of_opening_a_file_stands_in_the_way_of_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A cursor is freed when Python gets round to it; on a busy machine that can be after the first transaction.
    freed_late: list[sqlite3.Cursor] = []
    connect = sqlite3.connect

    class Kept(sqlite3.Connection):
        def execute(self, *given: Any) -> Any:
            freed_late.append(super().execute(*given))
            return freed_late[-1]

    monkeypatch.setattr("sqlite3.connect", lambda *args, **given: connect(*args, factory=Kept, **given))
    for times_opened in (1, 2):
        db = await Database.open(tmp_path / "league.db")
        try:
            if times_opened == 1:
                _counter(db)
            await db.write(_add_one)
            assert await db.read(_value) == (times_opened, times_opened)
        finally:
            await db.close()
    assert freed_late


async def test_fifty_tasks_that_read_and_then_write_lose_nothing(db: Database) -> None:
    _counter(db)
    await asyncio.gather(*(db.write(_add_one) for _ in range(TASKS)))
    assert await db.read(_value) == (TASKS, TASKS)


async def test_a_failing_function_leaves_nothing_behind_and_stops_nobody(db: Database) -> None:
    _counter(db)

    def fail(conn: Connection) -> None:
        conn.execute("UPDATE counter SET value = value + 1000 WHERE id = 1")
        raise RuntimeError("half done")

    outcomes = await asyncio.gather(
        *(db.write(fail if number % 2 else _add_one) for number in range(TASKS)), return_exceptions=True
    )
    assert sum(isinstance(outcome, RuntimeError) for outcome in outcomes) == TASKS // 2
    assert await db.read(_value) == (TASKS // 2, TASKS // 2)


async def test_a_function_that_raises_stop_iteration_fails_and_keeps_nobody_waiting(db: Database) -> None:
    """No future takes that error: whoever waits for it would wait for ever."""
    _counter(db)

    def change(conn: Connection) -> None:
        _add_one(conn)
        next(iter(()))

    with pytest.raises(RuntimeError, match="StopIteration"):
        await db.write(change)
    with pytest.raises(RuntimeError, match="StopIteration"):
        await db.read(lambda conn: next(iter(())))
    assert await db.read(_value) == (0, 0)


async def test_a_refused_statement_takes_the_whole_transaction_back(db: Database) -> None:
    _counter(db)

    def refused(conn: Connection) -> None:
        conn.execute("UPDATE counter SET value = 7 WHERE id = 1")
        conn.execute("INSERT INTO counter VALUES (2, NULL, 0)")

    with pytest.raises(sqlite3.IntegrityError):
        await db.write(refused)
    assert await db.read(_value) == (0, 0)


@pytest.mark.parametrize("seed", range(20))
async def test_cancellation_at_any_moment_leaves_all_or_nothing(db: Database, seed: int) -> None:
    _counter(db)
    chance = random.Random(seed)
    tasks = [asyncio.create_task(db.write(_add_one, chance.choice([0, 0.0005]))) for _ in range(TASKS)]
    for task in chance.sample(tasks, TASKS // 2):
        await asyncio.sleep(chance.choice([0, 0, 0.0003]))
        task.cancel()
        if chance.random() < 0.3:
            await asyncio.sleep(0)
            task.cancel()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(outcome is None or isinstance(outcome, asyncio.CancelledError) for outcome in outcomes)
    value, twin = await db.read(_value)
    done = sum(outcome is None for outcome in outcomes)
    # Whoever is cancelled after their function was handed over has still committed; nobody is counted half.
    assert value == twin
    assert done <= value <= TASKS
    await db.write(_add_one)
    assert await db.read(_value) == (value + 1, value + 1)


@pytest.mark.parametrize("times", [1, 3])
async def test_a_task_cancelled_in_a_transaction_stops_only_after_it_has_ended(db: Database, times: int) -> None:
    _counter(db)
    gate, after = _Gate(), []

    async def change() -> None:
        await db.write(gate.change)
        after.append("not reached")

    task = asyncio.create_task(change())
    await asyncio.to_thread(gate.inside.wait)
    for _ in range(times):
        task.cancel()
        await asyncio.sleep(0.005)
    assert db.busy
    assert not task.done()
    gate.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not db.busy
    assert (await db.read(_value), after) == ((5, 5), [])
    await db.write(_add_one)


async def test_a_task_cancelled_while_its_transaction_fails_is_cancelled_all_the_same(db: Database) -> None:
    _counter(db)
    gate = _Gate()

    def fail(conn: Connection) -> None:
        conn.execute("UPDATE counter SET value = 3 WHERE id = 1")
        gate.wait()
        raise ZeroDivisionError

    task = asyncio.create_task(db.write(fail))
    await asyncio.to_thread(gate.inside.wait)
    task.cancel()
    gate.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await db.read(_value) == (0, 0)


async def test_a_read_that_takes_too_long_ends_before_its_reader_is_given_to_another(db: Database) -> None:
    _counter(db)
    gates = [_Gate() for _ in range(READERS)]
    tasks = [asyncio.create_task(db.read(gate.look_twice)) for gate in gates]
    for gate in gates:
        await asyncio.to_thread(gate.inside.wait)
    tasks[0].cancel()
    next_one = asyncio.create_task(db.read(_value))
    await asyncio.sleep(0.01)
    assert not next_one.done()
    gates[0].go_on.set()
    assert await next_one == (0, 0)
    for gate in gates:
        gate.go_on.set()
    await asyncio.wait(tasks)


async def test_the_event_loop_is_free_while_a_transaction_computes(db: Database) -> None:
    _counter(db)
    gate = _Gate()
    task = asyncio.create_task(db.write(gate.change))
    await asyncio.sleep(0.01)
    gate.go_on.set()
    await task


async def test_what_belongs_to_a_task_reaches_the_function_in_the_thread(db: Database) -> None:
    code: contextvars.ContextVar[str] = contextvars.ContextVar("code")

    def look(_: Connection) -> tuple[str, str]:
        return code.get(), threading.current_thread().name

    async def ask(own: str) -> tuple[str, str]:
        code.set(own)
        return await db.read(look)

    answers = await asyncio.gather(*(ask(str(number)) for number in range(20)), db.write(lambda _: ("", "")))
    assert [answer[0] for answer in answers[:20]] == [str(number) for number in range(20)]
    assert threading.current_thread().name not in {answer[1] for answer in answers}


async def test_the_log_tells_of_an_action_only_if_it_changed_a_row(db: Database) -> None:
    _counter(db)

    def fail(conn: Connection) -> None:
        _add_one(conn)
        raise RuntimeError("half done")

    with logs.one_action("look"):
        await db.write(_value)
        with pytest.raises(RuntimeError):
            await db.write(fail)
        assert not logs.told("saved")
        await db.write(_add_one)
        await db.write(_value)
        assert logs.told("saved")
    assert not logs.told("saved")


async def test_a_transaction_in_a_transaction_is_refused(db: Database) -> None:
    _counter(db)

    def nested(conn: Connection) -> None:
        conn.execute("UPDATE counter SET value = 4 WHERE id = 1")
        conn.execute("BEGIN IMMEDIATE")

    with pytest.raises(sqlite3.OperationalError, match="within a transaction"):
        await db.write(nested)
    assert await db.read(_value) == (0, 0)


async def test_a_reader_sees_one_moment(db: Database) -> None:
    _counter(db)
    gate = _Gate()
    task = asyncio.create_task(db.read(gate.look_twice))
    await asyncio.to_thread(gate.inside.wait)
    await db.write(_add_one)
    gate.go_on.set()
    assert await task == ((0, 0), (0, 0))
    assert await db.read(_value) == (1, 1)


async def test_a_reader_does_not_see_what_is_not_committed(db: Database) -> None:
    _counter(db)
    gate = _Gate()
    task = asyncio.create_task(db.write(gate.change))
    await asyncio.to_thread(gate.inside.wait)
    assert await db.read(_value) == (0, 0)
    gate.go_on.set()
    await task


async def test_as_many_read_at_once_as_there_are_readers_and_the_others_wait(db: Database) -> None:
    _counter(db)
    all_inside = threading.Barrier(READERS, timeout=LONG)

    def look(conn: Connection) -> tuple[int, int]:
        all_inside.wait()
        return _value(conn)

    assert await asyncio.gather(*(db.read(look) for _ in range(2 * READERS))) == [(0, 0)] * 2 * READERS


async def test_a_reader_cannot_write(db: Database) -> None:
    _counter(db)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        await db.read(_add_one)
    assert await db.read(_value) == (0, 0)


@pytest.mark.long
async def test_a_closed_database_says_so(path: Path) -> None:
    db = await Database.open(path)
    await db.close()
    for door in (db.read, db.write):
        with pytest.raises(Unavailable, match="being stopped"):
            await door(_value)


@pytest.mark.long
async def test_closing_waits_for_what_runs_and_for_what_was_asked_before(path: Path) -> None:
    db = await Database.open(path)
    _counter(db)
    gate = _Gate()
    tasks = [asyncio.create_task(db.write(work)) for work in (gate.change, _add_one, _add_one)]
    await asyncio.to_thread(gate.inside.wait)
    closing = asyncio.create_task(db.close())
    await asyncio.sleep(0.01)
    assert not closing.done()
    with pytest.raises(Unavailable):
        await db.write(_add_one)
    gate.go_on.set()
    await closing
    await asyncio.gather(*tasks)
    with contextlib.closing(sqlite3.connect(path)) as conn:
        assert conn.execute("SELECT value, twin FROM counter WHERE id = 1").fetchone() == (7, 7)


@pytest.mark.long
async def test_only_the_writer_moves_the_log_into_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers are closed before it: SQLite moves the log when the last connection is closed."""
    log, left = path.with_name(f"{path.name}-wal"), list[int]()
    connect = sqlite3.connect

    class Watched(sqlite3.Connection):
        def close(self) -> None:
            super().close()
            left.append(log.stat().st_size if log.exists() else 0)

    monkeypatch.setattr("sqlite3.connect", lambda *args, **given: connect(*args, factory=Watched, **given))
    db = await Database.open(path)
    _counter(db)
    await db.write(_add_one)
    await asyncio.gather(*(db.read(_value) for _ in range(READERS)))
    left.clear()
    await db.close()
    assert [size > 0 for size in left] == [True] * READERS + [False]


async def test_aiosqlite_runs_a_function_in_the_thread_of_its_connection_in_turn() -> None:
    """What is expected of `_execute`, the one private name of a library that the bot uses."""
    found: list[object] = []

    def note(value: int, *, more: int = 0) -> threading.Thread:
        time.sleep(0.002 / value)
        found.append((value, more))
        return threading.current_thread()

    def fail() -> None:
        raise ZeroDivisionError

    async with aiosqlite.connect(":memory:") as conn:
        run: Any = conn._execute
        assert inspect.iscoroutinefunction(run)
        threads = await asyncio.gather(run(note, 1), run(note, 2, more=7), run(note, 3))
        assert found == [(1, 0), (2, 7), (3, 0)]
        assert len(set(threads)) == 1
        assert threads[0] is not threading.current_thread()
        with pytest.raises(ZeroDivisionError):
            await run(fail)
        stopped = asyncio.create_task(run(note, 4))
        await asyncio.sleep(0)
        stopped.cancel()
        assert await run(note, 5) is threads[0]
        assert found[3:] == [(4, 0), (5, 0)]
    with pytest.raises(ValueError, match="closed"):
        await run(note, 6)


WRITER = """
import asyncio, sys
from storage.database import Database
def add_one(conn):
    (row,) = conn.execute_fetchall("SELECT value FROM counter WHERE id = 1")
    conn.execute("UPDATE counter SET value = ?, twin = ? WHERE id = 1", (row[0] + 1, row[0] + 1))
async def main():
    db = await Database.open(sys.argv[1])
    for _ in range(int(sys.argv[2])):
        await db.write(add_one)
    await db.close()
asyncio.run(main())
"""


@pytest.mark.long
async def test_two_processes_write_to_the_same_file(db: Database, path: Path) -> None:
    _counter(db)
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", WRITER, str(path), "40", cwd=ROOT)
    for _ in range(TASKS):
        await db.write(_add_one)
    assert await process.wait() == 0
    assert await db.read(_value) == (TASKS + 40, TASKS + 40)


KILLED = """
import asyncio, sys, time
from storage.database import Database
def change(conn):
    conn.execute("UPDATE counter SET value = 999 WHERE id = 1")
    print("inside", flush=True)
    time.sleep(60)
async def main():
    db = await Database.open(sys.argv[1])
    await db.write(change)
asyncio.run(main())
"""


@pytest.mark.long
async def test_a_process_killed_in_a_transaction_leaves_the_file_whole(path: Path) -> None:
    db = await Database.open(path)
    _counter(db)
    await db.write(_add_one)
    await db.close()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, str(path), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"inside\n"
    process.kill()
    await process.wait()
    again = await Database.open(path)
    try:
        assert await again.read(_value) == (1, 1)
        await again.write(_add_one)
        assert await again.read(_value) == (2, 2)
        whole = await again.read(lambda conn: conn.execute_fetchall("PRAGMA integrity_check"))
        assert [tuple(row) for row in whole] == [("ok",)]
    finally:
        await again.close()


async def test_who_gives_up_before_their_turn_waits_for_no_one_and_changes_nothing(db: Database) -> None:
    _counter(db)
    gate = _Gate()
    running = asyncio.create_task(db.write(gate.change))
    await asyncio.to_thread(gate.inside.wait)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await db.write(_add_one)
    assert not running.done()
    gate.go_on.set()
    await running
    with look_into(db) as conn:
        assert tuple(conn.execute_fetchall("SELECT value, twin FROM counter")[0]) == (5, 5)
