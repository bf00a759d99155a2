"""The opponent each player of a tier takes: the lowest ranked, unless they may refuse (docs/rules.md, 4)."""

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence

from bot.league.model import Name
from bot.league.pairing.roster import Choice, Roster
from bot.league.reasons import MOST_TOLD, AlreadyMet, LowestRanked, MayRefuse, MorePassedOver, Reason, RefusalsIgnored


class TierChoice:
    """The unpaired of a tier by strength of schedule, and their heights: positions in the ranking from the worst."""

    def __init__(self, roster: Roster, ranking: Sequence[Name], order: str) -> None:
        self.roster = roster
        self.order = order
        position = {name: number for number, name in enumerate(roster.names)}
        self.by_height = [position[name] for name in reversed(ranking) if name in position]
        self.height = sorted(range(len(roster)), key=self.by_height.__getitem__)
        self.unpaired: list[int] = []
        self.put_back(range(len(roster)))

    def put_back(self, players: Sequence[int]) -> None:
        """Add players to the unpaired."""
        self.unpaired = sorted([*self.unpaired, *players])
        self.heights = sorted(self.height[player] for player in self.unpaired)
        self.bottom = sorted(self.height[player] for player in self.unpaired[len(self.unpaired) // 2 :])

    def take(self, one: int, other: int) -> None:
        """Take two players out, and share the others among the halves again."""
        middle = self.unpaired[len(self.unpaired) // 2]
        for player in (one, other):
            _remove(self.unpaired, player)
            _remove(self.heights, self.height[player])
            if player >= middle:
                _remove(self.bottom, self.height[player])
        half = len(self.unpaired) // 2
        if len(self.bottom) > half:
            _remove(self.bottom, self.height[middle])
        elif len(self.bottom) < half:
            insort(self.bottom, self.height[self.unpaired[half]])

    def first_choice(self, chooser: int) -> Choice | None:
        """Return the opponent A takes by the rules alone, and why; None if A has met everybody unpaired."""
        first_who_passes = self._first_who_passes(chooser)
        met = self.roster.met_by(chooser)
        passed: list[int] = []
        for height in self.heights:
            other = self.by_height[height]
            if other == chooser:
                continue
            if other >= first_who_passes and self.roster.names[other] not in met:
                return other, self._why(chooser, passed, other)
            passed.append(other)
        chosen = next((other for other in passed if self.roster.may_meet(chooser, other)), None)
        ignored = RefusalsIgnored(chooser=self.roster.names[chooser])
        return None if chosen is None else (chosen, self._why(chooser, passed, chosen, ignored))

    def last_resorts(self, chooser: int, undone: Sequence[tuple[int, int]]) -> Iterator[Choice]:
        """Yield everybody unpaired in the order a player with nobody left tries them; `undone` plays no part."""
        first_who_passes = self._first_who_passes(chooser)
        others = [other for height in self.heights if (other := self.by_height[height]) != chooser]
        new = [other for other in others if self.roster.may_meet(chooser, other)]
        yield from ((other, ()) for other in new if other >= first_who_passes)
        ignored = RefusalsIgnored(chooser=self.roster.names[chooser])
        yield from ((other, (ignored,)) for other in new if other < first_who_passes)
        yield from ((other, ()) for other in others if not self.roster.may_meet(chooser, other))

    def _first_who_passes(self, chooser: int) -> int:
        """Return the first by strength of schedule who passes the C test: B passes if B's position is above w.

        w is how many of the bottom half are ranked below the chooser A: at position p in the top half, C is the p-th
        lowest of the bottom half, and C is ranked below A just if p is at most w. The bottom half begins after w.
        """
        w = bisect_left(self.bottom, self.height[chooser])
        return self.unpaired[w]

    def _why(self, chooser: int, passed: Sequence[int], chosen: int, *ignored: Reason) -> list[Reason]:
        names = self.roster.names
        told = [self._why_not(chooser, other) for other in passed[:MOST_TOLD]]
        if more := len(passed) - len(told):
            told.append(MorePassedOver(chooser=names[chooser], count=more))
        return [*told, *ignored, LowestRanked(chooser=names[chooser], chosen=names[chosen], order=self.order)]

    def _why_not(self, chooser: int, other: int) -> Reason:
        names = self.roster.names
        if not self.roster.may_meet(chooser, other):
            return AlreadyMet(chooser=names[chooser], other=names[other], meeting=self.roster.meeting(chooser, other))
        before = bisect_left(self.unpaired, other)
        third = names[self.by_height[self.bottom[before]]]
        return MayRefuse(chooser=names[chooser], other=names[other], position=before + 1, third=third, order=self.order)


def _remove(numbers: list[int], number: int) -> None:
    del numbers[bisect_left(numbers, number)]
