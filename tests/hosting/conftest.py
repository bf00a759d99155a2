"""A database with a league whose season is played, in a folder, and what a person runs on it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot import steps
from bot.league.checking.league_file.writing import to_json
from bot.services.base.order import Order
from bot.services.base.permissions import BOT, Actor
from bot.services.leagues import set_up
from storage.database import Database
from tests.files import new_database
from tests.league.builders import play_rounds, season_of_file

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ORGANISER = Actor(user_id=1, name="Olivia", manage_guild=True, guild_id=7)
MEBIBYTE = 1 << 20


@pytest.fixture
async def database(tmp_path: Path) -> Path:
    path = tmp_path / "league.db"
    await fill(path)
    return path


async def fill(path: Path, *, guild: int = 7, players: int = 9, format_: str = "ohs") -> None:
    """Make a database with one league, whose third season has two rounds."""
    db = await Database.open(await new_database(path))
    organiser = Actor(user_id=1, name="Olivia", manage_guild=True, guild_id=guild)
    league = await db.write(set_up.create, Order(actor=organiser, now=NOW), name=f"L{guild}", channel_id=guild)
    season = to_json(play_rounds(season_of_file(format_, players), rounds=2))
    await steps.import_file(db, Order(actor=BOT, now=NOW, league_id=league.id), data=season.encode())
    await db.close()


def token(database: Path) -> dict[str, str]:
    """Return the environment of a bot on this database; it's refused before it looks for Discord."""
    return {"DISCORD_TOKEN": "token", "DATABASE": str(database)}


def damage(path: Path, *, table: str = "audit") -> None:
    """Overwrite the pages of a table, as a broken disk does."""
    with closing(sqlite3.connect(path)) as conn:
        size = conn.execute("PRAGMA page_size").fetchone()[0]
        page = conn.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
    with path.open("rb+") as file:
        file.seek((page - 1) * size)
        file.write(b"\x5a" * size)


@contextmanager
def small_disk(folder: Path, mebibytes: int) -> Iterator[Path]:
    """Mount a disk of its own in a folder, which a test may fill or make unwritable; skips where that isn't allowed."""
    folder.mkdir()
    if os.system(f"mount -t tmpfs -o size={mebibytes}m tmpfs {folder} 2>/dev/null"):
        pytest.skip("mounting a disk needs rights this user doesn't have")
    try:
        yield folder
    finally:
        os.system(f"umount -l {folder}")
