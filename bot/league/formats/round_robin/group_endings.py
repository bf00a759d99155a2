"""How a group can end: each result still to come, and the places that leaves its players, whatever the scores."""

from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy
from typing import NamedTuple

from bot.league.formats.round_robin.rank_ranges import Range, Ranking
from bot.league.formats.round_robin.to_come import Counts, Fixture, GroupToCome
from bot.league.formats.shared.proven import Reach
from bot.league.season.match_score import Result


class Way(NamedTuple):
    """What a player does in some endings: the result of their next match, and how many of all to come they win."""

    next: Result | None
    wins: int


Ranges = dict[int, dict[Way, set[Range]]]
"""What can become of each player, by what they do."""


def by_endings(
    group: GroupToCome, players: Sequence[int], places: Sequence[bool], matches: Sequence[Fixture]
) -> Ranges:
    """Return what can become of these players among themselves in every ending of these matches.

    `places` says who can take a place at the line.
    """
    whole = len(matches) == len(group.open)
    counts, results = deepcopy(group.counts), list[Result]()
    ranking = Ranking(group, counts, places, None if whole else group.reach)
    next_ = {player: _next(group, player, matches) for player in players}
    ranges: Ranges = {player: {} for player in players}

    def note() -> None:
        for player, range_ in ranking.ranges(players).items():
            number = next_[player]
            result = None if number is None else _own(results[number], matches[number], player)
            way = Way(result, counts[player].wins - group.counts[player].wins)
            ranges[player].setdefault(way, set()).add(range_)

    def play(number: int) -> None:
        if number == len(matches):
            note()
            return
        for result in group.results:
            _count(group, counts, matches[number], result, 1)
            results.append(result)
            play(number + 1)
            results.pop()
            _count(group, counts, matches[number], result, -1)

    play(0)
    return ranges


def _next(group: GroupToCome, player: int, matches: Sequence[Fixture]) -> int | None:
    number = group.next_match(player)
    return None if number is None else matches.index(group.open[number])


_OTHER = {Result.WON: Result.LOST, Result.DRAW: Result.DRAW, Result.LOST: Result.WON}


def _own(result: Result, fixture: Fixture, player: int) -> Result:
    """Return a result, which is that of the first of a fixture, as a player of it has it."""
    return result if player == fixture[0] else _OTHER[result]


def _count(group: GroupToCome, counts: Sequence[Counts], fixture: Fixture, result: Result, by: int) -> None:
    """Count a result of the first of a fixture, or with -1 no longer."""
    for own, other, got in ((*fixture, result), (*reversed(fixture), _OTHER[result])):
        line, points = counts[own], by * group.points[got]
        line.points += points
        line.against[other] += points
        line.unknown += by
        if got is Result.WON:
            line.wins += by
            line.unknown_wins += by
            line.beaten[other] += 2 * by
        elif got is Result.LOST:
            line.unknown_losses += by
        else:
            line.beaten[other] += by


def by_points(group: GroupToCome, players: Collection[int]) -> Ranges:
    """Return what points alone say of these players in the whole group, where it has too many endings."""
    ranges: Ranges = {}
    for player in players:
        usual = {Way(None, 0): {_range(group, player, group.reach)}}
        number = group.next_match(player)
        ranges[player] = usual if number is None else dict(_after(group, player, group.open[number]))
    return ranges


def _after(group: GroupToCome, player: int, fixture: Fixture) -> Iterator[tuple[Way, set[Range]]]:
    """Yield what becomes of a player after each result of a match."""
    for result in group.results:
        reach = [*group.reach]
        for member in fixture:
            got = group.points[result if member == player else _OTHER[result]]
            reach[member] = group.reach_from(group.counts[member].points + got, group.left[member] - 1)
        yield Way(result, 0), {_range(group, player, reach)}


_ANY = Reach(-(10**9), 10**9)


def _range(group: GroupToCome, player: int, reach: Sequence[Reach]) -> Range:
    own = reach[player]
    above = [other for other, range_ in enumerate(reach) if range_.lowest > own.highest]
    below = [other for other, range_ in enumerate(reach) if range_.highest < own.lowest]
    perhaps = [other for other in range(len(reach)) if other != player and other not in below]
    ahead = sum(group.here[other] for other in above), sum(group.here[other] for other in perhaps)
    return Range(len(above), len(reach) - 1 - len(below), *ahead, own, _ANY)
