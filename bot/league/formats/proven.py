"""Who is sure of the finals and who can't reach them, proven without trying every ending (docs/rules.md, 12)."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bot.league.history import History
from bot.league.model import Kind, Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Proven:
    """Players sure of the finals, and players out of them, over all played results to come if no one leaves.

    It says nothing about the others: it need not find everyone.
    """

    sure: frozenset[Name] = frozenset()
    out: frozenset[Name] = frozenset()


class Reach(NamedTuple):
    """The lowest and the highest score a player can end with."""

    lowest: int
    highest: int


def by_places(reach: Mapping[Name, Reach], places: int) -> Proven:
    """Return what scores alone decide: players who are equal can be ahead by a tie-break."""
    lowest, highest = sorted(r.lowest for r in reach.values()), sorted(r.highest for r in reach.values())
    rivals = {name: len(reach) - bisect_left(highest, own.lowest) - 1 for name, own in reach.items()}
    ahead = {name: len(reach) - bisect_right(lowest, own.highest) for name, own in reach.items()}
    return Proven(
        sure=frozenset(name for name, count in rivals.items() if count < places),
        out=frozenset(name for name, count in ahead.items() if count >= places),
    )


def to_come(history: History, rounds: int) -> dict[Name, int]:
    """Return how many results each entrant still gets in `rounds` rounds of the regular stage."""
    later = rounds - len(history.table_rounds)
    counted = dict.fromkeys(history.records, later)
    for round_ in history.table_rounds:
        for match in round_.matches:
            if match.kind is Kind.OPEN:
                for name in match.players:
                    counted[name] += 1
    return counted


def gone(history: History) -> frozenset[Name]:
    """Return the players who have left the season."""
    return frozenset(name for name in history.records if not history.is_active(name))


def is_settled(history: History) -> bool:
    """Whether those in the season now are those who end it: nobody is to enter or return, or left with their place."""
    left = not history.season.settings.replace and history.left_between()
    entering = any(entrant.entered > history.number for entrant in history.season.entrants)
    returning = any((left.rejoined or 0) > history.number for left in history.season.departures)
    return not (left or entering or returning)
