"""Build the web pages of an example league, with the checker: python -m tests.site.demo DIR."""

import asyncio
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from bot.league.season.phases import MatchState, SeasonPhase
from bot.services.leagues import set_up
from bot.services.ties import tie_decisions
from storage.database import Database
from storage.tables import ties
from tests.files import do, new_database
from tests.practice.browser import ROOT
from tests.services.conftest import ADMIN, ORGANISER_ROLE, World
from tests.services.play.test_scores import played, report
from tests.site.example import NAMES

PLAYERS = (*NAMES, "Malik", "Nora", "Oskar", "Priya")
SEASONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ohs", {}),
    ("keyforge-swiss", {}),
    ("round-robin", {"group_size": 6, "scores": True, "draws": True}),
    ("two-loss-out", {"cut": 4}),
    ("lightseekers-swiss", {}),
    ("single-elimination", {"third_place": True}),
    ("ohs", {}),
)
"""A season in each format, and one that is played."""


async def build(database: Path) -> None:
    """Let a league play its seasons; the last one is in its third round."""
    db = await Database.open(await new_database(database))
    now = datetime(2026, 1, 4, 18, tzinfo=UTC)
    try:
        who = {"name": "Sunday League", "channel_id": 7, "organiser_role_id": ORGANISER_ROLE, "site": True}
        league = await do(set_up.create, db=db, actor=ADMIN, now=now, **who)
        world = World(db=db, league=league, now=now)  # type: ignore[arg-type]
        random = Random(4)
        for number, (format_, settings) in enumerate(SEASONS, start=1):
            await play(world, format_, settings, random, to=3 if number == len(SEASONS) else None)
    finally:
        await db.close()


async def play(world: World, format_: str, settings: dict[str, Any], random: Random, *, to: int | None = None) -> None:
    """Play a season, until a round or to its end."""
    await world.create(format_, **settings)
    await world.sign_up(*(name for name in PLAYERS if random.random() < 0.9))
    await world.start()
    while (view := await world.status()).season.phase is not SeasonPhase.FINISHED:
        assert view.current_round is not None
        if view.current_round.round.number == to:
            break
        world.later(days=2)
        await _results(world, random, scores=settings.get("scores", False))
        if await world.db.read(ties.waiting_of_league, world.league_id):
            await do(tie_decisions.take_draw, db=world.db, actor=ADMIN, now=world.now, league_id=world.league_id)
        world.later(days=5)
    world.later(days=14)


async def _results(world: World, random: Random, *, scores: bool) -> None:
    """Let the players lower in this list lose more often than the others."""
    for match in await played(world):
        if match.match.state is MatchState.CONFIRMED:
            continue
        stronger, weaker = sorted((match.upper.name, match.lower.name), key=PLAYERS.index)
        loser = random.choice((stronger, weaker, weaker))
        games = random.choice(("0-2", "1-2")) if match.best_of == 3 else None
        score = f"{random.randrange(20, 60)}-{random.randrange(60, 99)}" if scores else None
        await report(world, loser, match, "lost", score or games)


def main(folder: Path) -> None:
    """Write the pages into a folder."""
    with tempfile.TemporaryDirectory() as own:
        database = Path(own) / "league.db"
        asyncio.run(build(database))
        environment = {**os.environ, "DATABASE": str(database), "PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-m", "bot", "site", folder], env=environment, check=True)
    sys.stdout.write(f"Open {folder / '1' / 'index.html'} in a browser.\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
