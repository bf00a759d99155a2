"""The table of a group: by points, then by its tie-breaks among equals (docs/formats/round-robin.md)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType

from bot.league.counting.draw import Draw, Purpose
from bot.league.formats.round_robin.filling import Group
from bot.league.formats.round_robin.lines import Line
from bot.league.formats.round_robin.table_tiebreaks import OF_OWN_MATCHES, value_of
from bot.league.season.choices import TableTiebreak
from bot.league.season.model import Name
from bot.league.season.settings import SeasonSettings

POINTS, DRAW, STRUCK = "points", "draw", "struck"
"""What can put a player behind the one before, besides the tie-breaks by their words."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """Players in order, best first; `behind` says what put each behind the one before."""

    names: tuple[Name, ...]
    behind: Mapping[Name, str] = field(default_factory=lambda: MappingProxyType[Name, str]({}))

    @property
    def drawn(self) -> frozenset[Name]:
        """Return the players whose place the draw decided."""
        both = zip(self.names, self.names[1:], strict=False)
        return frozenset(name for pair in both if self.behind[pair[1]] == DRAW for name in pair)

    @property
    def tied_by(self) -> Mapping[Name, str]:
        """Return what put players behind the one before who has as many points, in words."""
        words = {DRAW: "the draw"}
        return {name: words.get(by, by) for name, by in self.behind.items() if by not in (POINTS, STRUCK)}

    @property
    def ranks(self) -> dict[Name, int]:
        """Return the place of each player, the same for those that only the draw tells apart."""
        ranks: dict[Name, int] = {}
        for number, name in enumerate(self.names, start=1):
            tied = number > 1 and self.behind[name] == DRAW
            ranks[name] = ranks[self.names[number - 2]] if tied else number
        return ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """The tables of all groups, and everybody's order."""

    lines: Mapping[Name, Line]
    struck: frozenset[Name]
    orders: tuple[Ordered, ...]
    """The players of each group, best first, struck ones last."""
    everybody: tuple[Name, ...]

    @property
    def places(self) -> dict[Name, tuple[int, int]]:
        """Return the group and the place in it of everyone who has one."""
        return {
            name: (group, place)
            for group, order in enumerate(self.orders, start=1)
            for place, name in enumerate(order.names, start=1)
        }


def ordered(
    group: Group, lines: Mapping[Name, Line], struck: frozenset[Name], settings: SeasonSettings, draw: Draw
) -> Ordered:
    """Return a group in order, struck players last."""
    counted = in_order([name for name in group if name not in struck], lines, settings.tiebreaks, draw)
    last = draw.sort(Purpose.TIEBREAK, [name for name in group if name in struck])
    return Ordered((*counted.names, *last), {**counted.behind, **dict.fromkeys(last, STRUCK)})


def in_order(
    names: Iterable[Name], lines: Mapping[Name, Line], tiebreaks: Sequence[TableTiebreak], draw: Draw
) -> Ordered:
    """Return the players of a group by points, then by the tie-breaks in their order, then by the draw."""
    behind: dict[Name, str] = {}
    order: list[Name] = []
    for equals in _apart(names, lambda name: lines[name].record.points):
        order += _untied(equals, lines, tuple(tiebreaks), draw, behind)
        behind[order[-len(equals)]] = POINTS
    return Ordered(tuple(order), behind)


def _untied(
    names: list[Name],
    lines: Mapping[Name, Line],
    tiebreaks: tuple[TableTiebreak, ...],
    draw: Draw,
    behind: dict[Name, str],
) -> list[Name]:
    """Return players who are equal so far in order.

    Those still equal in the points from their own matches, but fewer, are compared in theirs again first.
    """
    if len(names) < 2:
        return names
    if not tiebreaks:
        behind |= dict.fromkeys(names, DRAW)
        return draw.sort(Purpose.TIEBREAK, names)
    among, (first, *rest) = frozenset(names), tiebreaks
    order: list[Name] = []
    for equals in _apart(names, lambda name: value_of(first, lines[name], among)):
        again = first in OF_OWN_MATCHES and len(equals) < len(names)
        order += _untied(equals, lines, tiebreaks if again else tuple(rest), draw, behind)
        behind[order[-len(equals)]] = first.words
    return order


def _apart(names: Iterable[Name], value: Callable[[Name], Fraction | int]) -> list[list[Name]]:
    """Return the players in lists of equals, the greatest value first."""
    return [list(equals) for _, equals in groupby(sorted(names, key=value, reverse=True), key=value)]
