"""Who chooses whom in a tier: the lowest-ranked, unless a good strength of schedule lets him refuse (docs/rules.md, 4).

With w = how many of the bottom half are ranked below the chooser, a player may refuse exactly if his position by
strength of schedule is at most w: the top half because C is then one of those w, the bottom half never, as it begins
after w. So the first choice is the lowest-ranked from position w + 1 on, and trees find both without walking the tier.
"""

from collections.abc import Iterator, Sequence

from bot.league.model import Name
from bot.league.pairing.positions import Chain, Counts, Lowest
from bot.league.pairing.roster import Choice, Roster
from bot.league.reasons import MOST_TOLD, AlreadyMet, LowestRanked, MayRefuse, MorePassedOver, Reason, RefusalsIgnored

MOST_TRIED = 16
"""How many of the lowest-ranked are tried one by one before the tree is asked."""
LARGE, FEW_TOLD = 512, 3
"""In a tier of more than so many, fewer are told one by one: finding C for each costs more than the pairing."""


class TierChoice:
    """The unpaired of a tier, by position in its order and by `height`, the position in the ranking from the worst."""

    def __init__(self, roster: Roster, ranking: Sequence[Name], order: str) -> None:
        size = len(roster)
        self.roster = roster
        self.order = order
        position = {name: number for number, name in enumerate(roster.names)}
        self.by_height = [position[name] for name in reversed(ranking) if name in position]
        self.height = [0] * size
        for height, player in enumerate(self.by_height):
            self.height[player] = height
        self.unpaired = Chain(size)
        self.from_worst = Chain(size)
        self.positions = Counts(size, full=True)
        self.heights = Counts(size, full=True)
        self.told = FEW_TOLD if size > LARGE else MOST_TOLD
        self.paired: set[int] = set()
        self.lowest = Lowest(self.height)
        """Of everybody not paired, and of some who are: they are taken away when they come up."""
        self.size = size
        self.middle = self.above = size // 2
        """Where the bottom half begins, and how many unpaired are above it."""
        self.bottom = Counts(size)
        for player in range(self.middle, size):
            self.bottom.add(self.height[player], 1)

    def first_choice(self, chooser: int) -> Choice | None:
        """Return whom the chooser takes by the rules alone, and why; None if he has met everybody unpaired."""
        start = self.positions.nth(self._refusing(chooser))
        chosen, passed = self._near_the_bottom(chooser, start)
        if chosen is None:
            chosen = self._lowest_new(chooser, start)
        ignored = chosen is None
        if chosen is None:
            chosen = self._lowest_new(chooser, 0)
        if chosen is None:
            return None
        reasons = self._passed_over(chooser, chosen, passed, ignored=ignored)
        names = self.roster.names
        reasons.append(LowestRanked(chooser=names[chooser], chosen=names[chosen], order=self.order))
        return chosen, reasons

    def last_resorts(self, chooser: int, undone: Sequence[tuple[int, int]]) -> Iterator[Choice]:
        """Walk everybody unpaired in the order a player who had nobody left tries them; `undone` plays no part."""
        start = self.positions.nth(self._refusing(chooser))
        others = [other for height in self.from_worst if (other := self.by_height[height]) != chooser]
        new = [other for other in others if self.roster.may_meet(chooser, other)]
        yield from ((other, ()) for other in new if other >= start)
        ignored = RefusalsIgnored(chooser=self.roster.names[chooser])
        yield from ((other, (ignored,)) for other in new if other < start)
        yield from ((other, ()) for other in others if not self.roster.may_meet(chooser, other))

    def take(self, one: int, other: int) -> None:
        """Take two players out, and share the others among the halves anew."""
        for player in (one, other):
            self._change(player, -1)
            self.unpaired.take(player)
            self.from_worst.take(self.height[player])
            self.paired.add(player)
        self._share()

    def put_back(self, one: int, other: int) -> None:
        """Put the two taken out last back."""
        for player in (other, one):
            self.unpaired.put_back(player)
            self.from_worst.put_back(self.height[player])
            self.paired.discard(player)
            self.lowest.set(player, self.height[player])
            self._change(player, 1)
        self._share()

    def _change(self, player: int, by: int) -> None:
        height = self.height[player]
        self.size += by
        self.positions.add(player, by)
        self.heights.add(height, by)
        if player < self.middle:
            self.above += by
        else:
            self.bottom.add(height, by)

    def _share(self) -> None:
        """Move the middle to where half of the unpaired are above it."""
        while self.above < self.size // 2:
            player = self.positions.nth(self.above)
            self._move_middle(player + 1, player, 1)
        while self.above > self.size // 2:
            player = self.positions.nth(self.above - 1)
            self._move_middle(player, player, -1)

    def _move_middle(self, middle: int, player: int, by: int) -> None:
        self.middle = middle
        self.above += by
        self.bottom.add(self.height[player], -by)

    def _refusing(self, chooser: int) -> int:
        """Return how many from the top may refuse the chooser: as many as are ranked below him in the bottom half."""
        return self.bottom.before(self.height[chooser])

    def _near_the_bottom(self, chooser: int, start: int) -> tuple[int | None, list[int]]:
        """Try the lowest-ranked one by one, as most choices are among them; also return whom this passed over."""
        passed: list[int] = []
        for height in self.from_worst:
            other = self.by_height[height]
            if other == chooser:
                continue
            if other >= start and self.roster.may_meet(chooser, other):
                return other, passed
            if len(passed) == MOST_TRIED:
                break
            passed.append(other)
        return None, passed

    def _lowest_new(self, chooser: int, start: int) -> int | None:
        """Return the lowest-ranked from `start` on whom the chooser, who comes first, has not met."""
        for height in self.lowest.ascending(max(start, chooser + 1)):
            other = self.by_height[height]
            if other in self.paired:
                self.lowest.set(other, None)
            elif self.roster.may_meet(chooser, other):
                return other
        return None

    def _passed_over(self, chooser: int, chosen: int, passed: Sequence[int], *, ignored: bool) -> list[Reason]:
        """Tell why the first of those passed over were, and count the rest: all, when refusals had to be ignored."""
        name = self.roster.names[chooser]
        reasons = [self._why_not(chooser, other) for other in passed[: self.told]]
        count = len(passed)
        if count == MOST_TRIED:
            below = self.size if ignored else self.heights.before(self.height[chosen])
            count = below - (ignored or self.height[chooser] < self.height[chosen])
        if count > len(reasons):
            reasons.append(MorePassedOver(chooser=name, count=count - len(reasons)))
        if ignored:
            reasons.append(RefusalsIgnored(chooser=name))
        return reasons

    def _why_not(self, chooser: int, other: int) -> Reason:
        names = self.roster.names
        if not self.roster.may_meet(chooser, other):
            return AlreadyMet(chooser=names[chooser], other=names[other], meeting=self.roster.meeting(chooser, other))
        before = self.positions.before(other)
        third = names[self.by_height[self.bottom.nth(before)]]
        return MayRefuse(chooser=names[chooser], other=names[other], position=before + 1, third=third, order=self.order)
