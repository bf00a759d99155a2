"""The loopback Discord without a network: what discord.py asks is answered in the same process."""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import aiohttp
from aiohttp import web
from multidict import CIMultiDict

from tests.loopback.discord_server import Discord
from tests.loopback.threads import Threads

Handler = Callable[[Any], Awaitable[web.Response]]


class _Transport:
    """The connection of a request, which can be cut."""

    def close(self) -> None:
        raise aiohttp.ServerDisconnectedError


@dataclass
class Asked:
    """A request as the routes of the loopback Discord read it."""

    method: str
    path: str
    query: dict[str, str]
    match_info: dict[str, str]
    body: Any
    content_type: str = "application/json"
    transport = _Transport()

    @property
    def can_read_body(self) -> bool:
        return self.body is not None

    async def json(self) -> Any:
        return self.body


class _Answer:
    """A response as discord.py reads it."""

    def __init__(self, response: web.Response) -> None:
        self._text = response.text or ""
        self.status, self.reason = response.status, response.reason
        self.headers = CIMultiDict(response.headers)
        if response.content_type == "application/json":
            self.headers["Content-Type"] = "application/json"

    async def text(self, encoding: str = "utf-8") -> str:
        return self._text


class _Request:
    """A request that is on its way."""

    def __init__(self, asking: Awaitable[web.Response]) -> None:
        self._asking = asking

    async def __aenter__(self) -> _Answer:
        return _Answer(await self._asking)

    async def __aexit__(self, *error: object) -> None:
        pass


class InProcess:
    """A session of aiohttp, as far as discord.py uses one, whose requests go straight to a loopback Discord."""

    def __init__(self, server: Discord) -> None:
        self.server = server
        app = server.app()
        Threads(server).add_to(app)
        self._routes = [(route.method, re.compile(_pattern(route)), route.handler) for route in app.router.routes()]

    def request(self, method: str, url: Any, **given: Any) -> _Request:
        """Answer what discord.py asks, as its session would."""
        where = urlsplit(str(url))
        path = re.sub(r"^/api/v\d+", "/api", where.path)
        return _Request(self.answer(method, path, where.query, _body(given.get("data"))))

    async def answer(self, method: str, path: str, query: str, body: Any) -> web.Response:
        """Let the route of a path answer."""
        for known, pattern, handler in self._routes:
            found = pattern.fullmatch(path)
            if known == method and found is not None:
                return await self.handle(Asked(method, path, dict(parse_qsl(query)), found.groupdict(), body), handler)
        raise AssertionError(f"no route for {method} {path}")

    async def handle(self, asked: Any, handler: Handler) -> web.Response:
        """Let a route answer, unless something comes in between."""
        return await handler(asked)


def _pattern(route: Any) -> str:
    about = route.resource.get_info()
    return about["pattern"].pattern if "pattern" in about else re.escape(about["path"])


def _body(data: Any) -> Any:
    """Return the JSON of a request, with files by their names."""
    if isinstance(data, aiohttp.FormData):
        fields: list[Any] = data._fields
        data = next(value for about, _, value in fields if about["name"] == "payload_json")
    return None if data is None else json.loads(data)
