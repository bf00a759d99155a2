"""The page that follows one result through the house, against what runs."""

import re
from pathlib import Path
from types import FrameType

import pytest

from tests.cogs.conftest import World
from tests.measures import ROOT, courses, every_thread

PAGE = (ROOT / "docs" / "how-it-is-built.md").read_text(encoding="utf-8")
OURS = tuple(str(ROOT / folder) for folder in ("bot", "cogs", "storage"))
NAMED = re.findall(r"`([\w/]+\.py): ([\w.]+)`", PAGE)


@pytest.mark.long
async def test_a_result_goes_through_the_house_as_the_page_says(world: World) -> None:
    called: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS):
            called.append((Path(code.co_filename).relative_to(ROOT).as_posix(), code.co_qualname))

    await world.started(players=4, rounds=2, cut=2)  # whose first round has news
    first, last = (world.sides(match) for match in world.open_matches())
    await first[0].slash(world.channel, "report", result="lost")
    async with every_thread(world.env.bot.database, note):
        await last[0].slash(world.channel, "report", result="won")
        await last[1].slash(world.channel, "confirm")
    steps = iter(called)
    assert [f"{file}: {name}" for file, name in NAMED if (file, name) not in steps] == []


async def test_a_report_and_the_confirmation_that_brings_the_next_round_take_few_statements() -> None:
    report, confirm = await courses()
    assert report.statements <= 45
    assert confirm.statements <= 100  # 92 to 96: the announcer may look once more for what is due
