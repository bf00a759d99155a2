"""What the pictures of a large season cost, laid out and painted."""

from collections.abc import Callable
from functools import partial

from bot.pictures.drawing import Picture
from bot.pictures.painting import fonts, paint
from bot.pictures.standings import StandingsPicture
from bot.pictures.standings_grid import Column, StandingsRow
from tests.benchmarks.figures import Row, Task, timed
from tests.benchmarks.yardsticks import HASHING, hashing
from tests.pictures.drawings import bracket


def a_bracket(size: int) -> Task:
    """Draw every page of a bracket after two rounds."""
    return _drawn(bracket([f"Player {number}" for number in range(size)], rounds=2))


def a_table(size: int) -> Task:
    """Draw every page of the standings."""
    rows = tuple(
        StandingsRow(rank=number, name=f"Player {number}", movement=1, cells=("3–0", "0.480"), rating=1500)
        for number in range(1, size + 1)
    )
    columns = (Column(key="record", title="W–L", strong=True), Column(key="sos", title="SoS"))
    return _drawn(StandingsPicture(league="Benchmark", subtitle="Season 1", columns=columns, rows=rows))


def _drawn(picture: Picture) -> Task:
    return lambda: [paint.png(page) for page in picture.pages(fonts.width)]


def _row(title: str, task: Callable[[int], Task]) -> Row:
    return timed(f"picture of {title}, 64", partial(task, 64), yardstick=hashing, against=HASHING, at_most=125)


ROWS: tuple[Row, ...] = (_row("a bracket", a_bracket), _row("standings", a_table))
