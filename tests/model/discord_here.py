"""The Discord of a walk: the loopback Discord without a network, and what goes wrong with it by the seed."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from aiohttp import web

from bot.services.base.permissions import Actor
from tests import marks_shown
from tests.loopback import objects
from tests.loopback.discord_server import DIRECT_PLACES, Discord, Keep, Refusal, unknown
from tests.loopback.faults import FAULTS, makes_twice
from tests.loopback.in_process import Handler, InProcess
from tests.loopback.objects import ORDINARY, Json, mark_of
from tests.model.walk import CHAMPION_ROLE, ITS_CHANNELS, PARTICIPANT_ROLE, PLAYERS
from tests.services.conftest import CHANNEL, GUILD, MODERATION, MODERATOR_ROLE, ORGANISER_ROLE

CHANNELS = (CHANNEL, MODERATION, 77, 99, *ITS_CHANNELS)
"""The channels of the league, and of those that are set up beside it."""
ROLES = (MODERATOR_ROLE, ORGANISER_ROLE, PARTICIPANT_ROLE, CHAMPION_ROLE)
CLOSED = (
    Refusal(403, 50007, "Cannot send messages to this user"),
    Refusal(403, 50007, "Cannot send messages to this user", at_message=True),
    Refusal(400, 50033, "Invalid Recipient(s)"),
    Refusal(403, 50278, "No mutual guilds"),
)
STILL_SENT = 0.5
"""How often a message that a dying bot sends comes in all the same, perhaps only when the next bot sends it again."""
FAULTS_SEEN: Counter[str] = Counter()
"""How often each of them happened, in all lives of this process."""


class _Events:
    """The gateway, without a network: an event is there at once."""

    def __init__(self) -> None:
        self.client: Any = None

    async def dispatch(self, event: str, data: Json) -> None:
        marks_shown.typed(data)
        if self.client is not None and not self.client.dead:
            self.client._connection.parsers[event](json.loads(_as_here(json.dumps(data))))


class _Server(Discord):
    """The loopback Discord, which tells of each new message."""

    told: Callable[[Json], None] = staticmethod(lambda message: None)

    def store(self, place: int, body: Json) -> Json:
        known = len(self.messages[place])
        made = super().store(place, body)
        if len(self.messages[place]) > known:
            self.told(made)
        return made


class DiscordHere(InProcess):
    """What the server of a walk holds; it outlives every life of the bot.

    `chance` decides what goes wrong at which request, `how_often` how much of it does.
    """

    def __init__(self, chance: Random) -> None:
        super().__init__(_Server())
        self.server.channels = {place: objects.channel(place) for place in CHANNELS}
        self.events = _Events()
        self.chance, self.how_often = chance, 0.0
        self.server.people = {who.user_id or 0: (who.user_id or 0, who.name) for who in PLAYERS}
        self.server.fault = self._fault
        self.closed: set[int] = set()
        """Channels the bot may not write in."""
        self.above: set[int] = set()
        """Roles that stand above the bot's own."""
        self.deleted: set[int] = set()
        """Posts whose message someone deleted."""
        self.note: Callable[..., None] = lambda *said: None
        self.step: Callable[[str], None] = lambda name: None
        self.is_owed: Callable[[int], bool] = lambda mark: False
        """Whether the post of a mark is still to be sent."""
        self.on_its_way: list[tuple[str, Json]] = []
        """Messages that a bot had sent off when it died: the path and what it said. They come in later."""
        self.server.gateway = self.events  # type: ignore[assignment]

    def guild(self) -> Json:
        """Return the server as the gateway shows it."""
        there = objects.guild([each for each in self.server.threads if not each["thread_metadata"]["archived"]])
        there["channels"] = [each for each in self.server.channels.values() if each["type"] == objects.TEXT]
        there["roles"] += [objects.role(role, str(role), ORDINARY) for role in ROLES]
        return json.loads(_as_here(json.dumps(there)))

    async def answer(self, method: str, path: str, query: str, body: Any) -> web.Response:
        """Answer what the bot asks, unless it dies before or after."""
        marks_shown.sent(body)
        sends = method == "POST" and path.endswith("/messages")
        if method != "GET":
            self._begin(method, path, body if sends else None)
        elif path.endswith("/messages"):
            await self.let_arrive(lambda mark: not self.is_owed(mark))  # it comes in before it is looked for
        if sends:
            await self.let_arrive(lambda mark: mark == mark_of(body))
        answer = await super().answer(method, path, query, body)
        if answer.text is not None:
            answer.text = _as_here(answer.text)
        return answer

    def _begin(self, method: str, path: str, sent: Json | None) -> None:
        """Go on unless the bot dies here; the message it sends may be on its way then."""
        lived = self.events.client is not None and not self.events.client.dead
        try:
            self.step(f"before {method}")
        except asyncio.CancelledError:
            if sent is not None and lived and self.chance.random() < STILL_SENT:
                self.on_its_way.append((path, sent))
            raise

    async def let_arrive(self, which: Callable[[int | None], bool] = lambda mark: True) -> None:
        """Let messages come in that a bot sent off before it died."""
        coming = [one for one in self.on_its_way if which(mark_of(one[1]))]
        for one in coming:
            self.on_its_way.remove(one)
            path, body = one
            how_often, self.how_often = self.how_often, 0.0
            self.step, step = lambda name: None, self.step
            try:
                await super().answer("POST", path, "", body)
            finally:
                self.how_often, self.step = how_often, step

    async def handle(self, asked: Any, handler: Handler) -> web.Response:
        """Let a route answer, and the bot perhaps die once something has changed."""
        answer = self._refused(asked) or await handler(asked)
        if asked.method != "GET":
            self.note(f"{asked.method} {asked.path} {answer.status}", asked.body)
            self.step(f"after {asked.method}")
        return answer

    def _refused(self, asked: Any) -> web.Response | None:
        """Refuse what is written in a channel that is gone or closed, and roles above the bot's own."""
        if int(asked.match_info.get("role", 0)) in self.above:
            return web.json_response({"code": 50013, "message": "Missing Permissions"}, status=403)
        place = asked.match_info.get("channel")
        if place is None:
            return None
        if int(place) not in self.server.channels:
            return unknown("Channel", 10003)
        if int(place) not in self.closed or asked.method == "GET":
            return None
        return web.json_response({"code": 50001, "message": "Missing Access"}, status=403)

    async def _fault(self, request: Any, keep: Keep) -> web.Response | None:
        if self.chance.random() >= self.how_often:
            return None
        fault = self.chance.choice(FAULTS)
        if makes_twice(fault, request):
            return None
        FAULTS_SEEN[fault.__name__] += 1
        if self.chance.random() < 0.2:
            await asyncio.sleep(self.chance.choice((1, 70)))
        self.note(f"goes wrong: {fault.__name__}")
        return await fault(request, keep)

    # -- what people do there --

    def close_direct(self, person: int) -> None:
        """Let a person take no direct messages any more, or again."""
        if self.server.unreachable.pop(person, None) is None:
            self.server.unreachable[person] = self.chance.choice(CLOSED)

    def close_channel(self, place: int) -> None:
        """Take the right to write in a channel from the bot."""
        self.closed.add(place)

    def recover(self) -> None:
        """Let everything be well again."""
        self.closed.clear()
        self.above.clear()
        for each in self.server.threads:
            each["thread_metadata"]["locked"] = False
        self.how_often = 0.0

    def mine(self) -> list[Json]:
        """Return every message of the bot that stands, with its mark."""
        return [each for place in self.server.messages.values() for each in place if mark_of(each) is not None]

    def delete_one(self) -> int | None:
        """Let a moderator delete a message in a channel or thread; returns its mark."""
        there = [each for each in self.mine() if self.person(each) is None]
        if not there:
            return None
        gone = self.chance.choice(there)
        self.server.drop(gone)
        return mark_of(gone)

    async def delete_thread(self, thread: int, *, heard: bool) -> None:
        """Let a moderator delete a thread; the bot may hear of it."""
        gone = self.server.channels.pop(thread, None)
        self.server.messages.pop(thread, None)
        if gone is not None and heard:
            await self.events.dispatch("THREAD_DELETE", gone)

    def lock_thread(self, thread: int) -> None:
        """Let a moderator archive and lock a thread."""
        if thread in self.server.channels:
            self.server.channels[thread]["thread_metadata"].update(archived=True, locked=True)

    def come_or_go(self, who: Actor) -> None:
        """Let someone leave the server, who then has no role there, or come back."""
        account = who.user_id or 0
        if self.server.people.pop(account, None) is None:
            self.server.people[account] = (account, who.name)
        self.server.roles -= {(person, role) for person, role in self.server.roles if person == account}

    def doubled(self) -> list[int]:
        """Return the marks of posts that stand more than once."""
        times = Counter(mark_of(each) for each in self.mine())
        return [mark for mark, count in times.items() if mark is not None and count > 1]

    def person(self, message: Json) -> int | None:
        """Return whose direct messages a message is in, if any."""
        place = int(message["channel_id"])
        return place - DIRECT_PLACES if self.server.channels.get(place, {}).get("type") == objects.DIRECT else None


def _as_here(text: str) -> str:
    """Return JSON of the loopback Discord with the walk's server in it."""
    return text.replace(f'"{objects.GUILD}"', f'"{GUILD}"')
