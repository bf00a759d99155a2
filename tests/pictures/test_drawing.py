"""Drawing beside the bot: the page that is wanted, another process after one died, and the bot itself stays small."""

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from io import BytesIO

import pytest
from PIL import Image

from bot.client import LeagueBot
from bot.pictures.drawing import draw
from bot.settings import Settings
from cogs.ui.drawn import drawn
from tests.pictures.drawings import bracket

PLAYERS = [f"Player {number}" for number in range(1, 33)]
LAZY = """
import sys
import bot.pictures.bracket, bot.pictures.champion, bot.pictures.rating, bot.pictures.standings, cogs.ui.drawn
assert not {"PIL", "fontpkg"} & set(sys.modules)
"""


@pytest.fixture
async def bot() -> AsyncIterator[LeagueBot]:
    bot = LeagueBot(Settings.from_env({}))
    yield bot
    await bot.painter.close()


async def test_a_page_is_an_opaque_picture_with_a_description(bot: LeagueBot) -> None:
    page = await drawn(bot, bracket(PLAYERS[:8], rounds=1))
    image = Image.open(BytesIO(page.png))
    assert (image.format, image.mode, image.width) == ("PNG", "RGB", 1000)
    assert page.alt.startswith("Bracket of Sunday League")


@pytest.mark.long
async def test_a_picture_is_drawn_again_after_the_process_was_killed(bot: LeagueBot) -> None:
    picture = bracket(PLAYERS[:4], rounds=0)
    before = await drawn(bot, picture)
    os.kill(await bot.painter.run(os.getpid, seconds=20), signal.SIGKILL)
    assert await drawn(bot, picture) == before


@pytest.mark.long
def test_the_page_of_a_player_opens() -> None:
    picture = bracket(PLAYERS, rounds=0)
    first, theirs, beyond = (draw(picture, page) for page in (0, "Player 2", 99))
    assert (first.number, theirs.titles, beyond.number) == (0, ("A", "B", "C", "D", "Finals"), 4)
    assert "Player 2 v" in theirs.alt
    assert draw(picture, "Nobody").number == 0
    assert [draw(picture, number).number for number in range(6)] == [0, 1, 2, 3, 4, 4]


@pytest.mark.long
def test_the_bot_itself_loads_no_font_and_no_painter() -> None:
    subprocess.run([sys.executable, "-c", LAZY], check=True)
