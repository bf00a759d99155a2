"""What a file of many leagues costs: `python -m tests.benchmarks.growing [--leagues 10000] [--seasons 4] [FILE]`.

It makes the file unless it's there, and prints what a real bot on it takes: to start, in memory, for a turn of its
clock, for an answer to /report and to /disputes.
"""

import argparse
import asyncio
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot import steps
from storage.database import Database
from tests.benchmarks import leagues
from tests.benchmarks.measured_bot import MeasuredBot
from tests.files import change_by_hand
from tests.loopback.objects import GUILD, LEAGUE_CHANNEL, OWNER, Person

ASKED = 4
"""Matches of a round that is played: so often a player can report one."""
OVER = (0, 100)
"""In so many leagues the time of a round is over at a turn of the clock."""


async def made(path: Path, many: int, seasons: int) -> None:
    """Make a file of so many leagues; the first is on the Discord the bot is measured on."""
    db = await leagues.build(path, many, seasons=seasons, deadline=datetime.now(UTC) + timedelta(days=6))
    with change_by_hand(db) as conn:
        conn.execute("UPDATE leagues SET guild_id = ?, channel_id = ? WHERE id = 1", (GUILD, LEAGUE_CHANNEL))
    await db.close()


async def clock(path: Path, over: int) -> float:
    """Return the processor seconds of a turn of the clock while the time of a round is over in so many leagues."""
    db, now = await Database.open(path), datetime.now(UTC)
    await steps.tick(db, now=now)
    with change_by_hand(db) as conn:
        conn.execute(
            "UPDATE rounds SET deadline = ? WHERE phase = 'open' AND season_id IN"
            " (SELECT id FROM seasons WHERE league_id BETWEEN 2 AND ?)",
            (int(now.timestamp()) - 3600, 1 + over),
        )
    began = time.process_time()
    done = await steps.tick(db, now=now)
    took = time.process_time() - began
    await db.close()
    assert bool(done) == bool(over), f"the clock did {done} things where {over} rounds are over"
    return took


async def answers(path: Path) -> None:
    """Print what a bot takes to start, in memory, and for its answers."""
    bot = await MeasuredBot.start(path)
    try:
        show("start, until nothing is left to do", bot.seconds, "s")
        show("memory then", bot.megabytes, "MB")
        players = leagues.PLAYERS
        first: list[Person] = [(1000 + players + 2 * at, f"p{players + 2 * at}") for at in range(ASKED)]
        await bot.slash(first[0], "match")  # what is loaded when it's asked for the first time
        show("/match", await bot.slash(first[1], "match") * 1000, "ms")
        show("/report", [await bot.slash(who, "report", result="won") * 1000 for who in first][-1], "ms")
        await bot.rest()
        show("/disputes", [await bot.slash((OWNER, "owner"), "disputes") * 1000 for _ in range(2)][-1], "ms")
        show("memory at the end", bot.megabytes, "MB")
    finally:
        await bot.close()


def show(what: str, value: float, unit: str) -> None:
    """Print a figure."""
    print(f"{what:<56}{value:10.4g} {unit}", flush=True)


def main() -> None:
    """Make the file and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.growing", description=__doc__)
    parser.add_argument("--leagues", type=int, default=10_000)
    parser.add_argument("--seasons", type=int, default=4)
    parser.add_argument("file", nargs="?", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path: Path = asked.file or Path(folder) / "league.db"
        if not path.exists():
            asyncio.run(made(path, asked.leagues, asked.seasons))
        show(f"{asked.leagues:,} leagues of {asked.seasons} seasons, on disk", path.stat().st_size / 1e6, "MB")
        asyncio.run(answers(path))
        for over in filter(asked.leagues.__gt__, OVER):
            show(f"a turn of the clock, {over} rounds over", asyncio.run(clock(path, over)), "s")


if __name__ == "__main__":
    main()
