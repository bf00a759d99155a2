"""A year of twenty leagues in one process of the real bot: how much memory it takes, and how its file grows.

It takes half an hour, so it runs by its name alone: `python -m tests.soak year`. `python -m tests.soak.year` is the
process of the bot, which keeps little of what it worked out: within a month that is as much as it will ever be, so it's
no reason for what grows later.
"""

import asyncio
import gc
import itertools
import os
import signal
import sys
import tempfile
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random

from aiohttp import web

from bot import steps
from storage import database
from tests.loopback.discord_server import Discord
from tests.loopback.objects import OWNER, Person, channel
from tests.loopback.threads import Threads
from tests.story import OverTheWire
from tests.wire.people import People
from tests.wire.program import Clock, Program
from tests.wire.season import START
from tests.wire.state import State

LEAGUES, MONTHS, WEEKS = 20, 13, 4
PLAYERS = 8
KEPT = 1_000
"""Players and matches that the bot keeps in memory, instead of the limits of `storage.database` and `bot.steps`."""
STEADY = 3
"""Months after which what the bot keeps in memory is there."""
MOST_GROWTH = 1.1
"""How many times the memory of that month it may take at the end, with what is free inside of it."""
MOST_MORE_BLOCKS = 1.03
"""How many times the blocks of memory of that month Python may use at the end: what is free doesn't count there."""
MOST_A_YEAR = 0.8
"""Megabytes of the file for a league, as docs/scale.md says."""
FEWEST_SEASONS = 4
"""Seasons that each league finishes in a year: one in which nobody could act would stay small too."""
SECONDS = 300
"""How long the bot may take for one turn of the clock."""
CHANNELS, PEOPLE = 10**7, 2 * 10**7
"""Where the ids of the leagues' channels and players begin: those Discord gives in a year don't get as far."""
ORGANISER = (OWNER, "Olivia")
PLANS = (
    ("ohs", {}),
    ("keyforge-swiss", {"match_places": "threads"}),
    ("two-loss-out", {}),
    ("lightseekers-swiss", {"match_places": "private"}),
    ("single-elimination", {}),
)
LOOKS = ("standings", "match", "help", "why", "ranking", "outlook", "schedule", "rules", "profile")
"""What people ask to see, some of it as a picture."""
_SEASON = "SELECT s.id, s.phase FROM seasons s JOIN leagues l ON l.id = s.league_id WHERE l.name = ? ORDER BY s.id DESC"
_MATCHES = (
    "SELECT a.discord_id, b.discord_id FROM matches m JOIN rounds r ON r.id = m.round_id"
    " JOIN entrants u ON u.id = m.upper_id JOIN players a ON a.id = u.player_id"
    " JOIN entrants l ON l.id = m.lower_id JOIN players b ON b.id = l.player_id"
    " WHERE r.season_id = ? AND r.phase = 'open' AND m.state = 'open'"
)


class League:
    """Eight people who play a round a week, and one season after another."""

    def __init__(self, number: int, discord: Discord, state: State) -> None:
        self._name, self._state, self._place = f"League {number}", state, CHANNELS + number
        discord.channels[self._place] = channel(self._place)
        self._players = {PEOPLE + 100 * number + at: f"Player {number}-{at}" for at in range(PLAYERS)}
        discord.people.update({who: (who, name) for who, name in self._players.items()})
        self._hands = People(discord, home=self._place)
        self._story = OverTheWire(ORGANISER, self._hands)
        self._plans = itertools.cycle(PLANS[number % len(PLANS) :] + PLANS[: number % len(PLANS)])
        self._looks = itertools.cycle(LOOKS[number % len(LOOKS) :] + LOOKS[: number % len(LOOKS)])
        self._chance = Random(number)

    async def set_up(self) -> None:
        await self._hands.slash(ORGANISER, "league create", name=self._name, channel=str(self._place))

    async def week(self) -> None:
        """Let people do what they do in a week: begin a season or play a round, and look at something."""
        season, phase = next(iter(self._state.rows(_SEASON, self._name)), (None, "finished"))
        if phase == "finished":
            format_, settings = next(self._plans)
            await self._story.begin(self._players.items(), format_, **settings)
        elif matches := self._state.rows(_MATCHES, season):
            for match in matches:
                await self._play(*(self._who(ident) for ident in self._chance.sample(match, 2)))
        elif self._state.rows("SELECT 1 FROM ties WHERE season_id = ? AND settled_at IS NULL", season):
            await self._hands.find_and_press(ORGANISER, ":tie:.*:draw")
        await self._hands.slash(self._who(min(self._players)), next(self._looks))

    def _who(self, ident: int) -> Person:
        return ident, self._players[ident]

    async def _play(self, winner: Person, loser: Person) -> None:
        """Let the loser report, or the winner, who is confirmed or not answered at all."""
        telling = self._chance.choice(("lost", "confirmed", "silence"))
        if telling == "lost":
            await self._story.report(loser, "lost")
            return
        await self._story.report(winner, "won")
        if telling == "confirmed":
            await self._story.confirm(loser)


@dataclass(frozen=True)
class Sample:
    """What the bot takes at the end of a month, in MB."""

    memory: float
    blocks: int
    """How many of Python's blocks of memory are in use: not in MB."""
    file: float
    messages: int
    """How many were ever posted."""

    def __str__(self) -> str:
        return f"{self.memory:>10.1f}{self.blocks:>10}{self.file:>10.1f}{self.messages:>10}"


async def _year(folder: Path) -> tuple[list[Sample], list[int], str]:
    """Return what was taken at the end of each month, how many seasons each league finished, and the bot's log."""
    discord, clock, state = Discord(), Clock(START), State(folder / "league.db")
    leagues = [League(number, discord, state) for number in range(1, LEAGUES + 1)]
    app = discord.app()
    Threads(discord).add_to(app)
    app.router.add_get("/api/clock", clock.ask)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    program = Program(discord, runner.addresses[0][1], folder, module="tests.soak.year")
    samples: list[Sample] = []

    async def quiet() -> None:
        async with asyncio.timeout(SECONDS):
            await clock.turn()
            while state.queued(clock.now.timestamp()):  # noqa: ASYNC110 (it happens in another process)
                await asyncio.sleep(0.05)

    try:
        await program.start()
        for place in discord.channels.values():
            await discord.gateway.dispatch("CHANNEL_CREATE", place)
        await asyncio.gather(*(league.set_up() for league in leagues))
        print("month     memory    blocks      file  messages")
        for month in range(1, MONTHS + 1):
            for _ in range(WEEKS):
                await asyncio.gather(*(league.week() for league in leagues))
                for _ in range(7):
                    clock.now += timedelta(days=1)
                    await quiet()
            os.kill(program.pid, signal.SIGUSR1)
            await quiet()
            samples.append(_taken(program, state, len(discord.posts)))
            print(f"{month:>5} {samples[-1]}", flush=True)
        done = "SELECT count(*) FROM seasons WHERE phase = 'finished' GROUP BY league_id"
        return samples, [count for (count,) in state.rows(done)], program.log
    finally:
        await program.kill()
        await runner.cleanup()


def _taken(program: Program, state: State, messages: int) -> Sample:
    pages = int(Path(f"/proc/{program.pid}/statm").read_text().split()[1])
    size = state.value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    memory = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return Sample(memory=memory, blocks=int(_counted(program.database).read_text()), file=size / 1e6, messages=messages)


def _count(*_: object) -> None:
    """Count the blocks of memory that this process, the bot's, has in use."""
    gc.collect()
    _counted(Path(os.environ["DATABASE"])).write_text(str(sys.getallocatedblocks()))


def _counted(database: Path) -> Path:
    """Return the file with what was counted last."""
    return database.with_name("blocks")


def soak() -> bool:
    """Let a year pass, and return whether memory stayed as it was and the file grew no faster than we say."""
    with tempfile.TemporaryDirectory() as folder:
        samples, seasons, log = asyncio.run(_year(Path(folder)))
    first, steady, last = samples[0], samples[min(STEADY, len(samples)) - 1], samples[-1]
    growth, more = last.memory / steady.memory, last.blocks / steady.blocks
    a_year = (last.file - first.file) / LEAGUES * 52 / WEEKS / max(len(samples) - 1, 1)
    broken = "Traceback" in log or "ERROR" in log
    print(f"memory: {growth:.2f} times that of month {STEADY} (at most {MOST_GROWTH})")
    print(f"blocks of it in use: {more:.3f} times those of month {STEADY} (at most {MOST_MORE_BLOCKS})")
    print(f"file: {a_year:.2f} MB a league and year (at most {MOST_A_YEAR})")
    print(f"seasons finished in each league: {min(seasons)} to {max(seasons)} (at least {FEWEST_SEASONS})")
    print(log[-3000:] if broken else "")
    small = growth <= MOST_GROWTH and more <= MOST_MORE_BLOCKS and a_year <= MOST_A_YEAR
    return small and min(seasons) >= FEWEST_SEASONS and not broken


if __name__ == "__main__":
    from tests.wire import driven  # only here, because it changes the process that imports it

    signal.signal(signal.SIGUSR1, _count)
    database.MOST_KEPT = steps.MOST_KEPT = KEPT
    sys.exit(driven.run(*sys.argv[1:]))
