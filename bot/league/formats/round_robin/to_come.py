"""What is still to come in a group: which matches, and what counts for each player before them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.history import History
from bot.league.formats.round_robin.berger import rounds_of, season_round
from bot.league.formats.round_robin.filling import Group
from bot.league.formats.round_robin.lines import Line, beaten_and_drawn
from bot.league.formats.shared.proven import Reach
from bot.league.season.choices import Schedule
from bot.league.season.match_score import Result
from bot.league.season.model import Kind, Name
from bot.league.season.scales import PointScale
from bot.league.season.settings import SeasonSettings

HIGHEST_SCORE = 9_999

Fixture = tuple[int, int]
"""Two players who still meet, by their numbers in the group."""


@dataclass(slots=True, kw_only=True)
class Counts:
    """What counts for a player so far, with the matches that others lose to them because they left.

    The scores of `unknown_wins` and `unknown_losses` aren't known: a winner's isn't the smaller one. `unknown` is how
    many scores aren't known at all.
    """

    points: int
    wins: int
    difference: int
    scored: int
    against: list[int]
    """The points from the matches with each of the group."""
    beaten: list[int]
    """Twice how often they won against each of the group, and how often they drew."""
    unknown_wins: int = 0
    unknown_losses: int = 0
    unknown: int = 0


@dataclass(frozen=True, kw_only=True)
class GroupToCome:
    """The players of a group who count in it, what counts for them, and which matches are still to be played."""

    names: tuple[Name, ...]
    here: tuple[bool, ...]
    """Whether each is still in the season: who left ranks, and takes no place."""
    counts: tuple[Counts, ...]
    open: tuple[Fixture, ...]
    """The matches to be played, in the order of the table."""
    settings: SeasonSettings
    lots: tuple[int, ...]
    """The place of each by the draw of the table."""
    matches: int
    """How many matches count for each at the end."""

    @cached_property
    def left(self) -> tuple[int, ...]:
        """How many matches each still plays."""
        return tuple(sum(player in fixture for fixture in self.open) for player in range(len(self.names)))

    @cached_property
    def reach(self) -> tuple[Reach, ...]:
        """The points each can end with."""
        return tuple(self.reach_from(own.points, more) for own, more in zip(self.counts, self.left, strict=True))

    def reach_from(self, points: int, matches: int) -> Reach:
        """Return the points a player can end with who has so many, and plays so many matches."""
        each = [self.points[result] for result in self.results]
        return Reach(points + matches * min(each), points + matches * max(each))

    @cached_property
    def points(self) -> Mapping[Result, int]:
        """The points of each result."""
        points = self.settings.points
        return {Result.WON: points.win, Result.DRAW: points.draw, Result.LOST: points.loss}

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """How a match can end for the first of it."""
        return (Result.WON, Result.LOST, *([Result.DRAW] if self.settings.draws else []))

    @property
    def most_apart(self) -> int:
        """How far apart the scores of a match can be at most."""
        return HIGHEST_SCORE if self.settings.scores else self.settings.best_of

    def endings(self, matches: Collection[Fixture]) -> int:
        """Return in how many ways these matches can end."""
        return len(self.results) ** len(matches)

    def next_match(self, player: int) -> int | None:
        """Return which open match a player plays next, by its number; None where they can choose, or play none."""
        own = [number for number, fixture in enumerate(self.open) if player in fixture]
        chosen = self.settings.schedule is Schedule.OPEN and len(own) > 1
        return None if chosen or not own else own[0]


def group_to_come(
    history: History,
    group: Group,
    lines: Mapping[Name, Line],
    struck: Collection[Name],
    gone: Collection[Name],
    draw: Draw,
) -> GroupToCome:
    """Return what is still to come in a group; nothing of struck players counts."""
    names, settings = tuple(name for name in group if name not in struck), history.season.settings
    at = {name: number for number, name in enumerate(names)}
    counts = tuple(_so_far(lines[name], at) for name in names)
    played: list[Fixture] = []
    for upper, lower in _not_played(history, group):
        if upper in at and lower in at:
            _forfeit(at[upper], at[lower], counts, upper in gone, lower in gone, settings.points)
            if upper not in gone and lower not in gone:
                played.append((at[upper], at[lower]))
    lots = {name: place for place, name in enumerate(draw.sort(Purpose.TIEBREAK, names))}
    return GroupToCome(
        names=names,
        here=tuple(name not in gone for name in names),
        counts=counts,
        open=tuple(played),
        settings=settings,
        lots=tuple(lots[name] for name in names),
        matches=max(1, settings.meetings * (len(names) - 1)),
    )


def _so_far(line: Line, at: Mapping[Name, int]) -> Counts:
    counts = Counts(
        points=line.record.points,
        wins=line.record.wins,
        difference=line.difference,
        scored=line.scored,
        against=[0] * len(at),
        beaten=[0] * len(at),
    )
    for opponent, points in line.points_against.items():
        counts.against[at[opponent]] += points
    for opponent, share in beaten_and_drawn(line):
        counts.beaten[at[opponent]] += int(2 * share)
    return counts


def _not_played(history: History, group: Group) -> Iterator[tuple[Name, Name]]:
    """Yield who still has to meet in a group, in the order of the rounds."""
    meetings, rounds = history.season.settings.meetings, history.table_rounds
    for number in range(1, meetings * rounds_of(len(group)) + 1):
        matches = rounds[number - 1].matches if number <= len(rounds) else ()
        over = {frozenset(match.players) for match in matches if match.kind is not Kind.OPEN}
        for upper, lower in season_round(len(group), meetings, number):
            both = group[upper - 1], group[lower - 1]
            if frozenset(both) not in over:
                yield both


def _forfeit(
    upper: int, lower: int, counts: Sequence[Counts], upper_gone: bool, lower_gone: bool, points: PointScale
) -> None:
    """Count a match that a player who left loses, both where both left; nothing where both are here."""
    if not upper_gone and not lower_gone:
        return
    for own, other, lost in ((upper, lower, upper_gone), (lower, upper, lower_gone)):
        line, got = counts[own], points.loss if lost else points.win
        line.points += got
        line.against[other] += got
        line.wins += not lost
        line.beaten[other] += 0 if lost else 2
        line.unknown_wins += not lost
        line.unknown_losses += lost
        line.unknown += 1
