"""The real bot in a process of its own against a Discord on loopback, and the processor time its answers take.

`python -m tests.benchmarks.measured_bot PORT` is that process.
"""

import asyncio
import logging
import os
import sqlite3
import sys
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Self

import yarl
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.client import LeagueBot
from bot.settings import Settings
from tests.loopback.discord_server import Discord
from tests.loopback.objects import Person
from tests.wire.people import People

ROOT = Path(__file__).parents[2]
REST_SECONDS = 0.3
"""A bot that takes hardly any processor time for so long has done everything that follows from an answer."""


class Listening(Discord):
    """A Discord that notes the processor time of the bot's process at the moment its answer comes."""

    clock = 0
    answered_at: asyncio.Future[float] | None = None

    async def _callback(self, request: web.Request) -> web.Response:
        if self.answered_at is not None and not self.answered_at.done():
            self.answered_at.set_result(time.clock_gettime(self.clock))
        return await super()._callback(request)


class MeasuredBot:
    """A running bot; close it to end its process."""

    def __init__(
        self, process: asyncio.subprocess.Process, database: Path, discord: Listening, runner: web.AppRunner
    ) -> None:
        self._process = process
        self._database = sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
        self._discord = discord
        self._runner = runner
        self._people = People(discord)
        # Another process's processor time is a clock too; so is it numbered by clock_getcpuclockid, which Python lacks.
        discord.clock = (~process.pid << 3) | 2

    @classmethod
    async def start(cls, database: Path) -> Self:
        """Start a bot on a database, and wait until it rests."""
        discord = Listening()
        runner = web.AppRunner(discord.app(), shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        environment = {**os.environ, "DISCORD_TOKEN": "token", "DATABASE": str(database), "BACKUPS": "off"}
        arguments = ["-m", "tests.benchmarks.measured_bot", str(runner.addresses[0][1])]
        process = await asyncio.create_subprocess_exec(sys.executable, *arguments, cwd=ROOT, env=environment)
        await asyncio.wait_for(discord.gateway.identified.wait(), 60)
        await asyncio.sleep(2)  # until discord.py takes all its servers for known
        bot = cls(process, database, discord, runner)
        await bot.rest()
        return bot

    async def close(self) -> None:
        """End the process."""
        self._process.kill()
        await self._process.wait()
        await self._runner.cleanup()
        self._database.close()

    @property
    def seconds(self) -> float:
        """The processor time the bot has taken so far."""
        return time.clock_gettime(self._discord.clock)

    @property
    def megabytes(self) -> float:
        """The memory the bot has now."""
        said = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) for line in said.splitlines() if line.startswith("VmRSS")) / 1024

    async def rest(self) -> None:
        """Wait until the bot has nothing to do: no post to make or edit, which would count as part of an answer."""
        before = -1.0
        while self.seconds - before > REST_SECONDS / 50 or self._owes_a_post():
            before = self.seconds
            await asyncio.sleep(REST_SECONDS)

    def _owes_a_post(self) -> bool:
        """Whether a post is due now, or in the second in which the next answer is measured."""
        due = "SELECT 1 FROM outbox WHERE state = 'due' AND due_at <= unixepoch() + 1"
        return self._database.execute(due).fetchone() is not None

    async def slash(self, who: Person, command: str, /, **options: Any) -> float:
        """Type a command, and return the processor time until its answer came."""
        return await self._answered(self._people.slash(who, command, **options))

    async def click(self, who: Person, custom_id: str) -> float:
        """Press a button, and return the processor time until its answer came."""
        button = {"type": 2, "style": 1, "label": "Press", "custom_id": custom_id}
        shown = {"components": [{"type": 1, "components": [button]}]}
        return await self._answered(self._people.click(who, shown, custom_id))

    async def _answered(self, doing: Coroutine[Any, Any, Any]) -> float:
        self._discord.answered_at = asyncio.get_running_loop().create_future()
        before = self.seconds
        asking = asyncio.create_task(doing)
        answered_at = await asyncio.wait_for(self._discord.answered_at, 20)
        asking.cancel()
        return answered_at - before


if __name__ == "__main__":
    Route.BASE = f"http://127.0.0.1:{sys.argv[1]}/api"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{sys.argv[1]}/gateway/")
    LeagueBot(Settings.from_env(os.environ)).run("token", log_level=logging.ERROR)
