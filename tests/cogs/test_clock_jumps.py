"""A computer's clock that is set back or forward: the bot's own clock goes on at its pace."""

import asyncio
import datetime
from types import ModuleType
from typing import Any

import discord
import pytest
from discord.ext import tasks

from cogs import clock

SECOND = datetime.timedelta(seconds=1)
PACE = clock.SECONDS * SECOND


class Wall(datetime.datetime):
    """The computer's clock, as the test sets it."""

    moment = datetime.datetime(2026, 11, 21, 12, tzinfo=datetime.UTC)

    @classmethod
    def now(cls, tz: Any = None) -> datetime.datetime:
        return cls.moment


class Computer(ModuleType):
    datetime = Wall

    def __getattr__(self, name: str) -> Any:
        return getattr(datetime, name)


class Sleep:
    """discord.py's sleep, which counts by the computer's clock only when it begins; the test ends it."""

    begun: "asyncio.Queue[Sleep]"

    def __init__(self, dt: datetime.datetime, *, loop: asyncio.AbstractEventLoop) -> None:
        self.length = max(dt - Wall.moment, 0 * SECOND)
        self.future: asyncio.Future[None] = loop.create_future()
        self.begun.put_nowait(self)

    def wait(self) -> asyncio.Future[None]:
        return self.future

    def done(self) -> bool:
        return self.future.done()

    def cancel(self) -> None:
        self.future.cancel()


class Bot:
    database = None

    def __init__(self) -> None:
        self.ticks = 0

    def now(self) -> datetime.datetime:
        return Wall.moment

    def announce(self) -> None:
        self.ticks += 1


async def pass_one(jump: datetime.timedelta = 0 * SECOND) -> datetime.timedelta:
    """Let the loop sleep once, while the computer's clock jumps, and return how long it slept."""
    asleep = await Sleep.begun.get()
    while asleep.done():  # of a loop that was begun again
        asleep = await Sleep.begun.get()
    Wall.moment += asleep.length + jump
    asleep.future.set_result(None)
    return asleep.length


@pytest.mark.parametrize("jump", [datetime.timedelta(days=-3), datetime.timedelta(hours=25)], ids=["back", "forward"])
async def test_the_clock_goes_on_at_its_pace_when_the_computers_clock_is_set(
    jump: datetime.timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (discord.utils, tasks):
        monkeypatch.setattr(module, "datetime", Computer("datetime"))
    monkeypatch.setattr(tasks, "SleepHandle", Sleep)
    Sleep.begun = asyncio.Queue()
    bot = Bot()
    cog = clock.Clock(bot)
    await cog.start()
    assert [await pass_one() for _ in range(3)] == [PACE] * 3
    before = bot.ticks
    slept = [await pass_one(jump), *[await pass_one() for _ in range(6)]]
    await cog.cog_unload()
    assert max(slept) <= 2 * PACE
    assert sum(slept, 0 * SECOND) >= 5 * PACE
    assert bot.ticks - before >= 6
