"""Threads on the loopback Discord: made, filled, archived, found again."""

from aiohttp import web

from tests.loopback.discord_server import Discord, unknown
from tests.loopback.objects import BOT, PRIVATE_THREAD, PUBLIC_THREAD, THEN, THREAD_MADE, Json, thread


class Threads:
    """The routes of threads, beside the others of a Discord."""

    def __init__(self, discord: Discord) -> None:
        self._discord = discord
        self.members = discord.inside

    def add_to(self, app: web.Application) -> None:
        place = r"/api/channels/{channel}"
        app.add_routes([
            web.post(f"{place}/threads", self._create),
            web.get(f"{place}/threads/archived/public", self._archived_public),
            web.get(f"{place}/threads/archived/private", self._archived_private),
            web.get(f"{place}/users/@me/threads/archived/private", self._archived_private),
            web.get(r"/api/guilds/{guild}/threads/active", self._active),
            web.put(f"{place}/thread-members/{{person}}", self._add),
            web.delete(f"{place}/thread-members/{{person}}", self._remove),
            web.patch(place, self._change),
        ])  # fmt: skip

    async def _create(self, request: web.Request) -> web.StreamResponse:
        parent, body = int(request.match_info["channel"]), await request.json()
        if parent not in self._discord.channels:
            return unknown("Channel", 10003)
        made: list[Json] = []
        answer = await self._discord.kept(request, lambda: made.append(self._make(parent, body)) or made[0])
        for each in made:
            await self._discord.gateway.dispatch("THREAD_CREATE", {**each, "newly_created": True})
        return answer

    def _make(self, parent: int, body: Json) -> Json:
        line = self._discord.new_id()  # Discord doesn't say which of the two comes first
        made = thread(self._discord.new_id(), parent, body)
        ident = int(made["id"])
        self._discord.channels[ident] = made
        self.members[ident] = {BOT}
        if made["type"] == PUBLIC_THREAD:
            self._discord.write(parent, THREAD_MADE, made["name"], ident=line, about=ident)
        return made

    async def _active(self, _: web.Request) -> web.Response:
        return self._listed([each for each in self._discord.threads if not each["thread_metadata"]["archived"]])

    async def _archived_public(self, request: web.Request) -> web.Response:
        return self._old(request, PUBLIC_THREAD)

    async def _archived_private(self, request: web.Request) -> web.Response:
        return self._old(request, PRIVATE_THREAD)

    def _old(self, request: web.Request, kind: int) -> web.Response:
        inside = [each for each in self._discord.threads if each["parent_id"] == request.match_info["channel"]]
        return self._listed([each for each in inside if each["type"] == kind and each["thread_metadata"]["archived"]])

    def _listed(self, found: list[Json]) -> web.Response:
        me = [{"id": each["id"], "user_id": str(BOT), "join_timestamp": THEN, "flags": 0} for each in found]
        return web.json_response({"threads": found, "members": me, "has_more": False})

    async def _add(self, request: web.Request) -> web.Response:
        self.members[int(request.match_info["channel"])].add(int(request.match_info["person"]))
        return web.Response(status=204)

    async def _remove(self, request: web.Request) -> web.Response:
        self.members[int(request.match_info["channel"])].discard(int(request.match_info["person"]))
        return web.Response(status=204)

    async def _change(self, request: web.Request) -> web.StreamResponse:
        found, body = self._discord.channels.get(int(request.match_info["channel"])), await request.json()
        if found is None:
            return unknown("Channel", 10003)
        if found["thread_metadata"]["locked"] and body.get("archived") is False:
            return web.json_response({"code": 50013, "message": "Missing Permissions"}, status=403)
        answer = await self._discord.kept(request, lambda: self._keep_change(found, body))
        await self._discord.gateway.dispatch("THREAD_UPDATE", found)
        return answer

    def _keep_change(self, found: Json, body: Json) -> Json:
        found["thread_metadata"].update({key: body[key] for key in ("archived", "locked") if key in body})
        return found
