"""The real program against a Discord on loopback, driven by the harness.

With `--steps FILE` it is killed at the step that the harness names, the season's clock is the one the harness turns,
roles are given as fast as posts are made, an outlook goes through few endings of a season, and every sealed salt has
the same secret: another one draws other rounds.
"""

import asyncio
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import start, steps
from bot.__main__ import main
from bot.client import LeagueBot
from bot.league.season.names import prototypes
from bot.league.summaries.outlook import look_ahead
from bot.pictures.drawing import warm
from bot.pictures.painting import paint
from bot.worker import Worker
from cogs.posting import announcer, roles
from storage.tables import proofs
from tests.pictures.pixel import PIXEL
from tests.wire.steps import Steps

prototypes()  # which each life would work out as it starts


class InThread(Worker):
    """Computes in a thread of the bot: a process takes half a second to start, and most lives end before that.

    Nothing is painted, neither what there is to paint ahead of the first picture.
    """

    def begin(self, function: Any, *given: Any, seconds: float) -> asyncio.Future[Any]:
        if function is warm:
            return asyncio.get_running_loop().create_future()
        return super().begin(function, *given, seconds=seconds)

    def _ask(self, work: Any, seconds: float) -> Any:
        function, given = work
        return function(*given)


class Driven(LeagueBot):
    """The bot with a clock the harness turns: after each turn everything that is due by then is done and posted."""

    def __init__(self, settings: Any) -> None:
        self._moment = datetime.fromtimestamp(0, UTC)
        super().__init__(settings, now=lambda: self._moment)
        self.worker, self.painter = InThread(), InThread()
        self._connection.guild_ready_timeout = 0.1  # this server has one guild: none to wait for after it

    async def setup_hook(self) -> None:
        async with aiohttp.ClientSession() as session:
            await self._turn(session, 0)
        await super().setup_hook()
        self._turning = asyncio.create_task(self._turns())

    async def _turns(self) -> None:
        await self.wait_until_ready()
        turn = 0
        async with aiohttp.ClientSession() as session:
            while True:
                turn = await self._turn(session, turn)
                await steps.tick(self.database, self.now())
                self.announce()

    async def _turn(self, session: aiohttp.ClientSession, turn: int) -> int:
        """Wait for a later turn than this and set the clock."""
        async with session.get(f"{Route.BASE}/clock", params={"after": turn}) as answer:
            said = await answer.json()
        self._moment = datetime.fromtimestamp(said["now"], UTC)
        return said["turn"]


def run(port: str, *arguments: str) -> int:
    """Run the program with these arguments against the Discord at this port, and return its exit code."""
    Route.BASE = f"http://127.0.0.1:{port}/api"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{port}/gateway/")
    if arguments[0] == "--steps":
        _, file, *arguments = arguments
        counted = Steps(Path(file))
        counted.around_transactions()
        counted.around_requests()
        roles.ROLE_SECONDS = announcer.POST_SECONDS
        steps.look_ahead = partial(look_ahead, most=1_000)
        proofs.secrets = SimpleNamespace(token_hex=lambda size: "5e" * size)
        paint.png = lambda _: PIXEL
        start.LeagueBot = Driven
    return main(arguments)
