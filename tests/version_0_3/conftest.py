"""The database of 0.3.0, unpacked for a test."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from storage.database import Database
from tests.played_on import Release

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
RELEASE = Release(Path(__file__).parent, NOW)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file as 0.3.0 left it."""
    return RELEASE.unpack(tmp_path / "league.db")


@pytest.fixture
async def db(path: Path) -> AsyncGenerator[Database]:
    """The file, opened by this version."""
    db = await Database.open(path)
    yield db
    await db.close()
