"""A small Discord on loopback: enough HTTP and gateway for the real bot process, with faults on demand."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

APPLICATION, BOT, GUILD = 1000, 1001, 2000
LEAGUE_CHANNEL, MODERATION_CHANNEL, OWNER = 2001, 2002, 3000
EVERYTHING = str((1 << 53) - 1)

Fault = Callable[["Discord", web.Request, dict[str, Any]], Any]


@web.middleware
async def _plain_json(request: web.Request, handler: Callable[[web.Request], Any]) -> web.StreamResponse:
    """Name the content type as Discord does: discord.py reads JSON under exactly that."""
    response = await handler(request)
    if response.content_type == "application/json":
        response.headers["Content-Type"] = "application/json"
    return response


def user(ident: int, name: str, *, bot: bool = False) -> dict[str, Any]:
    return {"id": str(ident), "username": name, "discriminator": "0", "global_name": name, "avatar": None, "bot": bot}


def member(ident: int, name: str) -> dict[str, Any]:
    return {"user": user(ident, name), "roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "deaf": False,
            "mute": False, "flags": 0, "permissions": EVERYTHING, "nick": None}  # fmt: skip


def channel(ident: int) -> dict[str, Any]:
    return {
        "id": str(ident), "type": 0, "name": f"channel-{ident}", "position": 0, "permission_overwrites": [],
        "nsfw": False, "parent_id": None, "rate_limit_per_user": 0, "topic": None, "flags": 0, "guild_id": str(GUILD),
    }  # fmt: skip


@dataclass
class Discord:
    """What the server holds, outliving every bot process."""

    messages: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    commands: list[dict[str, Any]] = field(default_factory=list)
    answers: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    posts: list[dict[str, Any]] = field(default_factory=list)
    """Every message body received, repeats too."""
    fault: Fault | None = None
    """Asked once for each message the bot sends; what it returns, if anything, is the response instead."""
    sockets: list[web.WebSocketResponse] = field(default_factory=list)
    resumed: int = 0
    identified: asyncio.Event = field(default_factory=asyncio.Event)
    _sequence: int = 0
    _next_id: int = 5000

    def new_id(self) -> str:
        self._next_id += 1
        return str(self._next_id)

    def app(self) -> web.Application:
        app = web.Application(middlewares=[_plain_json])
        app.add_routes([
            web.get("/api/users/@me", self._me),
            web.get("/api/oauth2/applications/@me", self._application),
            web.put(r"/api/applications/{app}/commands", self._sync),
            web.put(r"/api/applications/{app}/guilds/{guild}/commands", self._sync),
            web.get(r"/api/applications/{app}/commands", self._commands),
            web.get(r"/api/channels/{channel}/messages", self._history),
            web.post(r"/api/channels/{channel}/messages", self._send),
            web.patch(r"/api/channels/{channel}/messages/{message}", self._edit),
            web.post(r"/api/interactions/{id}/{token}/callback", self._callback),
            web.post(r"/api/webhooks/{app}/{token}", self._followup),
            web.patch(r"/api/webhooks/{app}/{token}/messages/@original", self._followup),
            web.get("/gateway/", self._gateway),
        ])  # fmt: skip
        return app

    async def _me(self, _: web.Request) -> web.Response:
        return web.json_response(user(BOT, "Fairpair", bot=True))

    async def _application(self, _: web.Request) -> web.Response:
        return web.json_response({"id": str(APPLICATION), "name": "Fairpair", "description": "", "icon": None,
                                  "bot_public": True, "bot_require_code_grant": False, "verify_key": "0", "flags": 0,
                                  "owner": user(OWNER, "owner"), "summary": "", "team": None})  # fmt: skip

    async def _sync(self, request: web.Request) -> web.Response:
        given = await request.json()
        self.commands = [{**c, "id": self.new_id(), "application_id": str(APPLICATION), "version": "1"} for c in given]
        return web.json_response(self.commands)

    async def _commands(self, _: web.Request) -> web.Response:
        return web.json_response(self.commands)

    async def _history(self, request: web.Request) -> web.Response:
        posted = self.messages.get(int(request.match_info["channel"]), [])
        before, after = (int(request.query.get(key, 0)) for key in ("before", "after"))
        chosen = [m for m in posted if (not before or int(m["id"]) < before) and int(m["id"]) > after]
        return web.json_response(chosen[::-1][: int(request.query.get("limit", 50))])

    async def _body(self, request: web.Request) -> dict[str, Any]:
        if request.content_type == "multipart/form-data":
            async for part in await request.multipart():
                if getattr(part, "name", None) == "payload_json":
                    return json.loads(await part.text())  # pyright: ignore[reportAttributeAccessIssue]
        return await request.json()

    async def _send(self, request: web.Request) -> web.StreamResponse:
        channel, body = int(request.match_info["channel"]), await self._body(request)
        self.posts.append(body)
        fault, self.fault = self.fault, None
        if fault is not None:
            answer = await fault(self, request, body)
            if answer is not None:
                return answer
        return web.json_response(self.store(channel, body))

    def store(self, channel: int, body: dict[str, Any]) -> dict[str, Any]:
        """Keep a message, dropping a repeat of a recent nonce as Discord does."""
        kept = self.messages.setdefault(channel, [])
        for message in kept:
            if body.get("nonce") and message.get("nonce") == body["nonce"]:
                return message
        message = {"id": self.new_id(), "channel_id": str(channel), "author": user(BOT, "Fairpair", bot=True),
                   "timestamp": "2026-12-01T00:00:00+00:00", "edited_timestamp": None, "tts": False, "pinned": False,
                   "mention_everyone": False, "mentions": [], "mention_roles": [], "attachments": [], "type": 0,
                   "flags": 0, "embeds": [], "components": [], "content": "", **body}  # fmt: skip
        kept.append(message)
        return message

    def forget_nonces(self) -> None:
        """Let the minutes pass after which Discord no longer drops a repeated nonce."""
        for kept in self.messages.values():
            for message in kept:
                message.pop("nonce", None)

    async def _edit(self, request: web.Request) -> web.Response:
        kept = self.messages.get(int(request.match_info["channel"]), [])
        for message in kept:
            if message["id"] == request.match_info["message"]:
                message.update(await self._body(request))
                return web.json_response(message)
        return web.json_response({"code": 10008, "message": "Unknown Message"}, status=404)

    async def _callback(self, request: web.Request) -> web.Response:
        body = await self._body(request)
        self.answers.setdefault(request.match_info["token"], []).append(body.get("data") or {})
        interaction = {"id": request.match_info["id"], "type": 2}
        message = self.store(0, {**(body.get("data") or {}), "flags": 0})
        return web.json_response({"interaction": interaction, "resource": {"type": body["type"], "message": message}})

    async def _followup(self, request: web.Request) -> web.Response:
        body = await self._body(request)
        self.answers.setdefault(request.match_info["token"], []).append(body)
        return web.json_response(self.store(0, {**body, "flags": 0}))

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41250}})
        self.sockets.append(socket)
        async for received in socket:
            if received.type is WSMsgType.TEXT:
                await self._on_gateway(socket, received.json(), str(request.url.origin()))
        self.sockets.remove(socket)
        return socket

    async def _on_gateway(self, socket: web.WebSocketResponse, message: dict[str, Any], origin: str) -> None:
        match message["op"]:
            case 1:
                await socket.send_json({"op": 11})
            case 2:
                await self._welcome(socket, origin.replace("http", "ws") + "/gateway/")
            case 6:
                self.resumed += 1
                await self.dispatch("RESUMED", {}, socket)
                self.identified.set()

    async def _welcome(self, socket: web.WebSocketResponse, url: str) -> None:
        ready = {"v": 10, "user": user(BOT, "Fairpair", bot=True), "guilds": [{"id": str(GUILD), "unavailable": True}],
                 "session_id": "s", "resume_gateway_url": url, "application": {"id": str(APPLICATION), "flags": 0},
                 "private_channels": [], "relationships": [], "shard": [0, 1]}  # fmt: skip
        await self.dispatch("READY", ready, socket)
        await self.dispatch("GUILD_CREATE", self._guild(), socket)
        self.identified.set()

    def _guild(self) -> dict[str, Any]:
        everyone = {"id": str(GUILD), "name": "@everyone", "color": 0, "hoist": False, "position": 0, "managed": False,
                    "permissions": EVERYTHING, "mentionable": False, "flags": 0,
                    "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None}}  # fmt: skip
        channels = [channel(LEAGUE_CHANNEL), channel(MODERATION_CHANNEL)]
        me = {**member(BOT, "Fairpair"), "user": user(BOT, "Fairpair", bot=True)}
        return {"id": str(GUILD), "name": "Guild", "owner_id": str(OWNER), "roles": [everyone], "channels": channels,
                "members": [me], "member_count": 1, "large": False, "unavailable": False, "threads": [], "emojis": [],
                "stickers": [], "features": [], "verification_level": 0, "default_message_notifications": 0,
                "explicit_content_filter": 0, "mfa_level": 0, "premium_tier": 0, "system_channel_flags": 0,
                "preferred_locale": "en-US", "nsfw_level": 0, "premium_progress_bar_enabled": False, "icon": None,
                "splash": None, "banner": None, "description": None, "afk_channel_id": None, "afk_timeout": 300,
                "voice_states": [], "presences": [], "stage_instances": [], "guild_scheduled_events": [],
                "soundboard_sounds": [], "joined_at": "2026-01-01T00:00:00+00:00"}  # fmt: skip

    async def dispatch(self, event: str, data: dict[str, Any], socket: web.WebSocketResponse | None = None) -> None:
        self._sequence += 1
        for target in [socket] if socket is not None else list(self.sockets):
            await target.send_json({"op": 0, "t": event, "s": self._sequence, "d": data})

    async def cut(self) -> None:
        """Cut every gateway connection, as a network fault does."""
        self.identified.clear()
        for socket in list(self.sockets):
            await socket.close(code=4000)

    async def slash(self, who: tuple[int, str], command: str, /, **options: Any) -> list[dict[str, Any]]:
        """Send a slash command (`group sub` for a subcommand) and return what the bot answered."""
        given = [{"name": key, "type": _option_type(key, value), "value": value} for key, value in options.items()]
        top, *rest = command.split()
        shown = {key: channel(int(value)) for key, value in options.items() if key == "channel"}
        data = {
            "id": next((c["id"] for c in self.commands if c["name"] == top), "1"),
            "name": top,
            "type": 1,
            "options": [{"name": rest[0], "type": 1, "options": given}] if rest else given,
            "resolved": {"channels": {each["id"]: {**each, "permissions": EVERYTHING} for each in shown.values()}},
        }
        return await self._interact(who, 2, data)

    async def click(self, who: tuple[int, str], message: dict[str, Any], custom_id: str) -> list[dict[str, Any]]:
        """Press a button of a message and return what the bot answered."""
        return await self._interact(who, 3, {"custom_id": custom_id, "component_type": 2}, message=message)

    async def _interact(
        self, who: tuple[int, str], kind: int, data: dict[str, Any], **more: Any
    ) -> list[dict[str, Any]]:
        token = f"token-{self.new_id()}"
        event = {"id": self.new_id(), "application_id": str(APPLICATION), "type": kind, "token": token, "version": 1,
                 "guild_id": str(GUILD), "channel_id": str(LEAGUE_CHANNEL), "member": member(*who), "locale": "en-US",
                 "channel": {"id": str(LEAGUE_CHANNEL), "type": 0, "name": "league", "position": 0, "nsfw": False,
                             "permission_overwrites": [], "guild_id": str(GUILD), "permissions": EVERYTHING},
                 "guild": {"id": str(GUILD), "locale": "en-US", "features": []}, "entitlements": [],
                 "authorizing_integration_owners": {}, "context": 0, "app_permissions": EVERYTHING,
                 "attachment_size_limit": 10485760, "data": data, **more}  # fmt: skip
        await self.dispatch("INTERACTION_CREATE", event)
        for _ in range(200):
            said = [answer for answer in self.answers.get(token, []) if answer.get("components")]
            if said:
                return said
            await asyncio.sleep(0.05)
        return self.answers.get(token, [])


def _option_type(key: str, value: object) -> int:
    if key == "channel":
        return 7
    if isinstance(value, bool):
        return 5
    return 4 if isinstance(value, int) else 3
