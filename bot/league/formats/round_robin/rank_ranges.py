"""The places that players of a group can have in one ending, whatever the scores still to come."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from bot.league.formats.round_robin.table_tiebreaks import OF_OWN_MATCHES, Ending, difference_reach, reach_of
from bot.league.formats.round_robin.to_come import Counts, GroupToCome
from bot.league.formats.shared.proven import Reach
from bot.league.season.choices import TableTiebreak


class Range(NamedTuple):
    """The best and the worst place a player can have, and how many with a place to take are ahead at least and at most.

    `difference` is what their score difference can be.
    """

    best: int
    worst: int
    ahead: int
    perhaps_ahead: int
    points: Reach
    difference: Reach


class Ranking:
    """Ranks players of a group by what counts now; values that scores to come can change are ranges.

    `places` says who can take a place at the line. What is said of an ending stays true as results come in.
    """

    def __init__(
        self, group: GroupToCome, counts: Sequence[Counts], places: Sequence[bool], opponents: Sequence[Reach] | None
    ) -> None:
        self._group = group
        self._found: dict[int, Range] = {}
        self._places = places
        self._ending = Ending(counts, group.most_apart, opponents)

    def ranges(self, players: Sequence[int]) -> dict[int, Range]:
        """Return the places of these players among themselves, 0 for the first."""
        self._found = {}
        first = ahead = 0
        for equals in _apart(players, {player: self._ending.counts[player].points for player in players}):
            self._place(equals, self._group.settings.tiebreaks, first, ahead)
            first += len(equals)
            ahead += sum(self._places[player] for player in equals)
        return self._found

    def _place(self, equals: list[int], tiebreaks: Sequence[TableTiebreak], first: int, ahead: int) -> None:
        """Give players who are equal so far their places after so many others."""
        if len(equals) == 1:
            self._set(equals[0], (first, first), (ahead, ahead))
        elif not tiebreaks:
            for player in sorted(equals, key=self._group.lots.__getitem__):
                self._set(player, (first, first), (ahead, ahead))
                first, ahead = first + 1, ahead + self._places[player]
        else:
            self._break(equals, tiebreaks, first, ahead)

    def _break(self, equals: list[int], tiebreaks: Sequence[TableTiebreak], first: int, ahead: int) -> None:
        values = {player: reach_of(tiebreaks[0], self._ending, player, equals) for player in equals}
        if any(low != high for low, high in values.values()):
            self._perhaps(equals, values, first, ahead)
            return
        for those in _apart(equals, {player: low for player, (low, _) in values.items()}):
            again = tiebreaks[0] in OF_OWN_MATCHES and len(those) < len(equals)
            self._place(those, tiebreaks if again else tiebreaks[1:], first, ahead)
            first += len(those)
            ahead += sum(self._places[player] for player in those)

    def _perhaps(self, equals: list[int], values: Mapping[int, Reach], first: int, ahead: int) -> None:
        """Give players their ranges of places where scores to come decide between them."""
        for player, (low, high) in values.items():
            above = [other for other in equals if values[other].lowest > high]
            below = [other for other in equals if values[other].highest < low]
            sure = sum(self._places[other] for other in above)
            others = sum(self._places[other] for other in equals if other != player and other not in below)
            places = first + len(above), first + len(equals) - 1 - len(below)
            self._set(player, places, (ahead + sure, ahead + others))

    def _set(self, player: int, places: tuple[int, int], ahead: tuple[int, int]) -> None:
        points = self._ending.counts[player].points
        self._found[player] = Range(*places, *ahead, Reach(points, points), difference_reach(self._ending, player))


def _apart(players: Sequence[int], values: Mapping[int, int]) -> list[list[int]]:
    """Return the players in lists of equals, the greatest value first."""
    best_first = sorted(players, key=values.__getitem__, reverse=True)
    return [list(equals) for _, equals in groupby(best_first, key=values.__getitem__)]
