"""What every machine can be measured by: work whose cost is known and can't be avoided."""

import json
import sqlite3
from pathlib import Path

from bot.league.counting.draw import Draw, Purpose
from bot.league.season.model import Name
from tests.benchmarks.figures import Task

HASHING = "hashing 10,000 draws"


def hashing() -> Task:
    """Draw 10,000 players: the least that a round of them costs."""
    names = [Name(f"player {number}") for number in range(10_000)]
    draw = Draw(season=1, round=3)
    return lambda: [draw.value(Purpose.ORDER, name) for name in names]


def reading_json(path: Path) -> Task:
    """Read a file as JSON, without looking at what it says."""
    return lambda: json.loads(path.read_bytes())


def commit(folder: Path) -> Task:
    """Make one change safe on this disk, as the bot's database does."""
    connection = sqlite3.connect(folder / "yardstick.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS changes (id INTEGER PRIMARY KEY)")
    return lambda: connection.execute("INSERT INTO changes DEFAULT VALUES")
