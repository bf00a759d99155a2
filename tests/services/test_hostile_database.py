"""Several programs that open the same new file in the same moment."""

import asyncio
from pathlib import Path

import pytest

from storage.database import Database


@pytest.mark.long
async def test_programs_that_open_a_new_file_at_once_wait_for_each_other(tmp_path: Path) -> None:
    for number in range(10):
        path = tmp_path / f"{number}.db"
        for database in await asyncio.gather(*(Database.open(path) for _ in range(8))):
            await database.close()
