"""Everybody's order across groups, and the ladder of the next season (docs/formats/round-robin.md)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from bot.league.counting.draw import Draw, Purpose
from bot.league.formats.round_robin.lines import Line
from bot.league.formats.shared.groups import LadderPlace
from bot.league.season.model import Name


def by_places(
    orders: Sequence[Sequence[Name]], lines: Mapping[Name, Line], struck: Collection[Name], draw: Draw
) -> list[Name]:
    """Return everyone by place in their group, then by points and difference per match, then by the draw.

    Struck players come last, whatever their group.
    """
    place = {name: len(lines) if name in struck else at for order in orders for at, name in enumerate(order)}
    best_first = sorted(draw.sort(Purpose.TIEBREAK, place), key=lambda name: lines[name].per_match, reverse=True)
    return sorted(best_first, key=place.__getitem__)


def unmoved(everybody: Sequence[Name]) -> list[LadderPlace]:
    """Return the ladder of a season without divisions: everybody's order."""
    return [LadderPlace(name=name, place=at, players=len(everybody)) for at, name in enumerate(everybody, start=1)]


def moved(divisions: Sequence[Sequence[Name]], moves: int) -> list[LadderPlace]:
    """Return the ladder after so many went up and down between divisions, never more than half of one."""
    between = [min(moves, len(upper) // 2, len(lower) // 2) for upper, lower in pairwise(divisions)]
    down = [0, *between]
    up = [*between, 0]
    ladder: list[LadderPlace] = []
    for number, names in enumerate(divisions):
        lines = [
            [
                LadderPlace(name=name, place=at, players=len(others), division=other, leads_to=number + 1)
                for at, name in enumerate(others, start=1)
            ]
            for other, others in ((number + 1, names), *_beside(divisions, number))
        ]
        own, above, below = lines
        ladder += above[len(above) - down[number] :]
        ladder += own[down[number] : len(names) - up[number]]
        ladder += below[: up[number]]
    return ladder


def _beside(divisions: Sequence[Sequence[Name]], number: int) -> Iterator[tuple[int, Sequence[Name]]]:
    """Yield the divisions above and below one with their numbers, without players where there is none."""
    yield number, divisions[number - 1] if number else ()
    yield number + 2, divisions[number + 1] if number + 1 < len(divisions) else ()
