"""Everybody's order across groups, and the ladder of the next season (docs/formats/round-robin.md)."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from bot.league.counting.draw import Draw, Purpose
from bot.league.formats.round_robin.group_table import Line
from bot.league.season.model import Name


def by_divisions(orders: Sequence[Sequence[Name]]) -> list[Name]:
    """Return everyone division by division."""
    return [name for order in orders for name in order]


def by_places(
    orders: Sequence[Sequence[Name]], lines: Mapping[Name, Line], struck: Collection[Name], draw: Draw
) -> list[Name]:
    """Return everyone by place in their group, then by points and difference per match, then by the draw.

    Struck players come last, whatever their group.
    """
    place = {name: len(lines) if name in struck else at for order in orders for at, name in enumerate(order)}
    best_first = sorted(draw.sort(Purpose.TIEBREAK, place), key=lambda name: lines[name].per_match, reverse=True)
    return sorted(best_first, key=place.__getitem__)


def moved(divisions: Sequence[Sequence[Name]], moves: int) -> list[Name]:
    """Return the ladder after so many went up and down between divisions, never more than half of one."""
    between = [min(moves, len(upper) // 2, len(lower) // 2) for upper, lower in pairwise(divisions)]
    down = [0, *between]
    up = [*between, 0]
    ladder: list[Name] = []
    for number, names in enumerate(divisions):
        above = divisions[number - 1] if number else ()
        below = divisions[number + 1] if number + 1 < len(divisions) else ()
        ladder += above[len(above) - down[number] :]
        ladder += names[down[number] : len(names) - up[number]]
        ladder += below[: up[number]]
    return ladder
