"""The drawing process: started when needed, replaced when it dies, and the bot itself stays small."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from io import BytesIO

import pytest
from PIL import Image

from bot.pictures.worker import PictureWorker
from tests.pictures.drawings import bracket

PLAYERS = [f"Player {number}" for number in range(1, 33)]
LAZY = """
import sys
import bot.pictures.bracket, bot.pictures.champion, bot.pictures.rating, bot.pictures.standings, bot.pictures.worker
assert not {"PIL", "fontpkg"} & set(sys.modules)
"""


@pytest.fixture
async def worker() -> AsyncIterator[PictureWorker]:
    worker = PictureWorker()
    yield worker
    await worker.close()


def process_of(worker: PictureWorker) -> int:
    assert worker._pool is not None
    return next(iter(worker._pool._processes))


async def test_a_page_is_an_opaque_picture_with_a_description(worker: PictureWorker) -> None:
    drawn = await worker.draw(bracket(PLAYERS[:8], rounds=1))
    image = Image.open(BytesIO(drawn.png))
    assert (image.format, image.mode, image.width) == ("PNG", "RGB", 1000)
    assert drawn.alt.startswith("Bracket of Sunday League")


async def test_the_page_of_a_player_opens(worker: PictureWorker) -> None:
    picture = bracket(PLAYERS, rounds=0)
    first, theirs, beyond = [await worker.draw(picture, page) for page in (0, "Player 2", 99)]
    assert (first.number, theirs.titles, beyond.number) == (0, ("A", "B", "C", "D", "Finals"), 4)
    assert "Player 2 v" in theirs.alt
    assert (await worker.draw(picture, "Nobody")).number == 0
    assert [drawn.number for drawn in await worker.draw_all(picture)] == [0, 1, 2, 3, 4]


async def test_a_killed_process_is_replaced(worker: PictureWorker) -> None:
    picture = bracket(PLAYERS[:4], rounds=0)
    before = await worker.draw(picture)
    os.kill(process_of(worker), signal.SIGKILL)
    await asyncio.sleep(0.1)
    assert await worker.draw(picture) == before


async def test_a_closed_worker_leaves_no_process(worker: PictureWorker) -> None:
    await worker.draw(bracket(PLAYERS[:2], rounds=0))
    number = process_of(worker)
    await worker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_the_bot_itself_loads_no_font_and_no_painter() -> None:
    subprocess.run([sys.executable, "-c", LAZY], check=True)
