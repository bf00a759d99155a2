"""The opponent each player of a list takes: the next they haven't met, from the top (docs/rules.md, 2).

The loop that asks for one after another, and why it ends: `certified_walk`.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice

from bot.league.pairing.roster import Choice, Roster
from bot.league.reasons import Reason


class ListOpponents:
    """The unpaired of a list, in its order."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.unpaired = list(range(len(roster)))

    def first_choice(self, chooser: int) -> Choice | None:
        """Return the next player the first of the list hasn't met, and why; None if there is none."""
        skipped: list[int] = []
        for other in islice(self.unpaired, 1, None):
            if self.roster.may_meet(chooser, other):
                return other, self._why(chooser, skipped, other)
            skipped.append(other)
        return None

    def last_resorts(self, chooser: int, undone: Sequence[tuple[int, int]]) -> Iterator[Choice]:
        """Yield the players of the undone pairs, the earliest pair first, then those the chooser has met."""
        may_meet = self.roster.may_meet
        yield from ((other, ()) for pair in undone for other in pair if may_meet(chooser, other))
        yield from ((other, ()) for other in self.unpaired if other != chooser and not may_meet(chooser, other))

    def take(self, one: int, other: int) -> None:
        """Take two players out."""
        for player in (one, other):
            del self.unpaired[bisect_left(self.unpaired, player)]

    def put_back(self, players: Sequence[int]) -> None:
        """Add players to the unpaired."""
        self.unpaired = sorted([*self.unpaired, *players])

    def _why(self, chooser: int, skipped: Sequence[int], chosen: int) -> list[Reason]:
        names = self.roster.names
        which = "the next they haven't met" if skipped else "the next"
        return [
            self.roster.unpaired(self.unpaired, len(self.unpaired), first=len(skipped) + 3),
            *self.roster.skipped(chooser, skipped, lambda other: self.roster.they_met(chooser, other)),
            Reason(f"{names[chooser]}, the first, takes {names[chosen]}, {which}."),
        ]
