"""What a season costs its channel and its people: `python -m tests.season_of_sixteen` plays one and prints a table.

Sixteen players, two disputes, one silent opponent, one drop, one late entry. Messages, mentions and edits are those
Discord got; the stall is the longest time the event loop kept something waiting.
"""

import asyncio
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.league.season.phases import MatchState, SeasonPhase
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.matches.views import MatchView, RoundView
from bot.services.reads import overview
from storage.database import Database
from tests.cogs.conftest import World, labels, open_world, text_of
from tests.looked_up import posted_round
from tests.story import OnServer

PLAYERS = 16
WATCH_SECONDS = 0.005


class Counted:
    """What Discord got: each message with its channel and the people it notified, edits, deletions."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.sent: Counter[int] = Counter()
        self.deleted: Counter[int] = Counter()
        self.edits: Counter[int] = Counter()
        self.notified: Counter[str] = Counter()
        self.why: Counter[str] = Counter()
        self._send, self._edit = discord.abc.Messageable.send, discord.PartialMessage.edit
        self._delete = discord.PartialMessage.delete
        counted = self

        async def send(channel: Any, *given: Any, **named: Any) -> Any:
            message = await counted._send(channel, *given, **named)
            counted._note(message)
            return message

        async def edit(message: Any, **named: Any) -> Any:
            counted.edits[message.channel.id] += 1
            return await counted._edit(message, **named)

        async def delete(message: Any, **named: Any) -> Any:
            counted.deleted[message.channel.id] += 1
            await counted._delete(message, **named)

        discord.abc.Messageable.send, discord.PartialMessage.edit = send, edit  # type: ignore[method-assign]
        discord.PartialMessage.delete = delete  # type: ignore[method-assign]

    def _note(self, message: discord.Message) -> None:
        stored = self._world.env.backend.get_message(message.channel.id, message.id)
        self.sent[message.channel.id] += 1
        words = next((line.strip("#* ") for line in _lines(message) if line and not line.startswith("<@")), "")
        for user_id in stored.ping_user_ids:
            self.notified[self._world.env.backend.users[user_id].global_name or "?"] += 1
            self.why[" ".join(words.split()[:4])] += 1
        for role_id in stored.ping_role_ids:
            self.notified[f"role {role_id}"] += 1

    def stop(self) -> None:
        discord.abc.Messageable.send, discord.PartialMessage.edit = self._send, self._edit  # type: ignore[method-assign]
        discord.PartialMessage.delete = self._delete  # type: ignore[method-assign]


def _lines(message: discord.Message) -> list[str]:
    from tests.cogs.conftest import message_text

    return message_text(message).splitlines()


class Stalls:
    """A thread that asks the event loop for a sign of life, and keeps the longest wait, in seconds."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._loop, self._over = asyncio.get_running_loop(), threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._over.wait(WATCH_SECONDS):
            asked, alive = time.perf_counter(), threading.Event()
            self._loop.call_soon_threadsafe(alive.set)
            alive.wait()
            self.longest = max(self.longest, time.perf_counter() - asked)

    def stop(self) -> float:
        self._over.set()
        return self.longest


async def press(who: MemberActor, answer: InteractionResult, *wanted: str) -> InteractionResult:
    """Press the first of these buttons an answer has; without any, return the answer."""
    for label in wanted:
        if answer.response is not None and label in labels(answer.response):
            return await who.click(answer.response, label=label)
    return answer


class Season:
    """A season played by commands alone, so that every version can be measured alike."""

    def __init__(self, world: World) -> None:
        self.world, self.story = world, OnServer(world.organiser, world.channel)
        self.people = [*world.players, *(world.member(f"Player {number}") for number in range(9, PLAYERS + 1))]
        self.late = world.member("Latecomer")
        self.results = 0

    @property
    def db(self) -> Database:
        return self.world.env.bot.database

    async def play(self) -> None:
        world = self.world
        await world.league()
        await self.story.open(salt="off", cut="4")  # the same pairs each time
        await self.story.sign_up(*self.people)
        await world.jump(minutes=5)
        await self.story.start()
        while (
            view := await self.db.read(overview.status, Order(actor=BOT, now=self.world.now(), league_id=1))
        ).season.phase is not SeasonPhase.FINISHED:
            assert view.current_round is not None
            await self._round(view.current_round)

    async def _round(self, view: RoundView) -> None:
        first = view.round.number == 1
        if view.round.number == 2:
            await self._come_and_go(view)
        for place, match in enumerate(view.matches, start=1):
            await self.world.jump(hours=1)
            if view.round.number <= 2 and place == 2:
                await self._dispute(match)
            elif first and place == 1:
                await self._report(match, "won")
                await self.world.jump(hours=13)
                await self.world.jump(hours=13)
            else:
                await self._settle(match, place)
        still = await self.db.read(posted_round, Order(actor=BOT, now=self.world.now(), league_id=1))
        if still.round.id == view.round.id:
            for match in still.missing:
                await self._settle(match, 1)

    async def _settle(self, match: MatchView, place: int) -> None:
        now = await self.db.read(posted_round, Order(actor=BOT, now=self.world.now(), league_id=1))
        state = next((one.match.state for one in now.matches if one.match.id == match.match.id), None)
        if state is not MatchState.OPEN:
            return
        if place % 2:
            await self._report(match, "lost", lower=True)
        else:
            await self._report(match, "won")
            await self.story.confirm(self._who(match.lower.discord_id))

    async def _report(self, match: MatchView, result: str, *, lower: bool = False) -> None:
        side = match.lower if lower else match.upper
        answer = await self.story.report(self._who(side.discord_id), result, match=match.code)
        assert "Got it" in text_of(answer), text_of(answer)
        self.results += 1

    async def _dispute(self, match: MatchView) -> None:
        world = self.world
        await self._report(match, "won")
        await self._who(match.lower.discord_id).slash(world.channel, "dispute", reason="It isn't.", match=match.code)
        decided: dict[str, Any] = {"outcome": match.upper.name, "reason": "The log says so."}
        asked = await world.moderator.slash(world.channel, "result set", match=match.code, **decided)
        await press(world.moderator, asked, "Yes, set it", "Set this result", "Set the result", "Apply")

    async def _come_and_go(self, view: RoundView) -> None:
        asked = await self.late.slash(self.world.channel, "signup")
        await press(self.late, asked, "Join anyway")
        leaver = self._who(view.matches[-1].upper.discord_id)
        asked = await leaver.slash(self.world.channel, "drop")
        await press(leaver, asked, "Drop out")

    def _who(self, discord_id: int | None) -> MemberActor:
        return next(one for one in (*self.people, self.late) if one.id == discord_id)


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with open_world(Path(folder)) as world:
            counted, stalls, season = Counted(world), Stalls(), Season(world)
            await season.play()
            await world.jump(minutes=5)
            stall, left = stalls.stop(), len(world.channel.history())
            counted.stop()
            league = world.channel.id
            print(f"results reported                      {season.results}")
            print(f"messages sent to the league's channel {counted.sent[league]}")
            print(f"messages left in it                   {left}")
            print(f"messages to the moderators' channel   {counted.sent[world.back_room.id]}")
            print(f"edits in the league's channel         {counted.edits[league]}")
            print(f"edits a result                        {sum(counted.edits.values()) / season.results:.1f}")
            print(f"longest stall of the event loop       {1000 * stall:.0f} ms")
            print(f"mentions of players                   {sum(counted.notified.values())}")
            for name, times in sorted(counted.notified.items(), key=lambda item: -item[1]):
                print(f"  {name:20} {times}")
            print("mentions by the first words of the message")
            for words, times in counted.why.most_common():
                print(f"  {words:40} {times}")


if __name__ == "__main__":
    asyncio.run(main())
