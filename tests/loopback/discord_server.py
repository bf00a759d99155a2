"""A small Discord on loopback: enough HTTP for the real bot process, which it outlives, with faults on demand."""

import asyncio
import contextlib
import json
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests import marks_shown
from tests.loopback import api_check
from tests.loopback.gateway import Gateway
from tests.loopback.objects import (
    APPLICATION,
    BOT,
    GUILD,
    LEAGUE_CHANNEL,
    MODERATION_CHANNEL,
    OWNER,
    PINNED,
    SILENT,
    Json,
    Person,
    channel,
    direct,
    guild,
    member,
    message,
    text_of,
    user,
)

DIRECT_PLACES = 10**6
"""What a person's id and that of the channel of their direct messages differ by."""
Keep = Callable[[], Json | None]
"""Does what a request asks for and returns Discord's answer."""
Fault = Callable[[web.Request, Keep], Awaitable[web.Response | None]]
"""Asked before a post, an edit or a thread is kept; what it returns, if anything, is the answer instead."""


@dataclass(frozen=True)
class Refusal:
    """How Discord refuses a direct message: at its channel, or (`at_message`) only at the message."""

    status: int
    code: int
    text: str
    at_message: bool = False

    def answer(self) -> web.Response:
        return web.json_response({"code": self.code, "message": self.text}, status=self.status)


@web.middleware
async def _plain_json(request: web.Request, handler: Callable[[web.Request], Any]) -> web.StreamResponse:
    """Check each request, and name the content type as Discord does: discord.py reads JSON under exactly that."""
    try:
        if re.match("/api/(?!clock)", request.path) and request.content_type != "multipart/form-data":
            body = await request.json() if request.can_read_body else None
            api_check.note(request.method, request.path, body)
            marks_shown.sent(body)
        response = await handler(request)
    except ConnectionResetError:  # the bot died as it wrote, and nobody reads an answer
        return web.Response(status=400)
    if response.content_type == "application/json":
        response.headers["Content-Type"] = "application/json"
    return response


def unknown(what: str, code: int) -> web.Response:
    return web.json_response({"code": code, "message": f"Unknown {what}"}, status=404)


@dataclass
class Discord:
    """What the server holds, outliving every bot process."""

    people: dict[int, Person] = field(default_factory=dict)
    """Who is on the server."""
    channels: dict[int, Json] = field(
        default_factory=lambda: {place: channel(place) for place in (LEAGUE_CHANNEL, MODERATION_CHANNEL)}
    )
    """Direct messages and threads are channels too."""
    inside: dict[int, set[int]] = field(default_factory=dict)
    """Who is in each thread."""
    messages: defaultdict[int, list[Json]] = field(default_factory=lambda: defaultdict(list))
    deleted: list[Json] = field(default_factory=list)
    pings: list[tuple[str, Json]] = field(default_factory=list)
    """Who a new message notified: a person's or role's id as it is written in a text, with the message."""
    commands: list[Json] = field(default_factory=list)
    refuses_commands: bool = False
    """Whether it takes no list of commands."""
    too_late: int | None = None
    """The code with which it refuses every answer to an interaction."""
    confirming: Callable[[web.Request], Awaitable[None]] | None = None
    """What happens before it confirms an answer that people see already."""
    answers: defaultdict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    posts: list[Json] = field(default_factory=list)
    """Every message body received, repeats too."""
    shards: int = 1
    """How many connections Discord asks for."""
    fault: Fault | None = None
    unreachable: dict[int, Refusal] = field(default_factory=dict)
    """People whose direct messages are refused: where, and with what."""
    roles: set[tuple[int, int]] = field(default_factory=set)
    """Who has a role through the bot: a person's id and the role's."""
    roles_gone: set[int] = field(default_factory=set)
    role_requests: list[tuple[str, int, int]] = field(default_factory=list)
    _nonces: dict[str, Json] = field(default_factory=dict)
    """Of every author, in whatever channel: remembered also when the message is deleted, as on Discord."""
    _next_id: int = 5000
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    """Set with the next answer to an interaction."""

    def __post_init__(self) -> None:
        self.gateway = Gateway(
            lambda: guild([each for each in self.threads if not _archived(each)]),
            lambda: [member(*person) for person in self.people.values()],
        )

    def new_id(self) -> str:
        self._next_id += 1
        return str(self._next_id)

    def app(self) -> web.Application:
        app = web.Application(middlewares=[_plain_json])
        place, one = r"/api/channels/{channel}", r"/api/channels/{channel}/messages/{message}"
        app.add_routes([
            web.get("/api/users/@me", self._me),
            web.get("/api/oauth2/applications/@me", self._application),
            web.put(r"/api/applications/{app}/commands", self._sync),
            web.put(r"/api/applications/{app}/guilds/{guild}/commands", self._sync),
            web.get(r"/api/applications/{app}/commands", self._commands),
            web.get(r"/api/guilds/{guild}/members/{person}", self._member),
            web.put(r"/api/guilds/{guild}/members/{person}/roles/{role}", self._change_role),
            web.delete(r"/api/guilds/{guild}/members/{person}/roles/{role}", self._change_role),
            web.get(place, self._channel),
            web.get(f"{place}/messages", self._history),
            web.post(f"{place}/messages", self._send),
            web.put(f"{place}/messages/pins/{{message}}", self._pin),
            web.patch(one, self._edit),
            web.delete(one, self._delete),
            web.post("/api/users/@me/channels", self._open_direct),
            web.post(r"/api/interactions/{id}/{token}/callback", self._callback),
            web.post(r"/api/webhooks/{app}/{token}", self._followup),
            web.patch(r"/api/webhooks/{app}/{token}/messages/@original", self._followup),
            web.delete(r"/api/webhooks/{app}/{token}/messages/@original", self._nothing),
            web.get("/api/gateway/bot", self._gateway),
            web.get("/gateway/", self.gateway.connect),
        ])  # fmt: skip
        return app

    async def _gateway(self, request: web.Request) -> web.Response:
        """Say where the gateway is, and with how many connections."""
        address = f"{str(request.url.origin()).replace('http', 'ws')}/gateway/"
        limit = {"total": 1000, "remaining": 999, "reset_after": 1, "max_concurrency": 1}
        return web.json_response({"url": address, "shards": self.shards, "session_start_limit": limit})

    @property
    def threads(self) -> list[Json]:
        return [each for each in self.channels.values() if "thread_metadata" in each]

    async def _me(self, _: web.Request) -> web.Response:
        return web.json_response(user(BOT, "Fairpair", bot=True))

    async def _application(self, _: web.Request) -> web.Response:
        return web.json_response({"id": str(APPLICATION), "name": "Fairpair", "description": "", "icon": None,
                                  "bot_public": True, "bot_require_code_grant": False, "verify_key": "0", "flags": 0,
                                  "owner": user(OWNER, "owner"), "summary": "", "team": None})  # fmt: skip

    async def _sync(self, request: web.Request) -> web.Response:
        given = await request.json()
        if self.refuses_commands:
            fault = {"name": {"_errors": [{"code": "STRING_TYPE_REGEX", "message": "not a name"}]}}
            errors = {str(number): fault for number in range(len(given))}
            return web.json_response({"code": 50035, "message": "Invalid Form Body", "errors": errors}, status=400)
        ours: Json = {"application_id": str(APPLICATION), "version": "1"}
        self.commands = [{"description": "", **one, "id": self.new_id(), **ours} for one in given]
        return web.json_response(self.commands)

    async def _commands(self, _: web.Request) -> web.Response:
        return web.json_response(self.commands)

    async def _member(self, request: web.Request) -> web.Response:
        found = self.people.get(int(request.match_info["person"]))
        return unknown("Member", 10007) if found is None else web.json_response(member(*found))

    async def _change_role(self, request: web.Request) -> web.StreamResponse:
        """Give or take a role; both can be done twice."""
        person, role = int(request.match_info["person"]), int(request.match_info["role"])
        if role in self.roles_gone:
            return unknown("Role", 10011)
        if person not in self.people:
            return unknown("Member", 10007)
        self.role_requests.append((request.method, person, role))

        def keep() -> None:
            (self.roles.add if request.method == "PUT" else self.roles.discard)((person, role))

        return await self.kept(request, keep)

    async def _channel(self, request: web.Request) -> web.Response:
        found = self.channels.get(int(request.match_info["channel"]))
        return unknown("Channel", 10003) if found is None else web.json_response(found)

    async def _history(self, request: web.Request) -> web.Response:
        posted = self.messages[int(request.match_info["channel"])]
        before, after = (int(request.query.get(key, 0)) for key in ("before", "after"))
        limit = int(request.query.get("limit", 50))
        chosen = [m for m in posted if (not before or int(m["id"]) < before) and int(m["id"]) > after]
        return web.json_response((chosen[:limit] if after else chosen[-limit:])[::-1])

    async def kept(self, request: web.Request, keep: Keep) -> web.StreamResponse:
        """Keep what a request asks for and answer, unless a fault comes in between."""
        answer = None if self.fault is None else await self.fault(request, keep)
        if answer is not None:
            return answer
        made = keep()
        return web.Response(status=204) if made is None else web.json_response(made)

    async def _send(self, request: web.Request) -> web.StreamResponse:
        place, body = int(request.match_info["channel"]), await _body(request)
        self.posts.append(body)
        if place not in self.channels:
            return unknown("Channel", 10003)
        refused = self.unreachable.get(place - DIRECT_PLACES)
        if refused is not None:
            return refused.answer()
        if self.channels[place].get("thread_metadata", {}).get("locked"):
            return web.json_response({"code": 160005, "message": "Thread is locked"}, status=400)
        known = self._nonces.get(body.get("nonce") or "")
        if known is not None and known not in self.messages[int(known["channel_id"])]:
            return unknown("Message", 10008)  # it was made, and deleted: Discord doesn't make it once more
        return await self.kept(request, lambda: self.store(place, body))

    def store(self, place: int, body: Json) -> Json:
        """Keep a message, dropping a repeat of a recent nonce as Discord does."""
        known = self._nonces.get(body.get("nonce") or "")
        if known is not None:
            return known
        if _archived(self.channels.get(place, {})):
            self.channels[place]["thread_metadata"]["archived"] = False  # a new message brings a thread back
        made = message(self.new_id(), place, _shown(body))
        self.messages[place].append(made)
        self.pings += [(ping, made) for ping in _pinged(body)]
        if body.get("nonce"):
            self._nonces[body["nonce"]] = made
        return made

    def write(self, place: int, kind: int, text: str, *, ident: str | None = None, about: int | None = None) -> None:
        """Write a line of Discord's own about something the bot did, perhaps with the channel it's about."""
        about_it = {} if about is None else {"message_reference": {"channel_id": str(about), "guild_id": str(GUILD)}}
        line = message(ident or self.new_id(), place, {"type": kind, "content": text, **about_it})
        self.messages[place].append(line)

    def forget_nonces(self) -> None:
        """Let the minutes pass after which Discord no longer drops a repeated nonce."""
        self._nonces.clear()

    def find(self, request: web.Request) -> Json | None:
        kept = self.messages[int(request.match_info["channel"])]
        return next((each for each in kept if each["id"] == request.match_info["message"]), None)

    def _missing(self, request: web.Request) -> web.Response:
        there = int(request.match_info["channel"]) in self.channels
        return unknown("Message", 10008) if there else unknown("Channel", 10003)

    async def _edit(self, request: web.Request) -> web.StreamResponse:
        found, body = self.find(request), await _body(request)
        if found is None:
            return self._missing(request)
        if _archived(self.channels[int(found["channel_id"])]):
            return _in_archive()
        return await self.kept(request, lambda: self._keep_edit(found, body))

    def _keep_edit(self, found: Json, body: Json) -> Json:
        """Keep what a message shows now; in a thread, those it mentions are let in."""
        mentioned = {int(person) for person in (body.get("allowed_mentions") or {}).get("users", ())}
        self.inside.get(int(found["channel_id"]), set()).update(mentioned)
        found.update(_shown(body))
        return found

    async def _delete(self, request: web.Request) -> web.StreamResponse:
        found = self.find(request)
        if found is None:
            return self._missing(request)
        if _archived(self.channels.get(int(found["channel_id"]), {})):
            return _in_archive()
        return await self.kept(request, lambda: self.drop(found))

    def drop(self, found: Json) -> None:
        self.messages[int(found["channel_id"])].remove(found)
        self.deleted.append(found)

    async def _pin(self, request: web.Request) -> web.StreamResponse:
        found = self.find(request)
        if found is None:
            return self._missing(request)
        if not found["pinned"]:
            self.write(int(found["channel_id"]), PINNED, "")
        found["pinned"] = True
        return web.Response(status=204)

    async def _open_direct(self, request: web.Request) -> web.Response:
        person = int((await request.json())["recipient_id"])
        refused = self.unreachable.get(person)
        if refused is not None and not refused.at_message:
            return refused.answer()
        place = DIRECT_PLACES + person
        made = self.channels.setdefault(place, direct(str(place), person))
        return web.json_response(made)

    async def _callback(self, request: web.Request) -> web.Response:
        body = await _body(request)
        data = body.get("data") or {}
        self._answered(request, data)
        if self.too_late is not None:
            return unknown("interaction", self.too_late)
        if self.confirming is not None:
            await self.confirming(request)
        shown = message(self.new_id(), LEAGUE_CHANNEL, _shown(data))
        interaction = {"id": request.match_info["id"], "type": 2}
        return web.json_response({"interaction": interaction, "resource": {"type": body["type"], "message": shown}})

    async def _followup(self, request: web.Request) -> web.Response:
        body = await _body(request)
        self._answered(request, body)
        return web.json_response(message(self.new_id(), LEAGUE_CHANNEL, _shown(body)))

    async def _nothing(self, _: web.Request) -> web.Response:
        return web.Response(status=204)

    def _answered(self, request: web.Request, answer: Json) -> None:
        self.answers[request.match_info["token"]].append(answer)
        self._news.set()
        self._news = asyncio.Event()

    async def answer(self, token: str, seconds: float = 10) -> list[Json]:
        """Return what the bot answered to an interaction: what people see of it, or all there is in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not (shown := [each for each in self.answers[token] if _is_shown(each)]):
                    await self._news.wait()
                return shown
        return self.answers[token]


def _is_shown(answer: Json) -> bool:
    return bool(answer.get("components")) or "choices" in answer


def _in_archive() -> web.Response:
    return web.json_response({"code": 50083, "message": "Thread is archived"}, status=400)


def _archived(place: Json) -> bool:
    return place.get("thread_metadata", {}).get("archived", False)


async def _body(request: web.Request) -> Json:
    """Return what a request says; of files, their names and sizes."""
    if request.content_type != "multipart/form-data":
        return await request.json()
    body, files, names = {}, {}, []
    async for part in await request.multipart():
        name = getattr(part, "name", None) or ""
        if name == "payload_json":
            body = json.loads(await part.text())
        elif found := re.fullmatch(r"files\[(\d+)\]", name):
            names.append(part.filename)
            files[int(found[1])] = len(await part.read())
    api_check.note(request.method, request.path, body, names)
    marks_shown.sent(body)
    for each in body.get("attachments", ()):
        each["size"] = files.get(int(each["id"]), 0)
    return body


def _shown(body: Json) -> Json:
    """Return what people see of what the bot sent."""
    shown = {key: value for key, value in body.items() if key not in ("allowed_mentions", "nonce", "enforce_nonce")}
    if "attachments" in shown:
        shown["attachments"] = [{"url": "", "proxy_url": "", "size": 0, **each} for each in shown["attachments"]]
    return shown


def _pinged(body: Json) -> list[str]:
    if body.get("flags", 0) & SILENT:
        return []
    allowed, said = body.get("allowed_mentions") or {}, text_of(body)
    people, roles = (allowed.get(kind, ()) for kind in ("users", "roles"))
    return [one for one in (*(f"<@{ident}>" for ident in people), *(f"<@&{ident}>" for ident in roles)) if one in said]
