"""The bot as a process that is killed and started again, with the clock it asks."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable
from dataclasses import dataclass, field
from datetime import datetime
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TypeVar

from aiohttp import web

from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from tests.loopback.discord_server import Discord
from tests.wire import lives
from tests.wire.steps import deadly, taken

ROOT = Path(__file__).parents[2]
START_SECONDS = 60
T = TypeVar("T")


class Killed(Exception):
    """The process died while something was asked of it."""


class Clock:
    """The bot's clock: it stands still until it is turned. The bot asks for the next turn once it has done this one."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self._turn = 1
        self._turned = asyncio.Condition()
        self._done = 0

    async def ask(self, request: web.Request) -> web.Response:
        after = int(request.query["after"])
        async with self._turned:
            self._done = after
            self._turned.notify_all()
            await self._turned.wait_for(lambda: self._turn > after)
        return web.json_response({"turn": self._turn, "now": self.now.timestamp()})

    async def turn(self) -> None:
        """Let the bot do what is due now."""
        async with self._turned:
            self._turn += 1
            self._turned.notify_all()
            await self._turned.wait_for(lambda: self._done >= self._turn)


@dataclass
class Program:
    """A life after another of the real program: each is forked, from a process that has imported everything."""

    discord: Discord
    port: int
    folder: Path
    lives: int = 0
    module: str | None = None
    """What the first life runs instead, in a process that is started as people start it."""
    _process: subprocess.Popen[bytes] | BaseProcess | None = None
    _dead: asyncio.Future[int] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.die_at("", 0)

    @property
    def database(self) -> Path:
        return self.folder / "league.db"

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    @property
    def pid(self) -> int:
        assert self._process is not None
        assert self._process.pid is not None
        return self._process.pid

    @property
    def steps(self) -> list[str]:
        return taken(self._steps)

    @property
    def _steps(self) -> Path:
        return self.folder / "steps"

    @property
    def _log(self) -> Path:
        return self.folder / "log"

    @property
    def _environment(self) -> dict[str, str]:
        return {"DISCORD_TOKEN": "token", "DATABASE": str(self.database), "BACKUPS": "off"}

    @property
    def _arguments(self) -> list[str]:
        return [str(self.port), "--steps", str(self._steps), "run"]

    def die_at(self, name: str, nth: int) -> None:
        """Let it die at a step from now on, by its name and the number of that name; at none where that's 0."""
        deadly(self._steps).write_text(f"{name} {self.steps.count(name) + nth}" if nth else "")

    async def start(self) -> None:
        """Start it; raises Killed if it dies before it is connected."""
        self.discord.gateway.expect()
        self._process = self._forked() if self.lives or self.module is None else self._started(self.module)
        self._dead = asyncio.ensure_future(asyncio.to_thread(_end, self._process))
        self.lives += 1
        await self.during(asyncio.wait_for(self.discord.gateway.identified.wait(), START_SECONDS))

    def _started(self, module: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", module, *self._arguments]
        with self._log.open("ab") as log:
            return subprocess.Popen(command, cwd=ROOT, env={**os.environ, **self._environment}, stderr=log)

    def _forked(self) -> BaseProcess:
        return lives.begun(self._arguments, self._environment, self._log)

    async def during(self, work: Awaitable[T]) -> T:
        """Do something with the running program; raises Killed if it dies meanwhile."""
        assert self._dead is not None
        doing = asyncio.ensure_future(work)
        await asyncio.wait([doing, self._dead], return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            return doing.result()
        doing.cancel()
        await asyncio.wait([doing])
        if self._dead.result() != -signal.SIGKILL:
            raise AssertionError(f"the bot ended by itself ({self._dead.result()}):\n{self.log[-3000:]}")
        raise Killed

    async def verify(self) -> list[str]:
        """Export the season while the bot runs, and return where its file does not follow from the rules."""
        file = self.folder / "season.json"
        export = [str(self.port), "export", "--league", "Wire", str(file)]
        assert await asyncio.to_thread(_end, lives.begun(export, self._environment, self._log)) == 0, self.log
        found = verify(reading.read(file.read_bytes()))
        return [] if found.agrees else list(found.lines())

    async def kill(self) -> None:
        if self._process is not None and self._dead is not None and not self._dead.done():
            self._process.kill()
            await asyncio.wait([self._dead])


def _end(process: subprocess.Popen[bytes] | BaseProcess) -> int:
    """Wait until a process has ended and return how: its exit code, or the signal it died from, negative."""
    if isinstance(process, subprocess.Popen):
        return process.wait()
    process.join()
    assert process.exitcode is not None
    return process.exitcode
