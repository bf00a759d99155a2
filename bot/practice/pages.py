"""The web page of the practice server: simcord's preview of a channel, with a bar to change channel and person."""

# simcord's preview is a tester's tool without hooks; what makes an app of it overrides its private methods.

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar
from zlib import crc32

from aiohttp import web
from simcord import Env
from simcord.builders import ChannelHandle
from simcord.enums import SELECT_TYPES
from simcord.preview import Preview, _action_plans, _component_projection, _markdown
from simcord.preview._media import MediaInfo, MediaWorker, _process_media
from simcord.preview._server import PreviewServer

from bot.practice.bar import Bar
from bot.practice.world import World

# simcord guards its page with a secret in the address. Ours is a fixed word: the server listens on this computer only,
# checks host and origin of every request, and its guild is make-believe; so the address stays simple and the same.
KEY = "practice"
_FILES = Path(__file__).parent / "static"
_OWN_FILES = {"/practice.css": "text/css", "/practice.js": "application/javascript", "/practice.svg": "image/svg+xml"}
_HEAD = '<link rel="icon" href="/practice.svg"><link rel="stylesheet" href="/practice.css">'
_PNG = b"\x89PNG"
_IDLE = 60.0
"""How many seconds someone is idle until the person they act for plays on their own, when asked to."""
# How our bar asks simcord's page, instead of for a message, for a channel, or to move the clock by so many hours.
_CHANNEL, _CLOCK = "channel:", "clock:"
_LONGEST_MOVE = 72  # hours


def _by_its_choices(place: Callable[..., str | None]) -> Callable[..., str | None]:
    """Name a select by what it is and has chosen, besides its place in the message.

    simcord's page keeps what was chosen at a place, also once the bot has put another select there.
    """

    def named(*given: Any) -> str | None:
        part = next(value for value in given if isinstance(value, Mapping))
        if part.get("type") not in SELECT_TYPES:
            return place(*given)
        defaults = [option.get("value") for option in part.get("options") or () if option.get("default")]
        return f"{place(*given)}:{crc32(repr((part.get('custom_id'), defaults)).encode())}"

    return named


_component_projection._control_key = _by_its_choices(_component_projection._control_key)
_action_plans._component_key = _by_its_choices(_action_plans._component_key)


@cache
def _parser_of(policy: tuple[tuple[str, bool | str], ...]) -> tuple[Any, dict[str, Any]]:
    """Return simcord's parser by a policy, and the names it reads out of, to be filled before it's asked."""
    names: dict[str, Any] = {}
    return _new_parser(dict(policy), names), names


def _same_parser(policy: Mapping[str, bool | str], context: Mapping[str, Any]) -> Any:
    """Return the parser for a text; simcord makes one for each, which takes longer than to read most of them."""
    parser, names = _parser_of(tuple(policy.items()))
    names.clear()
    names.update(context)
    return parser


_new_parser = _markdown._markdown_parser
_markdown._markdown_parser = _same_parser


class _Pictures(MediaWorker):
    """Reads pictures right here.

    simcord reads each in a new process, eight in line at most: the cards of 38 groups took a minute to come up.
    """

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        if blob.startswith(_PNG):
            return _process_media(blob, media_time)
        return await super().validate(key, blob, media_time=media_time)


class PracticePreview(Preview):
    """simcord's preview made an app: every page has its own channel and person, and its clicks never go stale."""

    # A page a browser forgot to close lives ten minutes; this many reloads fit into them.
    _MAX_PAGES = 500

    def __init__(
        self, env: Env, world: World, *, lock: asyncio.Lock, port: int, move: Callable[[int], Awaitable[None]]
    ) -> None:
        super().__init__(
            env,
            world.welcome,
            world.people,
            layout="channel",
            display="responsive",
            width=960,
            height=720,
            locale="en-GB",
            timezone="UTC",
            presentation_time=None,
            assets=None,
            port=port,
        )
        self.capability = KEY
        self.world = world
        self.bar = Bar(env, world)
        self._move = move
        self._visited = asyncio.Event()
        self._used: dict[int, float] = {}
        self.boot = secrets.token_hex(4)
        self._lock = lock
        self._media_worker = _Pictures()
        self._server = _Server(self, port)

    @property
    def address(self) -> str:
        """Return the address to open, the same at every start."""
        return f"http://127.0.0.1:{self._server.port}/"

    def acted_for(self) -> frozenset[int]:
        """Return the ids of the people someone acts for: shown in an open page, and used within the last minute."""
        shown = {page.viewer.id for page in self._pages.values() if page is not self._python}
        # Not the monotonic clock: simcord replaces that by its own.
        since = time.perf_counter() - _IDLE
        return frozenset(person for person, when in self._used.items() if person in shown and when > since)

    async def wait_for_visitor(self, patience: float) -> None:
        """Return when someone has opened a page, or after so many seconds."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._visited.wait(), patience)

    def _channels(self, viewer: Any) -> tuple[ChannelHandle, ...]:
        """Return the channels a person can open, threads and their own direct messages among them."""
        return (*self._in_guild(viewer), self.world.person(viewer.id).user.dm_channel)

    def _in_guild(self, viewer: Any) -> tuple[ChannelHandle, ...]:
        everywhere = (*self.world.channels, *self.world.league.threads)
        return tuple(channel for channel in everywhere if self.bar.sees(viewer, channel))

    def _open_page(self, viewer_id: Any = None, target_id: Any = None) -> Any:
        # simcord opens pages in the one channel it shows; an action of another page may be using that just now.
        before = self.channel
        self.channel = self.world.welcome
        try:
            page = super()._open_page(viewer_id, target_id)
        finally:
            self.channel = before
        self._used[page.viewer.id] = time.perf_counter()
        self._visited.set()
        return page

    def _publish(self, page: Any, **given: Any) -> None:
        if page is self._python and given.get("reason") == "refresh":
            self._prune_expired(keep=page)  # simcord's own page is for tests: nobody sees it
        else:
            super()._publish(page, **given)

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with self._lock:
            page = self._get_page(context_id)
            before = page.channel_id, page.viewer
            if isinstance(body, dict):
                body = await self._translate(page, body)
            # simcord acts in the one channel it shows: show that of the page which acts.
            self.channel = next(c for c in self._channels(page.viewer) if c.id == page.channel_id)
            receipt = await super()._action(context_id, body)
            if body.get("kind") != "configure_presentation":  # sent by the page itself when its window changes
                self._used[page.viewer.id] = time.perf_counter()
            if receipt["rejected"]:
                page.channel_id, page.viewer = before
            return receipt

    async def _translate(self, page: Any, body: dict[str, Any]) -> dict[str, Any]:
        # Background posts give the page a new revision at any time; simcord would refuse a click on the one before.
        body = {**body, "published_revision": page.revision}
        target = str(body.get("target_id"))
        if body.get("kind") == "close":
            body["kind"] = "refresh"  # no one can end the server from its page
        elif body.get("kind") == "focus" and target.startswith(_CHANNEL):
            self._turn_to(page, target.removeprefix(_CHANNEL), body)
        elif body.get("kind") == "focus" and target.startswith(_CLOCK):
            await self._move_clock(target.removeprefix(_CLOCK))
            body["target_id"] = str(self._initial_target(page.viewer, page.channel_id))
        elif body.get("kind") == "viewer":
            self._leave_private_channel(page, body.get("viewer_id"))
        return body

    def _turn_to(self, page: Any, channel_id: str, body: dict[str, Any]) -> None:
        channel = next((c for c in self._channels(page.viewer) if str(c.id) == channel_id), None)
        if channel is not None:
            person = self.world.person(page.viewer.id)
            page.channel_id = channel.id
            # simcord tells apart the member of a guild and the user who reads direct messages.
            page.viewer = person if channel.guild is not None else person.user
            body["target_id"] = str(self._initial_target(page.viewer, channel.id))

    async def _move_clock(self, hours: str) -> None:
        if hours.isdecimal() and 0 < int(hours) <= _LONGEST_MOVE:
            await self._move(int(hours))

    def _leave_private_channel(self, page: Any, viewer_id: Any) -> None:
        person = next((p for p in self.world.people if str(p.id) == str(viewer_id)), None)
        shared = () if person is None else (channel.id for channel in self._in_guild(person))
        if person is not None and page.channel_id not in shared:
            page.channel_id, page.viewer = self.world.league.id, self.world.person(page.viewer.id)


class _Server(PreviewServer):
    """simcord's server, with our bar on its page."""

    preview: PracticePreview  # pyrefly: ignore[bad-override-mutable-attribute] (made with ours alone)
    _STATIC_FILES: ClassVar[dict[str, str]] = {
        **PreviewServer._STATIC_FILES,
        **{path: path.lstrip("/") for path in (*_OWN_FILES, "/practice.json")},
    }

    async def _index(self, request: web.Request) -> web.Response:
        response = await super()._index(request)
        assert response.text is not None
        response.text = (
            response.text.replace("<title>SimCord Preview</title>", "<title>Fairpair practice</title>")
            .replace("</head>", f"{_HEAD}</head>")
            # Before simcord's own script, which reads the key from the address when it starts.
            .replace("<body>", '<body><script src="/practice.js"></script>')
        )
        return response

    async def _static(self, request: web.Request) -> web.Response:
        if request.path not in (*_OWN_FILES, "/practice.json"):
            return await super()._static(request)
        if request.headers.get("Host", "") not in self._allowed_hosts():
            raise web.HTTPForbidden
        if request.path == "/practice.json":
            return web.json_response(
                {"boot": self.preview.boot, **self.preview.bar.facts()}, headers=self._SECURITY_HEADERS
            )
        text = (_FILES / request.path.lstrip("/")).read_text(encoding="utf-8")
        return web.Response(text=text, content_type=_OWN_FILES[request.path], headers=self._SECURITY_HEADERS)
