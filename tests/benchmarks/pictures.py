"""What the pictures of a large season cost, laid out and painted."""

from collections.abc import Callable

from bot.pictures.drawing import Picture
from bot.pictures.painting import fonts, paint
from bot.pictures.standings import Column, StandingsPicture, StandingsRow
from tests.pictures.drawings import bracket

Task = Callable[[], object]


def a_bracket(size: int) -> Task:
    """Draw every page of a bracket after two rounds."""
    return _drawn(bracket([f"Player {number}" for number in range(size)], rounds=2))


def a_table(size: int) -> Task:
    """Draw every page of the standings."""
    rows = tuple(
        StandingsRow(rank=number, name=f"Player {number}", movement=1, cells=("3–0", "0.480"), rating=1500)
        for number in range(1, size + 1)
    )
    columns = (Column(title="W–L", strong=True), Column(title="SoS"))
    return _drawn(StandingsPicture(league="Benchmark", subtitle="Season 1", columns=columns, rows=rows))


def _drawn(picture: Picture) -> Task:
    return lambda: [paint.png(page) for page in picture.pages(fonts.width)]
