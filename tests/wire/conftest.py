"""A Discord on loopback, and the real bot against it: in this process with a clock to set, or as a process to kill."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yarl
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.client import LeagueBot
from bot.settings import Settings
from tests.forking import FORKING
from tests.loopback.api_check import discord_would_take_every_request as discord_would_take_every_request
from tests.loopback.discord_server import Discord
from tests.loopback.objects import LEAGUE_CHANNEL, OWNER
from tests.loopback.threads import Threads
from tests.story import OverTheWire
from tests.wire.people import People
from tests.wire.state import State

ROOT = Path(__file__).parents[2]
ORGANISER = (OWNER, "owner")
ANN, BEN = (4001, "Ann"), (4002, "Ben")


async def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something is so; fails the test if it never is."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 (what is awaited happens in the bot, or in another process)
            await asyncio.sleep(0.02)


@dataclass
class Wire:
    """The loopback Discord, its port, and how to run the bot against it."""

    discord: Discord
    port: int
    database: Path
    people: People
    threads: Threads
    process: asyncio.subprocess.Process | None = None
    ahead: timedelta = field(default_factory=timedelta)

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    @property
    def story(self) -> OverTheWire:
        return OverTheWire(ORGANISER, self.people)

    async def league(self) -> None:
        await self.people.slash(ORGANISER, "league create", name="Wire", channel=str(LEAGUE_CHANNEL))

    async def open_signups(self) -> None:
        await self.league()
        await self.story.open()

    async def start_of_two(self) -> None:
        await self.league()
        await self.story.begin((ANN, BEN))

    async def noted(self) -> None:
        """Wait until the bot has noted what came of every post it could make by now."""
        await until(lambda: not State(self.database).queued(self.now().timestamp()))

    async def later(self, span: timedelta) -> None:
        """Move the clock; what came of the posts until then is noted with the time it was."""
        await self.noted()
        self.ahead += span

    async def start_process(self) -> None:
        environment = {**os.environ, "DISCORD_TOKEN": "token", "DATABASE": str(self.database), "BACKUPS": "off"}
        self.discord.gateway.expect()
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.wire.run_bot", str(self.port), "run", cwd=ROOT, env=environment
        )
        await asyncio.wait_for(self.discord.gateway.identified.wait(), 30)

    async def kill_process(self) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(signal.SIGKILL)
            await self.process.wait()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Take what runs the bot against the loopback for long, unless it is marked as one of its kind."""
    for item in items:
        runs = Path(__file__).parent in item.path.parents and "wire" in getattr(item, "fixturenames", ())
        if runs and item.get_closest_marker("short") is None:
            item.add_marker("long")


@pytest.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    discord = Discord()
    app = discord.app()
    threads = Threads(discord)
    threads.add_to(app)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    wire = Wire(discord, runner.addresses[0][1], tmp_path / "league.db", People(discord), threads)
    yield wire
    await wire.kill_process()
    await runner.cleanup()


@pytest.fixture
async def bot(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[LeagueBot]:
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{wire.port}/api")
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(f"ws://127.0.0.1:{wire.port}/gateway/"))
    monkeypatch.setattr("cogs.posting.lanes.REST_SECONDS", 0.1)
    monkeypatch.setattr("bot.worker.PROCESSES", FORKING)
    settings = Settings.from_env({"DISCORD_TOKEN": "token", "DATABASE": str(wire.database), "BACKUPS": "off"})
    bot = LeagueBot(settings, now=wire.now)
    monkeypatch.setattr(bot._connection, "guild_ready_timeout", 0.1)  # this server has one guild: none to wait for
    running = asyncio.create_task(bot.start("token"))
    await asyncio.wait_for(wire.discord.gateway.identified.wait(), 30)
    await until(bot.is_ready)
    yield bot
    await bot.close()
    await running
