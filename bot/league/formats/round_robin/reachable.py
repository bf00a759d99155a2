"""What is proven of a round robin: who is sure of the finals or the title, who is out, and what decides it."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import lcm

from bot.league.formats.round_robin.group_endings import Ranges, Way, by_endings, by_points
from bot.league.formats.round_robin.rank_ranges import Range
from bot.league.formats.round_robin.to_come import GroupToCome
from bot.league.formats.shared.proven import Enough, NextMatch, Proven, ToShare, by_places, by_wins
from bot.league.season.model import Name

MOST_RANKED = 100_000
"""With more places than this in the tables of all endings of all groups, points alone are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """Who is in and who is out, which results of their next match put others in or out, and how many wins do."""

    proven: Proven
    next_matches: Mapping[Name, NextMatch]
    enough: Mapping[Name, Enough]


Verdict = Callable[[Range], bool | None]
"""Whether a player with such a range is in, or out; None where it's open."""


def of_one_group(group: GroupToCome, places: int) -> Decided:
    """Return what is decided about so many places for one group.

    Where it has too many endings, only the matches of players are tried who can still come to the line, or be equal
    with those.
    """
    everyone = range(len(group.names))
    if group.endings(group.open) * len(everyone) <= MOST_RANKED:
        ranges = by_endings(group, everyone, group.here, group.open)
        return _decided(group, ranges, _up_to(places), places)
    sure_places = by_places(dict(zip(group.names, group.reach, strict=True)), places).sure
    present = {name: group.reach[at] for at, name in enumerate(group.names) if group.here[at]}
    sure, out = sure_places.intersection(present), by_places(present, places).out
    undecided = [at for at, name in enumerate(group.names) if name in present and name not in sure | out]
    near = _near(group, undecided)
    matches = [fixture for fixture in group.open if not {*fixture}.isdisjoint(near)]
    if group.endings(matches) * len(near) > MOST_RANKED:
        return _decided(group, by_points(group, everyone), _up_to(places), places)
    ranges_found = by_endings(group, near, [at in undecided for at in everyone], matches)
    left = places - len(sure)
    decided = _decided(group, {at: ranges_found[at] for at in undecided}, _up_to(left), left)
    return replace(decided, proven=Proven(sure=decided.proven.sure | sure, out=decided.proven.out | out))


def _near(group: GroupToCome, undecided: Sequence[int]) -> list[int]:
    """Return who can end with as many points as some of these players can."""
    lowest = min((group.reach[at].lowest for at in undecided), default=0)
    highest = max((group.reach[at].highest for at in undecided), default=-1)
    return [at for at, own in enumerate(group.reach) if own.highest >= lowest and own.lowest <= highest]


def _up_to(places: int) -> Verdict:
    return lambda range_: True if range_.perhaps_ahead < places else False if range_.ahead >= places else None


def of_groups(groups: Sequence[GroupToCome], places: int) -> Decided:
    """Return what is decided about so many places for several groups, where the place in the group comes first."""
    most = MOST_RANKED // len(groups)
    each = lcm(*(group.matches for group in groups))
    lookouts = [_Lookout(group, each // group.matches, most) for group in groups]
    levels = [_Level(lookouts, place) for place in range(max(len(group.names) for group in groups))]
    parts = [
        _decided(lookout.group, lookout.ranges, _across(lookout, levels, places), places // len(groups))
        for lookout in lookouts
    ]
    return Decided(
        proven=Proven(
            sure=frozenset(name for part in parts for name in part.proven.sure),
            out=frozenset(name for part in parts for name in part.proven.out),
        ),
        next_matches={name: match for part in parts for name, match in part.next_matches.items()},
        enough={name: enough for part in parts for name, enough in part.enough.items()},
    )


Key = tuple[int, int]
"""Points and difference per match, times a number that makes both whole."""


class _Lookout:
    """What can become of the players of a group, and of each of its places."""

    def __init__(self, group: GroupToCome, times: int, most: int) -> None:
        self.group, self._times = group, times
        everyone = range(len(group.names))
        if group.endings(group.open) * len(everyone) <= most:
            self.ranges = by_endings(group, everyone, group.here, group.open)
        else:
            self.ranges = by_points(group, everyone)

    def least(self, range_: Range) -> Key:
        """Return the least that a player with this range can have."""
        return range_.points.lowest * self._times, range_.difference.lowest * self._times

    def most(self, range_: Range) -> Key:
        """Return the most that a player with this range can have."""
        return range_.points.highest * self._times, range_.difference.highest * self._times

    @cached_property
    def _all(self) -> list[set[Range]]:
        return [set[Range]().union(*ways.values()) for ways in self.ranges.values()]

    def taking(self, places: int) -> tuple[int, int]:
        """Return how many players with one of the first places, at least and at most, can take a place."""
        places = min(places, len(self.group.names))
        gone = [ranges for ranges, here in zip(self._all, self.group.here, strict=True) if not here]
        perhaps = sum(any(rank.best < places for rank in ranges) for ranges in gone)
        surely = sum(all(rank.worst < places for rank in ranges) for ranges in gone)
        return max(0, places - perhaps), places - surely

    def holders(self, place: int) -> tuple[Key | None, Key | None]:
        """Return the least that the player with a place has who can take one, if it's sure, and the most."""
        here = [*self._with(place, here=True)]
        least = min(map(self.least, here), default=None)
        sure = place < len(self.group.names) and not any(self._with(place, here=False))
        return least if sure else None, max(map(self.most, here), default=None)

    def _with(self, place: int, *, here: bool) -> Iterator[Range]:
        both = zip(self._all, self.group.here, strict=True)
        return (
            rank for ranges, is_here in both if is_here is here for rank in ranges if rank.best <= place <= rank.worst
        )


class _Level:
    """The players of all groups with the same place."""

    def __init__(self, lookouts: Iterable[_Lookout], place: int) -> None:
        self._before = {lookout: lookout.taking(place) for lookout in lookouts}
        self._holders = {lookout: lookout.holders(place) for lookout in lookouts}
        self._at_least = sum(least for least, _ in self._before.values())
        self._at_most = sum(most for _, most in self._before.values())
        self._least = sorted(least for least, _ in self._holders.values() if least is not None)
        self._most = sorted(most for _, most in self._holders.values() if most is not None)

    def others_ahead(self, own: _Lookout, range_: Range) -> tuple[int, int]:
        """Return how many of other groups are ahead of a player with this place, at least and at most."""
        high, low = own.most(range_), own.least(range_)
        least, most = self._holders[own]
        behind = len(self._least) - bisect_right(self._least, high) - (least is not None and least > high)
        perhaps = len(self._most) - bisect_left(self._most, low) - (most is not None and most >= low)
        before, at_most_before = self._before[own]
        return self._at_least - before + behind, self._at_most - at_most_before + perhaps


def _across(own: _Lookout, levels: Sequence[_Level], places: int) -> Verdict:
    def verdict(range_: Range) -> bool | None:
        others = [level.others_ahead(own, range_) for level in levels[range_.best : range_.worst + 1]]
        if range_.perhaps_ahead + max(most for _, most in others) < places:
            return True
        return False if range_.ahead + min(least for least, _ in others) >= places else None

    return verdict


def _decided(group: GroupToCome, ranges: Ranges, verdict: Verdict, surely: int) -> Decided:
    """Return what is decided about the players of a group; as many of them as `surely` says are in whatever happens."""
    proven: dict[Name, bool | None] = {}
    next_matches: dict[Name, NextMatch] = {}
    enough: dict[Name, int] = {}
    for player, ways in ranges.items():
        name = group.names[player]
        if not group.here[player]:
            proven[name] = False
            continue
        verdicts = {way: _same(map(verdict, those)) for way, those in ways.items()}
        proven[name] = _same(verdicts.values())
        results = {result: _same(by for way, by in verdicts.items() if way.next is result) for result in group.results}
        if group.left[player]:
            decisive = {result: by for result, by in results.items() if by is not None}
            next_matches[name] = NextMatch(decisive, last=group.left[player] == 1)
        wins = _always_enough(verdicts)
        if wins is not None:
            enough[name] = wins
    if not any(way.wins for ways in ranges.values() for way in ways):
        enough = _enough_by_points(group, surely)
    return Decided(
        proven=Proven(
            sure=frozenset(name for name, through in proven.items() if through),
            out=frozenset(name for name, through in proven.items() if through is False),
        ),
        next_matches=next_matches,
        enough={name: Enough(wins=wins) for name, wins in enough.items()},
    )


def _same(verdicts: Iterable[bool | None]) -> bool | None:
    """Return the verdict that all are; None where they differ, or there is none."""
    different = {*verdicts}
    return different.pop() if len(different) == 1 else None


def _always_enough(verdicts: Mapping[Way, bool | None]) -> int | None:
    """Return the fewest wins with which a player is in, as with all that are more."""
    through = {
        wins: all(by for way, by in verdicts.items() if way.wins == wins) for wins in {way.wins for way in verdicts}
    }
    wins = max((wins for wins, always in through.items() if not always), default=-1) + 1
    return wins if 0 < wins <= max(through) else None


def _enough_by_points(group: GroupToCome, places: int) -> dict[Name, int]:
    points, each = group.settings.points, [group.points[result] for result in group.results]
    low = min(each)
    most = max(points.win + points.loss, 2 * points.draw if group.settings.draws else 0) - 2 * low
    share = ToShare(len(group.open) * most, points.win - low, points.loss - low, most)
    here = [name for name, here in zip(group.names, group.here, strict=True) if here]
    reach, left = dict(zip(group.names, group.reach, strict=True)), dict(zip(group.names, group.left, strict=True))
    return {name: wins for name, wins in by_wins(reach, left, places, share).items() if name in here}
