"""A computer's clock that is set back or forward: the bot's own clock goes on at its pace."""

import asyncio
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from cogs.runtime import clock

TURNS = 6
BERLIN = ZoneInfo("Europe/Berlin")


class Bot:
    """The least the clock needs: a database that is never read here, a clock to set, and a rest that ends at once."""

    database = None

    def __init__(self, moment: datetime) -> None:
        self.moment = moment
        self.ticks: list[datetime] = []
        self.rests: list[float] = []

    def now(self) -> datetime:
        return self.moment

    def announce(self) -> None:
        self.ticks.append(self.moment)

    async def sleep(self, seconds: float) -> None:
        self.rests.append(seconds)
        self.moment += timedelta(seconds=seconds)
        await asyncio.sleep(0)

    async def until_ticks(self, count: int) -> None:
        while len(self.ticks) < count:  # noqa: ASYNC110 (the loop under test runs in between)
            await asyncio.sleep(0)


@pytest.mark.parametrize("jump", [timedelta(days=-3), timedelta(hours=25), timedelta(days=40)])
async def test_the_clock_keeps_its_interval_when_the_computers_clock_is_set(jump: timedelta) -> None:
    bot = Bot(datetime(2026, 11, 21, 12, tzinfo=UTC))
    cog = clock.Clock(bot)
    await cog.start()
    await bot.until_ticks(TURNS)
    bot.moment += jump
    await bot.until_ticks(2 * TURNS)
    await cog.cog_unload()
    assert set(bot.rests) == {clock.SECONDS}
    assert abs(len(bot.rests) - len(bot.ticks)) <= 1


async def test_the_clock_keeps_its_interval_over_a_change_to_summer_time_and_back() -> None:
    for day in (datetime(2026, 3, 29, 1, 59, tzinfo=BERLIN), datetime(2026, 10, 25, 2, 59, tzinfo=BERLIN)):
        bot = Bot(day)
        cog = clock.Clock(bot)
        await cog.start()
        await bot.until_ticks(2 * TURNS)
        await cog.cog_unload()
        assert set(bot.rests) == {clock.SECONDS}
