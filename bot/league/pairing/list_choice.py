"""Who chooses whom in a list: from the top, each the next he has not met (docs/rules.md, 2)."""

from collections.abc import Iterator, Sequence

from bot.league.pairing.positions import Chain
from bot.league.pairing.roster import Choice, Roster
from bot.league.reasons import MOST_TOLD, AlreadyMet, MorePassedOver, NextInList, Reason


class ListChoice:
    """The unpaired of a list, chosen from the top."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.unpaired = Chain(len(roster))

    def first_choice(self, chooser: int) -> Choice | None:
        """Return the next the chooser has not met, and why; None if there is nobody."""
        names = self.roster.names
        passed: list[int] = []
        for other in self.unpaired.following(chooser):
            if self.roster.may_meet(chooser, other):
                choice = NextInList(chooser=names[chooser], chosen=names[other])
                return other, [*self._passed_over(chooser, passed), choice]
            passed.append(other)
        return None

    def last_resorts(self, chooser: int, undone: Sequence[tuple[int, int]]) -> Iterator[Choice]:
        """Walk the players of the undone pairs, the earliest pair first, then those the chooser has met."""
        may_meet = self.roster.may_meet
        yield from ((other, ()) for pair in undone for other in pair if may_meet(chooser, other))
        yield from ((other, ()) for other in self.unpaired if other != chooser and not may_meet(chooser, other))

    def take(self, one: int, other: int) -> None:
        """Take two players out."""
        self.unpaired.take(one)
        self.unpaired.take(other)

    def put_back(self, one: int, other: int) -> None:
        """Put the two taken out last back."""
        self.unpaired.put_back(other)
        self.unpaired.put_back(one)

    def _passed_over(self, chooser: int, passed: Sequence[int]) -> list[Reason]:
        name, names = self.roster.names[chooser], self.roster.names
        reasons: list[Reason] = [
            AlreadyMet(chooser=name, other=names[other], meeting=self.roster.meeting(chooser, other))
            for other in passed[:MOST_TOLD]
        ]
        if more := len(passed) - len(reasons):
            reasons.append(MorePassedOver(chooser=name, count=more))
        return reasons
