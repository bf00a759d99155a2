import asyncio
import contextlib
import random
import sqlite3
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from storage.database import READERS, Connection, Database
from tests.files import change_by_hand, look_into

ROOT = Path(__file__).parents[2]
TASKS = 50


async def _counter(db: Database) -> None:
    with change_by_hand(db) as conn:
        conn.execute("CREATE TABLE counter (value INTEGER NOT NULL, twin INTEGER NOT NULL) STRICT")
        conn.execute("INSERT INTO counter VALUES (0, 0)")


async def _value(conn: Connection) -> tuple[int, int]:
    (row,) = conn.execute_fetchall("SELECT value, twin FROM counter")
    return row[0], row[1]


async def _add_one(db: Database, pause: float = 0) -> None:
    """Read, let others run, write: what loses updates when transactions mix."""
    with change_by_hand(db) as conn:
        value, _ = await _value(conn)
        time.sleep(pause)  # noqa: ASYNC251 (a block runs in a thread, where others run meanwhile)
        conn.execute("UPDATE counter SET value = ?", (value + 1,))
        time.sleep(0)  # noqa: ASYNC251
        conn.execute("UPDATE counter SET twin = ?", (value + 1,))


async def _seen(db: Database) -> tuple[int, int]:
    with look_into(db) as conn:
        return await _value(conn)


async def test_no_statement_of_opening_a_file_stands_in_the_way_of_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A cursor is freed when Python gets round to it; on a busy machine that can be after the first transaction.
    freed_late: list[aiosqlite.Cursor] = []

    class Kept(aiosqlite.Cursor):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            freed_late.append(self)

    monkeypatch.setattr("aiosqlite.core.Cursor", Kept)
    for times_opened in (1, 2):
        db = await Database.open(tmp_path / "league.db")
        try:
            if times_opened == 1:
                await _counter(db)
            await _add_one(db)
            assert await _seen(db) == (times_opened, times_opened)
        finally:
            await db.close()
    assert freed_late


async def test_fifty_tasks_that_read_and_then_write_lose_nothing(db: Database) -> None:
    await _counter(db)
    await asyncio.gather(*(_add_one(db) for _ in range(TASKS)))
    assert await _seen(db) == (TASKS, TASKS)


async def test_a_failing_task_leaves_nothing_behind_and_stops_nobody(db: Database) -> None:
    await _counter(db)

    async def fail() -> None:
        with change_by_hand(db) as conn:
            conn.execute("UPDATE counter SET value = value + 1000")
            raise RuntimeError("half done")

    outcomes = await asyncio.gather(
        *(fail() if number % 2 else _add_one(db) for number in range(TASKS)), return_exceptions=True
    )
    assert sum(isinstance(outcome, RuntimeError) for outcome in outcomes) == TASKS // 2
    assert await _seen(db) == (TASKS // 2, TASKS // 2)


async def test_a_refused_statement_takes_the_whole_transaction_back(db: Database) -> None:
    await _counter(db)

    async def refused() -> None:
        with change_by_hand(db) as conn:
            conn.execute("UPDATE counter SET value = 7")
            conn.execute("INSERT INTO counter VALUES (NULL, 0)")

    with pytest.raises(sqlite3.IntegrityError):
        await refused()
    assert await _seen(db) == (0, 0)


@pytest.mark.parametrize("seed", range(20))
async def test_cancellation_at_any_moment_leaves_all_or_nothing(db: Database, seed: int) -> None:
    await _counter(db)
    chance = random.Random(seed)
    tasks = [asyncio.create_task(_add_one(db, chance.choice([0, 0.0005]))) for _ in range(TASKS)]
    for task in chance.sample(tasks, TASKS // 2):
        await asyncio.sleep(chance.choice([0, 0, 0.0003]))
        task.cancel()
        if chance.random() < 0.3:
            await asyncio.sleep(0)
            task.cancel()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(outcome is None or isinstance(outcome, asyncio.CancelledError) for outcome in outcomes)
    value, twin = await _seen(db)
    done = sum(outcome is None for outcome in outcomes)
    # Who is cancelled while the commit runs has still committed; nobody is counted half.
    assert value == twin
    assert done <= value <= TASKS
    await _add_one(db)
    assert await _seen(db) == (value + 1, value + 1)


async def test_a_task_cancelled_in_a_transaction_finishes_it_and_then_stops(db: Database) -> None:
    await _counter(db)
    inside, go_on, after = threading.Event(), threading.Event(), []

    async def change() -> None:
        with change_by_hand(db) as conn:
            conn.execute("UPDATE counter SET value = 5")
            inside.set()
            go_on.wait()
            conn.execute("UPDATE counter SET twin = 5")
        after.append("not reached")

    task = asyncio.create_task(change())
    await asyncio.to_thread(inside.wait)
    task.cancel()
    await asyncio.sleep(0.01)
    assert not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await _seen(db), after) == ((5, 5), [])
    await _add_one(db)


async def test_a_task_cancelled_while_it_waits_for_its_turn_changes_nothing(db: Database) -> None:
    await _counter(db)
    first = asyncio.create_task(_add_one(db, 0.05))
    await asyncio.sleep(0)
    second = asyncio.create_task(_add_one(db))
    await asyncio.sleep(0.01)
    second.cancel()
    await asyncio.wait([second], timeout=0.01)
    assert (second.cancelled(), first.done()) == (True, False)
    await first
    assert await _seen(db) == (1, 1)


async def test_the_event_loop_is_free_while_a_transaction_computes(db: Database) -> None:
    await _counter(db)
    turn = threading.Event()

    async def compute() -> bool:
        with change_by_hand(db):
            return turn.wait(5)

    task = asyncio.create_task(compute())
    await asyncio.sleep(0.01)
    turn.set()
    assert await task


@pytest.mark.parametrize("wait", [lambda: asyncio.sleep(0), lambda: asyncio.to_thread(print)])
async def test_a_transaction_that_waits_for_something_else_is_refused_and_rolled_back(
    db: Database, wait: Callable[[], Awaitable[None]]
) -> None:
    await _counter(db)

    async def change() -> None:
        with change_by_hand(db) as conn:
            conn.execute("UPDATE counter SET value = 3")
            await wait()

    with pytest.raises(RuntimeError, match=r"awaits nothing but its own connection|no running event loop"):
        await change()
    assert await _seen(db) == (0, 0)
    await _add_one(db)


async def test_a_reader_sees_one_moment(db: Database) -> None:
    await _counter(db)
    inside, go_on = threading.Event(), threading.Event()

    async def read_twice() -> tuple[tuple[int, int], tuple[int, int]]:
        with look_into(db) as conn:
            before = await _value(conn)
            inside.set()
            go_on.wait()
            return before, await _value(conn)

    task = asyncio.create_task(read_twice())
    await asyncio.to_thread(inside.wait)
    await _add_one(db)
    go_on.set()
    assert await task == ((0, 0), (0, 0))
    assert await _seen(db) == (1, 1)


async def test_a_reader_does_not_see_what_is_not_committed(db: Database) -> None:
    await _counter(db)
    inside, go_on = threading.Event(), threading.Event()

    async def change() -> None:
        with change_by_hand(db) as conn:
            conn.execute("UPDATE counter SET value = 9")
            inside.set()
            go_on.wait()

    task = asyncio.create_task(change())
    await asyncio.to_thread(inside.wait)
    assert await _seen(db) == (0, 0)
    go_on.set()
    await task


async def test_as_many_read_at_once_as_there_are_readers_and_the_others_wait(db: Database) -> None:
    await _counter(db)
    all_inside = threading.Barrier(READERS, timeout=5)

    async def read() -> tuple[int, int]:
        with look_into(db) as conn:
            all_inside.wait()
            return await _value(conn)

    assert await asyncio.gather(*(read() for _ in range(2 * READERS))) == [(0, 0)] * 2 * READERS


async def test_a_reader_cannot_write(db: Database) -> None:
    await _counter(db)
    with pytest.raises(sqlite3.OperationalError, match="readonly"), look_into(db) as conn:
        conn.execute("UPDATE counter SET value = 1")
    assert await _seen(db) == (0, 0)


@pytest.mark.parametrize("outer", ["transaction", "snapshot"])
@pytest.mark.parametrize("inner", ["transaction", "snapshot"])
async def test_one_block_inside_another_is_refused_instead_of_hanging(db: Database, outer: str, inner: str) -> None:
    await _counter(db)

    async def nested() -> None:
        async with getattr(db, outer)(), getattr(db, inner)():
            pass

    with pytest.raises(RuntimeError, match="wait for itself"):
        await asyncio.wait_for(nested(), 5)
    await _add_one(db)
    assert await _seen(db) == (1, 1)


async def test_a_closed_database_says_so(path: Path) -> None:
    db = await Database.open(path)
    await db.close()
    with pytest.raises(ValueError, match="no active connection"):
        await _seen(db)


async def test_closing_lets_a_transaction_finish(path: Path) -> None:
    db = await Database.open(path)
    await _counter(db)
    task = asyncio.create_task(_add_one(db, 0.01))
    await asyncio.sleep(0)
    await db.close()
    await task
    with contextlib.closing(sqlite3.connect(path)) as conn:
        assert conn.execute("SELECT value FROM counter").fetchone() == (1,)


WRITER = """
import asyncio, sys
from storage.database import Database
async def main():
    db = await Database.open(sys.argv[1])
    for _ in range(int(sys.argv[2])):
        async with db.transaction() as conn:
            (row,) = await conn.execute_fetchall("SELECT value FROM counter")
            await conn.execute("UPDATE counter SET value = ?, twin = ?", (row[0] + 1, row[0] + 1))
    await db.close()
asyncio.run(main())
"""


async def test_two_processes_write_to_the_same_file(db: Database, path: Path) -> None:
    await _counter(db)
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", WRITER, str(path), "40", cwd=ROOT)
    for _ in range(TASKS):
        await _add_one(db)
    assert await process.wait() == 0
    assert await _seen(db) == (TASKS + 40, TASKS + 40)


KILLED = """
import asyncio, sys, time
from storage.database import Database
async def main():
    db = await Database.open(sys.argv[1])
    async with db.transaction() as conn:
        await conn.execute("UPDATE counter SET value = 999")
        print("inside", flush=True)
        time.sleep(60)
asyncio.run(main())
"""


async def test_a_process_killed_in_a_transaction_leaves_the_file_whole(path: Path) -> None:
    db = await Database.open(path)
    await _counter(db)
    await _add_one(db)
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
        assert await _seen(again) == (1, 1)
        await _add_one(again)
        assert await _seen(again) == (2, 2)
        with look_into(again) as conn:
            assert [tuple(row) for row in conn.execute_fetchall("PRAGMA integrity_check")] == [("ok",)]
    finally:
        await again.close()
