"""The database of 0.2, unpacked for a test."""

import gzip
import json
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from storage.database import Database

HERE = Path(__file__).parent
NOW = datetime(2026, 4, 16, 13, 30, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file as 0.2 left it."""
    path = tmp_path / "league.db"
    path.write_bytes(gzip.decompress((HERE / "league.gz").read_bytes()))
    return path


@pytest.fixture
async def db(path: Path) -> AsyncGenerator[Database]:
    """The file, opened by this version."""
    db = await Database.open(path)
    yield db
    await db.close()


def league_files() -> dict[str, dict[str, Any]]:
    """Return what 0.2 exported: league files by league and number of the season."""
    return json.loads(gzip.decompress((HERE / "files.gz").read_bytes()))
