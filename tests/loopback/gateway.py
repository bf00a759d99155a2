"""The gateway of the loopback Discord: says hello, sends events, can be cut."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from aiohttp import WSMsgType, web

from tests import marks_shown
from tests.loopback.objects import APPLICATION, BOT, GUILD, Json, user


class Gateway:
    """The connections of the bot; `guild` is the server as it looks when the bot connects, `members` who is on it."""

    def __init__(self, guild: Callable[[], Json], members: Callable[[], Iterable[Json]]) -> None:
        self._guild, self._members = guild, members
        self._sockets: list[web.WebSocketResponse] = []
        self.sequence = 0
        self.resumed = 0
        self.ready: Json = {}
        """What differs in the greetings from what Discord sends."""
        self.first: list[tuple[str, Json]] = []
        """Events sent between the greeting and the server."""
        self.identified = asyncio.Event()
        """Set once the bot has connected."""

    def expect(self) -> None:
        """Wait for a bot that connects from now on: one that died just before may still be welcomed, late."""
        self.identified = asyncio.Event()

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        socket, identified = web.WebSocketResponse(), self.identified
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41250}})
        self._sockets.append(socket)
        async for received in socket:
            if received.type is WSMsgType.TEXT:
                await self._on_message(socket, received.json(), str(request.url.origin()), identified)
        self._sockets.remove(socket)
        return socket

    async def _on_message(
        self, socket: web.WebSocketResponse, message: Json, origin: str, identified: asyncio.Event
    ) -> None:
        match message["op"]:
            case 1:
                await socket.send_json({"op": 11})
            case 2:
                shard = message.get("d", {}).get("shard", [0, 1])
                await self._welcome(socket, origin.replace("http", "ws") + "/gateway/", shard)
                identified.set()
            case 6:
                self.resumed += 1
                await self._send(socket, "RESUMED", {})
                identified.set()
            case 8:
                await self._send(socket, "GUILD_MEMBERS_CHUNK", self._chunk(message["d"]))
            case _:
                pass

    async def _welcome(self, socket: web.WebSocketResponse, url: str, shard: list[int]) -> None:
        """Greet one of the bot's connections, and send the server to the one it belongs to."""
        number, count = shard
        servers = [{"id": str(GUILD), "unavailable": True}] if GUILD // 2**22 % count == number else []
        ready = {"v": 10, "user": user(BOT, "Fairpair", bot=True), "guilds": servers,
                 "session_id": "s", "resume_gateway_url": url, "application": {"id": str(APPLICATION), "flags": 0},
                 "private_channels": [], "relationships": [], "shard": shard,
                 **self.ready}  # fmt: skip
        await self._send(socket, "READY", ready)
        for event, data in self.first:
            await self._send(socket, event, data)
        if servers:
            await self._send(socket, "GUILD_CREATE", self._guild())

    def _chunk(self, asked: Json) -> Json:
        """Return the members someone asked for, by their ids or the beginning of a name, at most so many."""
        wanted = [str(ident) for ident in asked.get("user_ids", ())]
        there = {each["user"]["id"]: each for each in self._members()}
        if wanted:
            found = [there[ident] for ident in wanted if ident in there]
        else:
            begin = asked["query"].casefold()
            found = [each for each in there.values() if each["user"]["username"].casefold().startswith(begin)]
        most = asked["limit"] or len(found)
        missing = [ident for ident in wanted if ident not in there]
        return {"guild_id": asked["guild_id"], "members": found[:most], "chunk_index": 0, "chunk_count": 1,
                "not_found": missing, **({"nonce": asked["nonce"]} if "nonce" in asked else {})}  # fmt: skip

    async def _send(self, socket: web.WebSocketResponse, event: str, data: Any) -> None:
        self.sequence += 1
        await socket.send_json({"op": 0, "t": event, "s": self.sequence, "d": data})

    async def dispatch(self, event: str, data: Json) -> None:
        """Send an event to every connection; one that was cut meanwhile misses it, as on Discord."""
        marks_shown.typed(data)
        for socket in [socket for socket in self._sockets if not socket.closed]:
            try:
                await self._send(socket, event, data)
            except ConnectionError:
                continue

    async def cut(self, code: int = 4000) -> None:
        """Close every connection, as a network fault does, or as Discord does for what a code means."""
        self.identified.clear()
        for socket in list(self._sockets):
            await socket.close(code=code)
