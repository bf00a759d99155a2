"""Posts against what Discord allows: many leagues at once, one of them failing, and the work of one post."""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

from bot.client import LeagueBot
from bot.services.base import outbox
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.leagues import set_up
from tests.benchmarks.figures import Figure, Row, best_of
from tests.benchmarks.limited_discord import (
    CHANNEL_LIMIT,
    CHANNEL_SECONDS,
    GLOBAL_LIMIT,
    LimitedDiscord,
    announcing,
)
from tests.benchmarks.yardsticks import HASHING, hashing
from tests.files import change_by_hand
from tests.jumping_time import Loop

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ALLOWED = "what Discord allows"
PATIENCE = 120
"""Seconds of Discord's time after which the posts that did not come are given up."""
Measure = Callable[[LeagueBot, LimitedDiscord], Awaitable[float]]


def drained(title: str, *, leagues: int, posts: int, failing: int = 0, at_most: float = 1.3) -> Row:
    """Return a row for how long it takes until each league has its posts, but for so many whose channel fails."""

    async def measure(bot: LeagueBot, discord: LimitedDiscord) -> float:
        discord.failing = set(range(1, 1 + failing))
        return await _drain(bot, discord, range(1, 1 + leagues), posts)

    def row() -> Figure:
        waits = -(-posts // CHANNEL_LIMIT) - 1
        allowed = max(waits * CHANNEL_SECONDS, (leagues - failing) * posts / GLOBAL_LIMIT)
        return Figure(title=title, value=_run(measure), yardstick=allowed, against=ALLOWED, at_most=at_most)

    return row


def work(title: str, *, leagues: int, posts: int, at_most: float) -> Row:
    """Return a row for the processor time of one post, from being queued to being noted as sent."""

    async def measure(bot: LeagueBot, discord: LimitedDiscord) -> float:
        began = time.process_time()
        await _drain(bot, discord, range(1, 1 + leagues), posts)
        return (time.process_time() - began) / (leagues * posts)

    def row() -> Figure:
        (yardstick,) = best_of(hashing())
        return Figure(title=title, value=_run(measure), yardstick=yardstick, against=HASHING, at_most=at_most)

    return row


async def _drain(bot: LeagueBot, discord: LimitedDiscord, channels: range, posts: int) -> float:
    """Let leagues enqueue posts at once, and return when the last one came that can come."""
    discord.open(channels)
    made = [
        await bot.database.write(
            set_up.create, Order(actor=_organiser(number), now=NOW), name="League", channel_id=number
        )
        for number in channels
    ]
    with change_by_hand(bot.database) as conn:
        for number in range(posts):
            for league in made:
                outbox.tell(conn, league, f"Round {number}", now=bot.now())
    began = asyncio.get_running_loop().time()
    bot.announce()
    for channel in set(channels) - discord.failing:
        await _until_sent(discord, channel, posts, began + PATIENCE)
    return max(max(moments) for moments in discord.sent.values()) - began


def _organiser(guild_id: int) -> Actor:
    return Actor(user_id=1, name="organiser", manage_guild=True, guild_id=guild_id)


async def _until_sent(discord: LimitedDiscord, channel: int, posts: int, until: float) -> None:
    while len(discord.sent.get(channel, ())) < posts:
        if asyncio.get_running_loop().time() > until:
            raise TimeoutError(f"channel {channel} got {len(discord.sent.get(channel, ()))} of {posts} posts")
        await asyncio.sleep(0.05)


def _run(measure: Measure) -> float:
    async def inside() -> float:
        with tempfile.TemporaryDirectory() as folder:
            async with announcing(Path(folder)) as (bot, discord):
                return await measure(bot, discord)

    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(inside())


ROWS: tuple[Row, ...] = (
    drained("posts of 10 leagues that start at once, 9 each", leagues=10, posts=9),
    drained("the same beside 5 channels that fail", leagues=15, posts=9, failing=5),
    drained("posts of 100 leagues at once, 9 each", leagues=100, posts=9),
    work("processor time of a post", leagues=20, posts=5, at_most=0.375),
)
