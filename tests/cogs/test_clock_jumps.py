"""A computer's clock that is set back or forward: the bot's own clock goes on at its pace."""

import asyncio
import datetime
from types import ModuleType
from typing import Any

import discord
import pytest
from discord.ext import tasks

from cogs import clock

AHEAD = [datetime.timedelta()]


class Wall(datetime.datetime):
    @classmethod
    def now(cls, tz: Any = None) -> datetime.datetime:
        return datetime.datetime.now(tz) + AHEAD[0]


class Computer(ModuleType):
    datetime = Wall

    def __getattr__(self, name: str) -> Any:
        return getattr(datetime, name)


class Bot:
    database = None

    def __init__(self) -> None:
        self.ticks = 0

    def now(self) -> datetime.datetime:
        return datetime.datetime.now(datetime.UTC)

    def announce(self) -> None:
        self.ticks += 1


@pytest.mark.parametrize("jump", [datetime.timedelta(days=-3), datetime.timedelta(hours=25)], ids=["back", "forward"])
async def test_the_clock_goes_on_at_its_pace_when_the_computers_clock_is_set(
    jump: datetime.timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (discord.utils, tasks):
        monkeypatch.setattr(module, "datetime", Computer("datetime"))
    AHEAD[0] = datetime.timedelta()
    bot = Bot()
    cog = clock.Clock(bot)
    cog.tick.change_interval(seconds=0.2)
    await cog.start()
    await asyncio.sleep(0.1)
    AHEAD[0] = jump
    before = bot.ticks
    await asyncio.sleep(1.1)
    await cog.cog_unload()
    assert 3 <= bot.ticks - before <= 10
