"""A new database for a test: the file that the migrations make, made once in a process and copied."""

import asyncio
import tempfile
from pathlib import Path

from storage.database import Database

_made: list[bytes] = []


async def new_database(path: Path) -> Path:
    """Put an empty database of the newest version at a path, as opening one there for the first time does."""
    if not _made:
        with tempfile.TemporaryDirectory(prefix="fairpair-new-") as folder:
            file = Path(folder) / "league.db"
            await (await Database.open(file)).close()
            _made.append(file.read_bytes())
    await asyncio.to_thread(path.write_bytes, _made[0])
    return path
