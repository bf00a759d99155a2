"""The order in which posts are made: one after the other in a channel, all channels at once, a rest after a failure."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from bot.services.delivery.delivery import Lane
from cogs.runtime.repeating import Sleep
from storage.posts import PostId, QueuedPost

REST_SECONDS = 30.0
"""How long a lane in which a post failed is left alone: what comes next there would fail too."""


class Lanes:
    """Makes what is due. A lane that waits for Discord costs the others nothing, so there are as many as are needed.

    `look` returns what is due, `turn` waits until a post may be made, `make` makes it and returns whether its lane may
    go on.
    """

    def __init__(
        self,
        look: Callable[[], Awaitable[Mapping[Lane, list[QueuedPost]]]],
        turn: Callable[[QueuedPost], Awaitable[None]],
        make: Callable[[QueuedPost], Awaitable[bool]],
        *,
        sleep: Sleep,
    ) -> None:
        self._look, self._turn, self._make, self._sleep = look, turn, make, sleep
        self._looking: asyncio.Task[None] | None = None
        self._woken = self._closed = False
        self._queues: Mapping[Lane, list[QueuedPost]] = {}
        self._tasks: dict[Lane, asyncio.Task[None]] = {}
        self._next: dict[Lane, PostId] = {}
        self._making: set[Lane] = set()
        self._made: set[PostId] = set()

    def wake(self) -> None:
        """Look what is due, now or once more after the look that has begun."""
        self._woken = not self._closed
        if self._woken and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._fill())

    async def _fill(self) -> None:
        """Begin each lane that isn't at work; the others go on with what was found."""
        while self._woken:
            self._woken = False
            self._made.clear()
            queued = await self._look()
            taken = self._made.union(self._next.values())  # what was made since the look may be in it still
            self._queues = {lane: [post for post in posts if post.id not in taken] for lane, posts in queued.items()}
            for lane in self._queues:
                if lane not in self._tasks:
                    self._tasks[lane] = asyncio.create_task(self._work(lane))

    async def _work(self, lane: Lane) -> None:
        """Make the posts of a lane in order; one that fails ends that, until the lane has rested."""
        try:
            while queue := self._queues.get(lane):
                if not await self._make_next(lane, queue.pop(0)):
                    await self._sleep(REST_SECONDS)
                    self.wake()
                    return
        finally:
            del self._tasks[lane]

    async def _make_next(self, lane: Lane, post: QueuedPost) -> bool:
        self._next[lane] = post.id
        try:
            await self._turn(post)
            self._making.add(lane)
            return self._closed or await self._make(post)
        finally:
            self._making.discard(lane)
            self._made.add(self._next.pop(lane))

    async def close(self, seconds: float) -> None:
        """Begin nothing more, and give what is being made so many seconds."""
        self._closed = True
        self._queues = {}
        busy = [self._tasks[lane] for lane in self._making]
        if busy:
            await asyncio.wait(busy, timeout=seconds)
        for task in (*self._tasks.values(), *filter(None, [self._looking])):
            task.cancel()
