"""Run the real program against a Discord on loopback: `python -m tests.wire.run_bot PORT ARGUMENTS...`.

With `--steps FILE FIRST EVERY` it is killed at these steps, the season's clock is the one the harness turns, and every
sealed salt has the same secret, because another one draws other rounds.
"""

import asyncio
import sys
from datetime import UTC, datetime
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
from bot.services.reads import looking_ahead
from storage.tables import proofs
from tests.wire import patient
from tests.wire.steps import Steps


class Driven(LeagueBot):
    """The bot with a clock the harness turns: after each turn everything that is due by then is done and posted."""

    def __init__(self, settings: Any) -> None:
        self._moment = datetime.fromtimestamp(0, UTC)
        super().__init__(settings, now=lambda: self._moment)
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
    looking_ahead.look_ahead_in_time = patient.look_ahead_in_time
    if arguments[0] == "--steps":
        _, file, first, every, *arguments = arguments
        numbered = Steps(Path(file), int(first), int(every))
        numbered.around_transactions()
        numbered.around_requests()
        proofs.secrets = SimpleNamespace(token_hex=lambda size: "5e" * size)  # pyright: ignore
        start.LeagueBot = Driven
    return main(arguments)


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]))
