"""A file that tells two people of one name apart: who is who is asked, by choice or typed."""

from typing import Any

import pytest

from tests.cogs.conftest import World, labels, text_of
from tests.cogs.test_moving_in import sent
from tests.importers.shapes import trf_line


@pytest.mark.parametrize("answer", ["chosen", "typed"])
async def test_two_numbers_with_one_name_are_asked_about(world: World, answer: str) -> None:
    await world.league()
    games = ("     3 w 1", "     4 w 1", "     1 b 0", "     2 b 0")
    names = ("Jan Novak", "Jan Novak", "Ada", "Mio")
    shown = await sent(world, "\n".join(trf_line(at, names[at - 1], games[at - 1]) for at in range(1, 5)), "old.trf")
    assert "two players called Jan Novak, numbers 1 and 2. Is it one person?" in text_of(shown)
    assert labels(shown.response) == ["Type the name", "Cancel"]
    preview: Any
    if answer == "typed":
        form = await world.organiser.click(shown.response, label="Type the name")
        preview = await world.organiser.submit_modal(form, {"name": "Jan the Younger"})
        assert "Jan the Younger" in text_of(preview)
    else:
        preview = await world.organiser.select(shown.response, ["Jan Novak (2)"])
        assert "Jan Novak (2)" in text_of(preview)
    done = await world.organiser.click(preview.response, label="Import 2 matches")
    assert "4 people: 0 known, 4 new" in text_of(done)
