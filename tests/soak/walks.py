"""Seasons by chance against a model, for an hour; seasons of both engines; many walks of calendar files and of bans."""

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bot.league.formats import ALL
from tests.services.conftest import new_world
from tests.services.people import test_no_door
from tests.services.times import test_calendars

MINUTES = os.environ.get("SOAK_MINUTES", "60")
SEEDS = range(1_000, 1_000 + 20 * int(MINUTES))
COMPARED = 10 * int(MINUTES)
"""Seasons of each format and each engine, which takes about a tenth of the time of the lives."""


def soak() -> bool:
    """Walk in processes of their own, which print what they did; return whether nothing was found."""
    lives = subprocess.run([sys.executable, "-m", "tests.model", "--minutes", MINUTES], check=False)
    engines = subprocess.run([sys.executable, "-m", "tests.checker", str(COMPARED)], check=False)
    asyncio.run(walk())
    return lives.returncode == engines.returncode == 0


async def walk() -> None:
    """Take the walks of these seeds; raises where one finds something, with its seed."""
    for seed in SEEDS:
        format_ = ALL[seed % len(ALL)].key
        with tempfile.TemporaryDirectory() as folder:
            try:
                await test_no_door.walk_once(Path(folder), seed)
                async with new_world(Path(folder) / "calendars.db") as world:
                    await test_calendars.walk(world, seed, format_)
            except Exception as error:
                error.add_note(f"seed {seed}, {format_}")
                raise
    print(f"{len(SEEDS)} walks of calendar files and of bans: nothing found")
