"""The process beside the bot: it answers, and what goes wrong in it harms nothing else."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator

import pytest

from bot.league.errors import NotFound
from bot.worker import Worker, WorkerFailed

LONG = 60


@pytest.fixture
async def worker() -> AsyncGenerator[Worker]:
    made = Worker()
    yield made
    await made.close()


def own_id() -> int:
    return os.getpid()


def divided(upper: int, lower: int) -> float:
    return upper / lower


def not_found() -> None:
    raise NotFound("There is no such thing.")


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def test_it_computes_in_one_other_process(worker: Worker) -> None:
    first, second = await asyncio.gather(worker.run(own_id, seconds=LONG), worker.run(own_id, seconds=LONG))
    assert first == second != os.getpid()
    assert await worker.run(divided, 6, 4, seconds=LONG) == 1.5


async def test_an_error_of_the_work_is_raised_and_the_process_goes_on(worker: Worker) -> None:
    process = await worker.run(own_id, seconds=LONG)
    with pytest.raises(ZeroDivisionError):
        await worker.run(divided, 6, 0, seconds=LONG)
    with pytest.raises(NotFound, match="There is no such thing"):
        await worker.run(not_found, seconds=LONG)
    assert await worker.run(own_id, seconds=LONG) == process


async def test_work_that_takes_too_long_is_killed_and_the_next_gets_another_process(worker: Worker) -> None:
    process = await worker.run(own_id, seconds=LONG)
    with pytest.raises(WorkerFailed):
        await worker.run(time.sleep, LONG, seconds=0.05)
    assert not is_running(process)
    assert await worker.run(own_id, seconds=LONG) != process


async def test_a_process_that_dies_is_replaced(worker: Worker) -> None:
    with pytest.raises(WorkerFailed):
        await worker.run(os._exit, 1, seconds=LONG)
    assert await worker.run(divided, 1, 1, seconds=LONG) == 1


async def test_a_caller_who_gives_up_leaves_the_next_answer_whole(worker: Worker) -> None:
    waiting = asyncio.ensure_future(worker.run(own_id, seconds=LONG))
    await asyncio.sleep(0)
    waiting.cancel()
    assert await worker.run(divided, 4, 2, seconds=LONG) == 2


async def test_closing_ends_work_at_once(worker: Worker) -> None:
    process = await worker.run(own_id, seconds=LONG)
    working = asyncio.ensure_future(worker.run(time.sleep, LONG, seconds=LONG))
    await asyncio.sleep(0)
    await worker.close()
    with pytest.raises(WorkerFailed):
        await working
    assert not is_running(process)


async def test_closing_while_the_process_starts_leaves_none() -> None:
    for moment in range(24):
        worker = Worker()
        working = asyncio.ensure_future(worker.run(time.sleep, LONG, seconds=LONG))
        await asyncio.sleep(moment / 4000)
        await worker.close()
        with pytest.raises(WorkerFailed):
            await working
