"""Discord refuses the list of commands: the bot runs with those Discord has, says so, and sends them again later."""

import asyncio

import discord
import pytest

from bot import client
from bot.client import LeagueBot
from cogs.runtime.health import Health
from cogs.ui.commands import names_of
from cogs.wiring import COGS
from tests.loopback.objects import LEAGUE_CHANNEL
from tests.ports import reserved_port
from tests.wire.conftest import Wire, until
from tests.wire.test_starting import health, settings
from tests.wire.test_starting import loopback as loopback


async def test_a_bot_whose_commands_are_refused_runs_with_those_there_are_and_sends_them_again(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    again, pauses = asyncio.Event(), list[float]()

    async def sleep(seconds: float) -> None:
        if seconds == client.SENT_AGAIN_SECONDS:
            pauses.append(seconds)
            await again.wait()
            again.clear()
        else:
            await asyncio.sleep(seconds)

    async def known() -> None:
        bot = LeagueBot(settings(wire))
        task = asyncio.create_task(bot.start("token"))
        await until(bot.is_ready)
        await bot.close()
        await task

    await known()
    wire.discord.commands.pop()  # an update of the bot added one
    there = len(wire.discord.commands)
    wire.discord.refuses_commands = True
    port = reserved_port()
    bot = LeagueBot(settings(wire), sleep=sleep)
    task = asyncio.create_task(bot.start("token"))
    try:
        await until(bot.is_ready)
        assert len(wire.discord.commands) == there
        assert "season create" in bot.command_ids
        assert names_of(COGS) == {command.name for command in bot.tree.get_commands()} | {
            menu.name
            for kind in (discord.AppCommandType.user, discord.AppCommandType.message)
            for menu in bot.tree.get_commands(type=kind)
        }
        (line,) = [record.getMessage() for record in caplog.records if "refuses the commands" in record.getMessage()]
        assert line.startswith("Discord refuses the commands (400/50035: ")
        assert len(line) < 350
        assert "\n" not in line
        async with Health(("127.0.0.1", port)) as listening:
            listening.bot = bot
            assert "refuses the commands" in (await health(port))[1]["commands"]
            await wire.open_signups()
            await until(lambda: bool(wire.discord.messages[LEAGUE_CHANNEL]))
            again.set()
            await until(lambda: len(pauses) == 2)
            wire.discord.refuses_commands = False
            again.set()
            await until(lambda: len(wire.discord.commands) == there + 1)
            await until(lambda: bot.commands_problem is None)
            assert (await health(port))[1]["commands"] is None
    finally:
        await bot.close()
        await task
