"""What goes wrong between the bot and Discord: limits, failures, answers that get lost, connections that are cut."""

import asyncio
import random

from aiohttp import web

from tests.loopback.discord_server import Fault, Keep

_PAGE = "<html><head><title>502 Bad Gateway</title></head></html>"


def _limit(seconds: float) -> web.Response:
    body = {"message": "You are being rate limited.", "retry_after": seconds, "global": False}
    return web.json_response(body, status=429, headers={"Retry-After": str(seconds), "Via": "1.1 loopback"})


async def limited(request: web.Request, keep: Keep) -> web.Response:
    return _limit(0.2)


async def limited_for_long(request: web.Request, keep: Keep) -> web.Response:
    return _limit(90)


async def failed(request: web.Request, keep: Keep) -> web.Response:
    return web.json_response({"message": "500: Internal Server Error"}, status=500)


async def down(request: web.Request, keep: Keep) -> web.Response:
    return web.json_response({"message": "503: Service Unavailable"}, status=503)


async def failed_afterwards(request: web.Request, keep: Keep) -> web.Response:
    keep()
    return web.json_response({"message": "502: Bad Gateway"}, status=502)


async def page(request: web.Request, keep: Keep) -> web.Response:
    return web.Response(text=_PAGE, status=403, content_type="text/html")


async def page_afterwards(request: web.Request, keep: Keep) -> web.Response:
    keep()
    return web.Response(text=_PAGE, status=504, content_type="text/html")


async def cut(request: web.Request, keep: Keep) -> web.Response:
    if request.transport is not None:
        request.transport.close()
    return web.Response(status=503)


async def cut_afterwards(request: web.Request, keep: Keep) -> web.Response:
    keep()
    return await cut(request, keep)


async def slow(request: web.Request, keep: Keep) -> None:
    await asyncio.sleep(0.5)


FAULTS = (
    limited,
    limited_for_long,
    failed,
    down,
    failed_afterwards,
    page,
    page_afterwards,
    cut,
    cut_afterwards,
)


def makes_twice(fault: Fault, request: web.Request) -> bool:
    """Whether discord.py would ask again by itself for what is kept already: a thread has no nonce."""
    return fault in (failed_afterwards, page_afterwards) and request.path.endswith("/threads")


class Weather:
    """A fault now and then, each kind in turn and never two in a row, at requests chosen by a seed."""

    _KINDS: tuple[Fault, ...] = (limited, failed, failed_afterwards, cut_afterwards, cut, slow)

    def __init__(self, seed: int, how_often: float) -> None:
        self._chance = random.Random(seed)
        self._how_often = how_often
        self._fair = True
        self.faults = 0

    async def __call__(self, request: web.Request, keep: Keep) -> web.Response | None:
        self._fair = not (self._fair and self._chance.random() < self._how_often)
        if self._fair:
            return None
        fault = self._KINDS[self.faults % len(self._KINDS)]
        self.faults += 1
        return None if makes_twice(fault, request) else await fault(request, keep)
