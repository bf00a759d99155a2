"""Run the practice server: a database of its own, a free port, and an address to open."""

import asyncio
import contextlib
import logging
import shutil
import socket
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from bot.client import LeagueBot
from bot.hosting.serving import Serving
from bot.league.errors import Conflict, Invalid
from bot.practice import guide, welcome
from bot.practice.autoplay import Autoplay
from bot.practice.simulation import Apart, Simulation
from bot.practice.world import ORGANISER
from bot.settings import Settings
from storage.database import Database
from storage.files import lock

DEFAULT_PORT = 8765
_PORTS_TRIED = 50


async def serve(settings: Settings, *, port: int | None = None, autoplay: bool = False, below: str = "") -> None:
    """Run the practice server until it is cancelled; raises Conflict if it's already running.

    `below` is printed after its address.
    """
    database = settings.database.with_suffix(".practice.db")
    for name in ("discord", "bot.client"):
        logging.getLogger(name).setLevel(logging.WARNING)  # how the bot connects is make-believe here
    commands = logging.getLogger("bot.logs")
    commands.setLevel(logging.WARNING)  # the first line is the address
    alone = {"token": None, "backups": None, "dev_guild": None, "shard_ids": None, "shard_count": None}
    port = _free_port(port)
    pages = database.with_suffix(".pages")
    serving = Serving(pages, ("127.0.0.1", _free_port(None, after=port)))
    own = replace(settings, **alone, database=database, site=pages, site_url=serving.url)
    with lock.held(database, "the practice server"):
        _delete(database, pages)
        simulation = Simulation(lambda now, sleep: LeagueBot(own, now=now, sleep=sleep, paced=False), port=port)
        bot = simulation.env.bot
        assert isinstance(bot, LeagueBot)
        bot.publisher = Apart(simulation.env)  # no click waits until pages are written
        async with simulation.running(), serving, contextlib.AsyncExitStack() as stack:
            db = await Database.open(database)
            stack.push_async_callback(db.close)
            show = partial(guide.show, simulation, db, autoplay=autoplay, pages=serving.url)
            async with simulation.lock:
                await welcome.prepare(simulation)
                await show()
            simulation.on_change.append(show)
            _say(simulation.preview.address, serving.url, database, autoplay=autoplay)
            sys.stdout.write(below)
            sys.stdout.flush()
            commands.setLevel(logging.NOTSET)
            if autoplay:
                await Autoplay(simulation, db).run()
            await asyncio.Event().wait()


def _delete(database: Path, pages: Path) -> None:
    """Delete what the last practice has left; raises Invalid."""
    try:
        for suffix in ("", "-wal", "-shm"):
            database.with_name(f"{database.name}{suffix}").unlink(missing_ok=True)
    except OSError as wrong:
        problem = f"{database} can't be deleted ({wrong.strerror}); fix that, or set DATABASE to another file"
        raise Invalid(problem) from None
    shutil.rmtree(pages, ignore_errors=True)


def _free_port(wanted: int | None, *, after: int = DEFAULT_PORT - 1) -> int:
    """Return the port that was asked for, or else the first free one after another."""
    tried = range(after + 1, after + 1 + _PORTS_TRIED) if wanted is None else [wanted]
    for port in tried:
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port
    raise Conflict(f"port {', '.join(map(str, tried[:1]))} is taken; choose a free one with --port")


_PLAYING = (
    f"Everyone you don't act as plays on their own. The page opens as {ORGANISER}, who begins each season: act as"
    " someone else and it begins at once, or wait a minute without a click."
)


def _say(address: str, pages: str, database: Path, *, autoplay: bool) -> None:
    players = _PLAYING if autoplay else "Add --autoplay to let the others play."
    sys.stdout.write(
        f"Open {address} in a browser: the practice server. Its welcome post tells you what to do. {players}\n"
        f"From round 1 on the league's own web pages are at {pages}/1/\n"
        f"Stop it with Ctrl+C; what was played stays in {database} until the next start, which begins without it.\n"
    )
