"""A database on a real file."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from storage.database import Database
from tests.files import new_database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "league.db"


@pytest.fixture
async def db(path: Path) -> AsyncGenerator[Database]:
    database = await Database.open(await new_database(path))
    yield database
    await database.close()
