"""What each tie-break of a group compares: its value now, and what that can be in one ending of the rounds to come."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bot.league.formats.round_robin.lines import Line
from bot.league.formats.round_robin.to_come import Counts
from bot.league.formats.shared.proven import Reach
from bot.league.season.choices import TableTiebreak
from bot.league.season.model import Name

OF_OWN_MATCHES = frozenset({TableTiebreak.HEAD_TO_HEAD})
"""The tie-breaks among exactly those who are equal: fewer who still are get compared in theirs again."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What counts for each of a group in one ending, by their numbers; scores to come are up to `most_apart` a match.

    `opponents` are the points each can end with, where not all their matches are part of the ending.
    """

    counts: Sequence[Counts]
    most_apart: int
    opponents: Sequence[Reach] | None


def value_of(tiebreak: TableTiebreak, line: Line, among: Collection[Name]) -> Fraction | int:
    """Return what a tie-break compares of a player `among` those who are equal."""
    match tiebreak:
        case TableTiebreak.HEAD_TO_HEAD:
            return sum(points for opponent, points in line.points_against.items() if opponent in among)
        case TableTiebreak.DIFFERENCE:
            return line.difference
        case TableTiebreak.SCORED:
            return line.scored
        case TableTiebreak.SONNEBORN_BERGER:
            return line.sonneborn_berger
        case TableTiebreak.WINS:
            return line.record.wins


def reach_of(tiebreak: TableTiebreak, ending: Ending, player: int, among: Collection[int]) -> Reach:
    """Return what a tie-break can compare of a player `among` those who end equal."""
    own = ending.counts[player]
    match tiebreak:
        case TableTiebreak.HEAD_TO_HEAD:
            value = sum(own.against[other] for other in among)
            return Reach(value, value)
        case TableTiebreak.DIFFERENCE:
            return difference_reach(ending, player)
        case TableTiebreak.SCORED:
            return Reach(own.scored, own.scored + ending.most_apart * own.unknown)
        case TableTiebreak.SONNEBORN_BERGER:
            reach = ending.opponents or [Reach(count.points, count.points) for count in ending.counts]
            both = [*zip(own.beaten, reach, strict=True)]
            return Reach(sum(n * bounds.lowest for n, bounds in both), sum(n * bounds.highest for n, bounds in both))
        case TableTiebreak.WINS:
            return Reach(own.wins, own.wins)


def difference_reach(ending: Ending, player: int) -> Reach:
    """Return what a player's score difference can be."""
    own, most = ending.counts[player], ending.most_apart
    return Reach(own.difference - most * own.unknown_losses, own.difference + most * own.unknown_wins)
