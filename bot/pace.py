"""One thing after another at an even pace, as Discord wants the requests of a bot: new messages before edits."""

import asyncio
import heapq
import itertools
from typing import Any

import aiohttp

REQUEST_SECONDS = 1 / 48
"""The time between two requests: Discord takes 50 a second from a bot."""
LATER = ("PATCH", "DELETE")
"""What may wait for new messages: edits and deletions."""
UNCOUNTED = ("/interactions/", "/webhooks/")
"""Answers to people, which Discord doesn't count: they never wait."""


class Pace:
    """Lets one after the other through, evenly, those in no hurry last."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._giving: asyncio.Task[None] | None = None

    async def turn(self, *, hurry: bool = True) -> None:
        """Wait for a turn, in no time at all where there's no pace."""
        if not self._seconds:
            return
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (not hurry, next(self._numbers), turn))
        if self._giving is None or self._giving.done():
            self._giving = asyncio.create_task(self._give())
        await turn

    async def _give(self) -> None:
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():  # else it was cancelled
                turn.set_result(None)
                await asyncio.sleep(self._seconds)


def paced_requests() -> aiohttp.TraceConfig:
    """Return what makes each request of a bot wait for its turn, new or repeated."""
    pace = Pace(REQUEST_SECONDS)

    async def wait(_session: Any, _context: Any, request: aiohttp.TraceRequestStartParams) -> None:
        if not any(part in request.url.path for part in UNCOUNTED):
            await pace.turn(hurry=request.method not in LATER)

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(wait)
    return trace
