"""What goes wrong between the bot and Discord: limits, failures, answers that get lost, connections that are cut."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from aiohttp import web

from tests.wire.discord_server import Keep

Fault = Callable[[web.Request, Keep], Awaitable[web.Response | None]]


async def limited(request: web.Request, keep: Keep) -> web.Response:
    body = {"message": "You are being rate limited.", "retry_after": 0.2, "global": False}
    return web.json_response(body, status=429, headers={"Retry-After": "0.2", "Via": "1.1 loopback"})


async def failed(request: web.Request, keep: Keep) -> web.Response:
    return web.json_response({"message": "500: Internal Server Error"}, status=500)


async def failed_afterwards(request: web.Request, keep: Keep) -> web.Response | None:
    """Accept what was asked and say it failed. Threads have no nonce: discord.py would make another one by itself."""
    if request.path.endswith("/threads"):
        return None
    keep()
    return web.json_response({"message": "502: Bad Gateway"}, status=502)


async def cut_afterwards(request: web.Request, keep: Keep) -> web.Response:
    keep()
    return await cut(request, keep)


async def cut(request: web.Request, keep: Keep) -> web.Response:
    if request.transport is not None:
        request.transport.close()
    return web.Response(status=503)


async def slow(request: web.Request, keep: Keep) -> None:
    await asyncio.sleep(0.5)


FAULTS: tuple[Fault, ...] = (limited, failed, failed_afterwards, cut_afterwards, cut, slow)


class Weather:
    """A fault now and then, each kind in turn and never two in a row, at requests chosen by a seed."""

    def __init__(self, seed: int, how_often: float) -> None:
        self._chance = random.Random(seed)
        self._how_often = how_often
        self._fair = True
        self.faults = 0

    async def __call__(self, request: web.Request, keep: Keep) -> web.Response | None:
        self._fair = not (self._fair and self._chance.random() < self._how_often)
        if self._fair:
            return None
        fault = FAULTS[self.faults % len(FAULTS)]
        self.faults += 1
        return await fault(request, keep)
