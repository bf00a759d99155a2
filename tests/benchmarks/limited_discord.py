"""A Discord without network that keeps Discord's limits, in a time that passes only while nobody works."""

import asyncio
import contextlib
import json
import selectors
from collections import deque
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
from yarl import URL

from bot.client import LeagueBot
from bot.settings import Settings
from cogs.posting.announcer import Announcer
from storage.database import Database
from tests.wire.objects import message

CHANNEL_LIMIT, CHANNEL_SECONDS = 5, 5.0
GLOBAL_LIMIT, GLOBAL_SECONDS = 50, 1.0
"""What Discord takes: so many messages in so many seconds in a channel, and requests of a bot in all."""
THREADS_SECONDS = 0.002
"""How long to wait for the threads of the database before looking at them again."""


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock stands still while anyone works, and then jumps to what comes next."""

    def __init__(self) -> None:
        self._selector_of_time = _Selector(self)
        super().__init__(self._selector_of_time)
        self.passed = 0.0
        self.busy: Callable[[], bool] = lambda: False

    def time(self) -> float:
        """Return the seconds that have passed."""
        return self.passed


class _Selector(selectors.SelectSelector):
    def __init__(self, loop: Loop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        ready = super().select(THREADS_SECONDS if self._loop.busy() else 0)
        if not ready and not self._loop.busy():
            self._loop.passed += timeout
        return ready


@dataclass
class LimitedDiscord:
    """Takes messages within the limits, refuses what is beyond them, and fails in some channels."""

    loop: asyncio.AbstractEventLoop
    trace: aiohttp.TraceConfig
    failing: set[int] = field(default_factory=set)
    sent: dict[int, list[float]] = field(default_factory=dict)
    """When each channel got its messages."""
    refused: int = 0
    _windows: dict[int, tuple[float, int]] = field(default_factory=dict)
    _lately: deque[float] = field(default_factory=deque)

    @contextlib.asynccontextmanager
    async def request(self, method: str, url: str, **given: Any) -> AsyncGenerator["_Response"]:
        """Answer a request as aiohttp's session does."""
        for wait in self.trace.on_request_start:
            await wait(None, None, SimpleNamespace(method=method, url=URL(url)))
        channel = int(url.split("/channels/")[1].split("/")[0])
        yield self._answer(channel, method, given)

    def _answer(self, channel: int, method: str, given: dict[str, Any]) -> "_Response":
        now = self.loop.time()
        while self._lately and self._lately[0] <= now - GLOBAL_SECONDS:
            self._lately.popleft()
        if len(self._lately) >= GLOBAL_LIMIT:
            return self._refuse(self._lately[0] + GLOBAL_SECONDS - now, everywhere=True)
        self._lately.append(now)
        if channel in self.failing:
            return _Response(500, {"message": "Oops"})
        began, count = self._windows.get(channel, (now, 0))
        if now >= began + CHANNEL_SECONDS:
            began, count = now, 0
        self._windows[channel] = began, count + 1
        reset = began + CHANNEL_SECONDS - now
        if count >= CHANNEL_LIMIT:
            return self._refuse(reset, everywhere=False)
        self.sent.setdefault(channel, []).append(now)
        return _Response(
            200, message(str(len(self._lately)), channel, _body(given)), left=CHANNEL_LIMIT - count - 1, reset=reset
        )

    def _refuse(self, seconds: float, *, everywhere: bool) -> "_Response":
        self.refused += 1
        return _Response(429, {"retry_after": seconds, "global": everywhere, "message": "Slow down"})


def _body(given: dict[str, Any]) -> dict[str, Any]:
    sent = given.get("data")
    if isinstance(sent, aiohttp.FormData):
        fields = {dict(options)["name"]: value for options, _, value in sent._fields}  # pyright: ignore
        sent = fields["payload_json"]
    return json.loads(sent or "{}")


class _Response:
    def __init__(self, status: int, body: dict[str, Any], *, left: int = 0, reset: float = 0) -> None:
        self.status, self.reason, self._body = status, "", body
        self.headers = {"content-type": "application/json", "Via": "1.1 loopback", "X-Ratelimit-Bucket": "messages"}
        if status == 200:
            limits = {"Limit": CHANNEL_LIMIT, "Remaining": left, "Reset-After": reset}
            self.headers |= {f"X-Ratelimit-{name}": str(value) for name, value in limits.items()}

    async def text(self, encoding: str) -> str:
        return json.dumps(self._body)


@contextlib.asynccontextmanager
async def announcing(folder: Path) -> AsyncGenerator[tuple[LeagueBot, LimitedDiscord]]:
    """Yield a bot that makes posts and does nothing else, and the Discord it makes them in."""
    loop = asyncio.get_running_loop()
    bot = LeagueBot(Settings(database=folder / "league.db"))
    assert bot.http.http_trace is not None
    discord = LimitedDiscord(loop, bot.http.http_trace)
    await bot._async_setup_hook()  # pyright: ignore[reportPrivateUsage]
    http: Any = bot.http
    http._HTTPClient__session, http._global_over = discord, asyncio.Event()
    http._global_over.set()
    bot.database = await Database.open(bot.settings.database)
    if isinstance(loop, Loop):
        loop.busy = lambda: _is_busy(bot.database)
    await bot.add_cog(Announcer(bot))
    bot.announce()
    await asyncio.sleep(1)  # the first look: what is due from now on is new
    try:
        yield bot, discord
    finally:
        await bot.remove_cog(Announcer.__name__)
        await bot.database.close()


def _is_busy(database: Database) -> bool:
    return database.busy
