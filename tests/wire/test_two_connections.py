"""An event that discord.py can't read, where the bot has two connections."""

import asyncio

import pytest
from discord.gateway import DiscordWebSocket

from bot.client import LeagueBot
from tests.loopback.objects import MODERATION_CHANNEL, channel
from tests.wire.conftest import Wire, until
from tests.wire.test_starting import loopback as loopback
from tests.wire.test_starting import settings
from tests.wire.test_unreadable_events import BROKEN, left_out


def connections(bot: LeagueBot) -> list[DiscordWebSocket]:
    return [shard._parent.ws for shard in bot.shards.values()]


async def test_an_event_that_no_connection_can_read_is_left_out_by_each_and_all_go_on(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    wire.discord.shards = 2
    bot = LeagueBot(settings(wire))
    running = asyncio.create_task(bot.start("token"))
    try:
        await until(bot.is_ready)
        before = connections(bot)
        await wire.discord.gateway.dispatch("CHANNEL_UPDATE", BROKEN)
        await until(lambda: len([line for line in left_out(caplog) if "CHANNEL_UPDATE" in line]) == 2)
        await wire.discord.gateway.dispatch("CHANNEL_UPDATE", {**channel(MODERATION_CHANNEL), "name": "renamed"})
        await until(lambda: str(bot.get_channel(MODERATION_CHANNEL)) == "renamed")
        last = wire.discord.gateway.sequence
        await until(lambda: sorted(each.sequence or 0 for each in connections(bot)) == [last - 1, last])
        assert connections(bot) == before
        assert [each.open for each in before] == [True, True]
    finally:
        await bot.close()
        await running
