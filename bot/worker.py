"""One process beside the bot for what takes long to compute, so that the event loop never waits for it."""

import asyncio
import contextlib
import multiprocessing
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar, TypeVarTuple

START_SECONDS = 30
"""How long the process can take to start and to import what it computes with."""
IDLE_SECONDS = 180
"""After so long without work the process ends, and its memory is free; the next call starts another."""
PROCESSES = multiprocessing.get_context("spawn")
"""The process starts with nothing that the bot has in its memory."""

_Given = TypeVarTuple("_Given")
_Answer = TypeVar("_Answer")


class WorkerFailed(Exception):
    """The process took too long or died; the next call starts another one."""


class Worker:
    """Computes one thing after the other in a process that is started when it's needed.

    With `memory` the process can have so many bytes and no more, where the system can see to it: work that takes more
    raises MemoryError.
    """

    def __init__(self, *, memory: int | None = None) -> None:
        self.waiting = 0
        """How many wait for an answer."""
        self._memory = memory
        self._resting: asyncio.TimerHandle | None = None
        self._starting = threading.Lock()
        """Held while a process starts, because one that has only begun can't be killed."""
        # Only this thread talks to the process, so a caller who gives up never leaves a half-read answer behind.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="worker")
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._closed = False

    async def run(self, function: Callable[[*_Given], _Answer], *given: *_Given, seconds: float) -> _Answer:
        """Return what a function of some module computes, or raise what it raises; both must be picklable.

        It is killed after so many seconds of its own work: raises WorkerFailed, also if the process dies.
        """
        return await self.begin(function, *given, seconds=seconds)

    def begin(self, function: Callable[[*_Given], _Answer], *given: *_Given, seconds: float) -> asyncio.Future[_Answer]:
        """Return what `run` will, for several to wait for, or no one."""
        loop = asyncio.get_running_loop()
        coming = loop.run_in_executor(self._thread, self._ask, (function, given), seconds)
        self.waiting += 1
        coming.add_done_callback(self._done)
        return coming

    def rest(self) -> None:
        """End the process after what it still has to do, until it's needed again."""
        if not self._closed:
            self._thread.submit(self._end)

    def _done(self, answer: asyncio.Future[Any]) -> None:
        if not answer.cancelled():
            answer.exception()  # read, because asyncio would complain otherwise
        self.waiting -= 1
        self._stay()
        if not self._closed:
            self._resting = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.rest)

    def _stay(self) -> None:
        if self._resting is not None:
            self._resting.cancel()

    async def close(self) -> None:
        """End the process, and with it what it still computes."""
        self._closed = True
        self._stay()
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._starting:
            process = self._process
        if process is not None:
            process.kill()
        self._thread.shutdown()
        self._end()

    def _ask(self, work: object, seconds: float) -> Any:
        """Send work to the process, wait until it begins, then for its answer."""
        connection = self._connection or self._start()
        try:
            connection.send(work)
            for most in (START_SECONDS, seconds):
                if not connection.poll(most):
                    raise WorkerFailed(f"no answer within {most} seconds")
                worked, answer = connection.recv()
        except BaseException as error:
            self._end()
            if isinstance(error, EOFError | OSError):
                raise WorkerFailed("the process died") from error
            raise
        if worked:
            return answer
        raise answer

    def _start(self) -> Connection:
        with self._starting:
            if self._closed:
                raise WorkerFailed("the bot is closing")
            ours, theirs = PROCESSES.Pipe()
            process = PROCESSES.Process(target=_serve, args=(theirs, self._memory), name="fairpair-worker", daemon=True)
            process.start()
            theirs.close()
            self._process, self._connection = process, ours
            return ours

    def _end(self) -> None:
        if self._process is not None and self._connection is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
        self._process = self._connection = None


def _serve(connection: Connection, memory: int | None) -> None:
    """Compute what is asked for, until the bot closes its end or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches both processes; the bot ends this one.
    if memory is not None and sys.platform == "linux":
        import resource  # other systems have none, or one that limits nothing

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            function, given = connection.recv()
            connection.send((True, None))
            try:
                answer = True, function(*given)
            except Exception as error:
                answer = False, error
            connection.send(answer)
