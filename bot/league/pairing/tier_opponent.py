"""The opponent each player of a tier takes: the lowest ranked, unless they may refuse (docs/rules.md, 4)."""

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence

from bot.league.model import Name
from bot.league.pairing.roster import Choice, Roster
from bot.league.reasons import Key, Reason


class TierOpponents:
    """The unpaired of a tier by strength of schedule, and their heights: positions in the ranking from the worst."""

    def __init__(self, roster: Roster, ranking: Sequence[Name], ranking_keys: Sequence[Key]) -> None:
        self.roster = roster
        self.ranking_keys = ranking_keys
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
        middle = self._middle
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

    @property
    def _middle(self) -> int:
        """The first of the bottom half."""
        return self.unpaired[len(self.unpaired) // 2]

    def first_choice(self, chooser: int) -> Choice | None:
        """Return the opponent A takes by the rules alone, and why; None if A has met everyone unpaired."""
        firm = self._first_who_cannot_refuse(chooser)
        names, met = self.roster.names, self.roster.met.of(self.roster.names[chooser])
        skipped: list[int] = []
        for height in self.heights:
            other = self.by_height[height]
            if other == chooser:
                continue
            if other >= firm and names[other] not in met:
                return other, self._why(chooser, skipped, other)
            skipped.append(other)
        chosen = next((other for other in skipped if names[other] not in met), None)
        return None if chosen is None else (chosen, self._why(chooser, skipped, chosen, ignored=True))

    def last_resorts(self, chooser: int, undone: Sequence[tuple[int, int]]) -> Iterator[Choice]:
        """Yield everyone unpaired in the order a player with nobody left tries them; `undone` plays no part."""
        firm, may_meet = self._first_who_cannot_refuse(chooser), self.roster.may_meet
        others = [other for height in self.heights if (other := self.by_height[height]) != chooser]
        lists = self._lists(len(others) + 1, len(others) + 1)
        yield from ((o, lists) for o in others if may_meet(chooser, o) and o >= firm)
        ignored = (*lists, self._refusals_ignored(chooser))
        yield from ((o, ignored) for o in others if may_meet(chooser, o) and o < firm)
        yield from ((o, lists) for o in others if not may_meet(chooser, o))

    def _first_who_cannot_refuse(self, chooser: int) -> int:
        """Return the first by strength of schedule who passes the C test: B passes if B's position is above w.

        w is how many of the bottom half are ranked below the chooser A: at position p in the top half, C is the p-th
        lowest of the bottom half, and C is ranked below A just if p is at most w. The bottom half begins after w.
        """
        w = bisect_left(self.bottom, self.height[chooser])
        return self.unpaired[w]

    def _why(self, chooser: int, skipped: Sequence[int], chosen: int, *, ignored: bool = False) -> list[Reason]:
        name, other = self.roster.names[chooser], self.roster.names[chosen]
        halves: list[Reason] = []
        if ignored:
            halves = [self._refusals_ignored(chooser)]
        elif chosen < self._middle:
            halves = [Reason(f"{other} is {self._c_test(chosen)}, not ranked below {name}, so {other} can't refuse.")]
        tested = halves or any(self.roster.may_meet(chooser, other) for other in skipped)
        lists = self._lists(*((len(self.unpaired),) * 2 if tested else (2, len(skipped) + 3)))
        skips = self.roster.skipped(chooser, skipped, lambda other: self._why_not(chooser, other))
        return [*lists, *skips, *halves, Reason(f"{name}, the first, takes {other}, the lowest ranked player left.")]

    def _refusals_ignored(self, chooser: int) -> Reason:
        return Reason(f"Everyone left for {self.roster.names[chooser]} could refuse, so no one can.")

    def _lists(self, by_schedule: int, by_ranking: int) -> tuple[Reason, ...]:
        """Tell so many of the unpaired in both orders; of the last two nothing has to be compared."""
        size, told = len(self.unpaired), self.roster.unpaired
        first = told(self.unpaired, size, first=by_schedule)
        lowest = (self.by_height[height] for height in self.heights)
        if size == 2:
            return (first,)
        return first, told(lowest, size, first=by_ranking, keys=self.ranking_keys, start=" from the lowest")

    def _why_not(self, chooser: int, other: int) -> str:
        if not self.roster.may_meet(chooser, other):
            return self.roster.they_met(chooser, other)
        name, names = self.roster.names[chooser], self.roster.names
        return f", {self._c_test(other)}, ranked below {name}, so {names[other]} can refuse"

    def _c_test(self, other: int) -> str:
        """Name B's position p in the top half, and the player C at position p from the lowest of the bottom half."""
        before = bisect_left(self.unpaired, other)
        third = self.roster.names[self.by_height[self.bottom[before]]]
        return (
            f"number {before + 1} and in the top half: in the bottom half number {before + 1} from the lowest ranked "
            f"is {third}"
        )


def _remove(numbers: list[int], number: int) -> None:
    del numbers[bisect_left(numbers, number)]
