"""A new database for a test: the file that the migrations make, made once in a process and copied."""

import asyncio
import tempfile
from pathlib import Path

from storage.database import Database

_made: list[bytes] = []


async def new_database(path: Path) -> Path:
    """Put an empty database of the newest version at a path where there is none, as opening one there does."""
    if not _made:
        with tempfile.TemporaryDirectory(prefix="fairpair-new-") as folder:
            file = Path(folder) / "league.db"
            await (await Database.open(file)).close()
            _made.append(file.read_bytes())
    await asyncio.to_thread(_copy_to, path)
    return path


def _copy_to(path: Path) -> None:
    if not path.exists():
        path.write_bytes(_made[0])
