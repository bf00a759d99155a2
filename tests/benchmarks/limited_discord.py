"""The loopback Discord in this process with Discord's limits, in a time that passes only while nobody works."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
from aiohttp import web
from yarl import URL

from bot.client import LeagueBot
from bot.settings import Settings
from cogs.posting.announcer import Announcer
from storage.database import Database
from tests.jumping_time import Loop
from tests.loopback.discord_server import Discord
from tests.loopback.in_process import Handler, InProcess
from tests.loopback.objects import channel

CHANNEL_LIMIT, CHANNEL_SECONDS = 5, 5.0
GLOBAL_LIMIT, GLOBAL_SECONDS = 50, 1.0
"""What Discord takes: so many messages in so many seconds in a channel, and requests of a bot in all."""
VIA = {"Via": "1.1 loopback", "X-Ratelimit-Bucket": "messages"}


class LimitedDiscord(InProcess):
    """Takes messages within the limits, refuses what is beyond them, and fails in some channels."""

    def __init__(self, loop: asyncio.AbstractEventLoop, trace: aiohttp.TraceConfig) -> None:
        super().__init__(Discord())
        self._loop, self._trace = loop, trace
        self.failing: set[int] = set()
        self.sent: dict[int, list[float]] = {}
        """When each channel got its messages."""
        self.taken: list[tuple[int, str, float]] = []
        """Every request about a channel: which, what is done, and when it was taken."""
        self.refused = 0
        self._windows: dict[int, tuple[float, int]] = {}
        self._lately: deque[float] = deque()

    def open(self, channels: Iterable[int]) -> None:
        """Make channels to write in."""
        self.server.channels.update((number, channel(number)) for number in channels)

    async def answer(self, method: str, path: str, query: str, body: Any) -> web.Response:
        """Answer a request as aiohttp's session does."""
        for wait in self._trace.on_request_start:
            await wait(None, None, SimpleNamespace(method=method, url=URL(path)))
        return await super().answer(method, path, query, body)

    async def handle(self, asked: Any, handler: Handler) -> web.Response:
        """Let a route answer what is within the limits."""
        place, now = int(asked.match_info.get("channel", 0)), self._loop.time()
        while self._lately and self._lately[0] <= now - GLOBAL_SECONDS:
            self._lately.popleft()
        if len(self._lately) >= GLOBAL_LIMIT:
            return self._refuse(self._lately[0] + GLOBAL_SECONDS - now, everywhere=True)
        self._lately.append(now)
        if place in self.failing:
            return web.json_response({"message": "Oops"}, status=500, headers=VIA)
        began, count = self._windows.get(place, (now, 0))
        if now >= began + CHANNEL_SECONDS:
            began, count = now, 0
        self._windows[place] = began, count + 1
        reset = began + CHANNEL_SECONDS - now
        if count >= CHANNEL_LIMIT:
            return self._refuse(reset, everywhere=False)
        self.sent.setdefault(place, []).append(now)
        self.taken.append((place, asked.method, now))
        answer = await handler(asked)
        limits = {"Limit": CHANNEL_LIMIT, "Remaining": CHANNEL_LIMIT - count - 1, "Reset-After": reset}
        answer.headers.update(VIA | {f"X-Ratelimit-{name}": str(value) for name, value in limits.items()})
        return answer

    def _refuse(self, seconds: float, *, everywhere: bool) -> web.Response:
        self.refused += 1
        body = {"retry_after": seconds, "global": everywhere, "message": "Slow down"}
        return web.json_response(body, status=429, headers=VIA)


@contextlib.asynccontextmanager
async def announcing(
    folder: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> AsyncGenerator[tuple[LeagueBot, LimitedDiscord]]:
    """Yield a bot that makes posts and does nothing else, and the Discord it makes them in."""
    loop = asyncio.get_running_loop()
    bot = LeagueBot(Settings(database=folder / "league.db"), now=now)
    assert bot.http.http_trace is not None
    discord = LimitedDiscord(loop, bot.http.http_trace)
    await bot._async_setup_hook()
    http: Any = bot.http
    http._HTTPClient__session, http._global_over = discord, asyncio.Event()
    http._global_over.set()
    bot.database = await Database.open(bot.settings.database)
    if isinstance(loop, Loop):
        loop.let_work(lambda: bot.database.busy)
    await bot.add_cog(Announcer(bot))
    bot.announce()
    await asyncio.sleep(1)  # the first look: what is due from now on is new
    try:
        yield bot, discord
    finally:
        await bot.remove_cog(Announcer.__name__)
        await bot.database.close()
