"""A line of a table as pages show it."""

from typing import NamedTuple

from bot.league.counting.ratings import ShownRating


class Line(NamedTuple):
    """A line of the table."""

    rank: int | None
    name: str
    player: int
    mark: str
    cells: tuple[str, ...]
    record: str
    rating: ShownRating | None
    went: str
    champion: bool
    out: bool
