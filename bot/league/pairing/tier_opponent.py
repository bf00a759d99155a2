"""The opponent each player of a tier takes: the lowest ranked, unless they may refuse (docs/formats/ohs.md)."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from bot.league.pairing.graph import Edge
from bot.league.pairing.in_short import Pieces, tell
from bot.league.pairing.reasons import Key, Reason
from bot.league.pairing.roster import Roster
from bot.league.season.model import Name


class TierOpponents:
    """The unpaired of a tier by strength of schedule, and their heights: positions in the ranking from the worst."""

    first_of_several = "lowest ranked"
    """How a player with nobody left chooses among those they have to avoid, in words."""

    def __init__(self, roster: Roster, ranking: Sequence[Name], ranking_keys: Sequence[Key]) -> None:
        self.roster = roster
        self.ranking_keys = ranking_keys
        position = roster.position
        self.by_height = [position[name] for name in reversed(ranking) if name in position]
        self.height = sorted(range(len(roster)), key=self.by_height.__getitem__)
        self.unpaired: list[int] = []
        self.heights: list[int] = []
        self.here = bytearray(len(roster))
        self._add(range(len(roster)))

    def __iter__(self) -> Iterator[int]:
        """Yield the unpaired by strength of schedule."""
        return iter(self.unpaired)

    def first(self) -> int | None:
        """Return the player who chooses next; None when everyone is paired."""
        return self.unpaired[0] if self.unpaired else None

    def first_choice(self, chooser: int) -> int | None:
        """Return the opponent A takes by the rules alone; None if A has met everyone unpaired."""
        firm = self._first_who_cannot_refuse(chooser)
        refusing: int | None = None
        for other in self._new_opponents(chooser):
            if other >= firm:
                return other
            refusing = other if refusing is None else refusing
        return refusing

    def last_resorts(self, chooser: int, _undone: Sequence[Edge]) -> Iterator[int]:
        """Yield everyone unpaired in the order a player with nobody left tries them."""
        firm, new = self._first_who_cannot_refuse(chooser), list(self._new_opponents(chooser))
        yield from (other for other in new if other >= firm)
        yield from (other for other in new if other < firm)
        others = (other for other in self._from_the_lowest() if other != chooser)
        yield from (other for other in others if not self.roster.may_meet(chooser, other))

    def take(self, chooser: int, other: int) -> None:
        """Take two players out, and share the others among the halves again."""
        middle = self._middle
        unpaired, heights, bottom = self.unpaired, self.heights, self.bottom
        for player in (chooser, other):
            self.here[player] = False
            height = self.height[player]
            del unpaired[bisect_left(unpaired, player)]
            del heights[bisect_left(heights, height)]
            if player >= middle:
                del bottom[bisect_left(bottom, height)]
        half = len(unpaired) // 2
        if len(bottom) > half:
            del bottom[bisect_left(bottom, self.height[middle])]
        elif len(bottom) < half:
            insort(bottom, self.height[unpaired[half]])

    def put_back(self, pairs: Sequence[Edge]) -> None:
        """Add the players of some pairs to the unpaired."""
        self._add(player for pair in pairs for player in pair)

    def why(self, chooser: int, chosen: int) -> list[Reason]:
        """Tell the first choice of A."""
        name, other = self.roster.names[chooser], self.roster.names[chosen]
        skipped, halves = self._skipped(chooser, chosen), list[Reason]()
        refused = chosen < self._first_who_cannot_refuse(chooser)
        if refused:
            halves = [self._refusals_ignored(chooser)]
        elif chosen < self._middle:
            halves = [Reason(f"{other} is {self._c_test(chosen)}, not ranked below {name}, so {other} can't refuse.")]
        tested = halves or any(self.roster.may_meet(chooser, other) for other in skipped)
        lists = self._lists(*((len(self.unpaired),) * 2 if tested else (2, len(skipped) + 3)))
        skips = self.roster.skipped(chooser, skipped, lambda other: self._why_not(chooser, other))
        which = "of those who could refuse" if refused else "of those not skipped" if skipped else "player left"
        words = f"{name}, the first, takes {other}, the lowest ranked {which}."
        return [*lists, *skips, *halves, Reason(words, short=self._in_short(chooser, chosen, skipped))]

    def _in_short(self, chooser: int, chosen: int, skipped: Sequence[int]) -> Pieces:
        names = self.roster.names
        both = {"a": names[chooser], "b": names[chosen]}
        if len(self.unpaired) == 2:
            return tell("{a} and {b} were the last two left.", **both)
        apart = self.roster.kept_apart_from(chooser, skipped)
        new = self.roster.may_meet_in_words(apart=apart, they="{a:they}", had="hadn't")
        if chosen < self._first_who_cannot_refuse(chooser):
            rule = "Everyone {a} could still get had the right to refuse, so that right didn't count. "
            return tell(f"{rule}{{a}} got the lowest ranked player {new}: {{b}}.", **both)
        which = new if skipped else "left"
        if any(self.roster.may_meet(chooser, other) for other in skipped):
            which += ", of those who couldn't refuse"
        order = self.roster.order_in_short()
        return tell(f"{order}{{a}} came first and got the lowest ranked player {which}: {{b}}.", **both)

    def why_last_resort(self, chooser: int, chosen: int, skipped: Sequence[Reason]) -> Sequence[Reason]:
        """Tell both orders of the unpaired, from which a player with nobody left takes one, and who is skipped.

        Those who can't refuse are tried first, so only after them everyone left could.
        """
        lists = self._lists(len(self.unpaired), len(self.unpaired))
        refused = self.roster.may_meet(chooser, chosen) and chosen < self._first_who_cannot_refuse(chooser)
        return (*lists, *skipped, *((self._refusals_ignored(chooser),) if refused else ()))

    def _add(self, players: Iterable[int]) -> None:
        added = list(players)
        for player in added:
            self.here[player] = True
        self.unpaired = sorted([*self.unpaired, *added])
        self.heights = sorted([*self.heights, *(self.height[player] for player in added)])
        lower_half = set(self.unpaired[len(self.unpaired) // 2 :])
        self.bottom = [height for height in self.heights if self.by_height[height] in lower_half]

    @property
    def _middle(self) -> int:
        """The first of the bottom half."""
        return self.unpaired[len(self.unpaired) // 2]

    def _from_the_lowest(self) -> Iterator[int]:
        return map(self.by_height.__getitem__, self.heights)

    def _new_opponents(self, chooser: int) -> Iterator[int]:
        """Yield the unpaired players that A hasn't met, the lowest ranked first."""
        names, met = self.roster.names, self.roster.met.of(self.roster.names[chooser])
        if len(met) > self.roster.nearly_all:
            few = (other for other in self.roster.few_left(chooser) if self.here[other])
            return iter(sorted(few, key=self.height.__getitem__))
        return (other for other in self._from_the_lowest() if names[other] not in met and other != chooser)

    def _first_who_cannot_refuse(self, chooser: int) -> int:
        """Return the first by strength of schedule who passes the C test: B passes if B's position is above w.

        w is how many of the bottom half are ranked below the chooser A: at position p in the top half, C is the p-th
        lowest of the bottom half, and C is ranked below A just if p is at most w. The bottom half begins after w.
        """
        w = bisect_left(self.bottom, self.height[chooser])
        return self.unpaired[w]

    def _skipped(self, chooser: int, chosen: int) -> list[int]:
        """Return the others A passed over: all below B, or everyone if no one else was left than who could refuse."""
        others = (other for other in self._from_the_lowest() if other != chooser)
        if chosen < self._first_who_cannot_refuse(chooser):
            return list(others)
        return list(takewhile(lambda other: other != chosen, others))

    def _refusals_ignored(self, chooser: int) -> Reason:
        return Reason(f"Everyone {self.roster.names[chooser]} could still get could refuse, so no one can.")

    def _lists(self, by_schedule: int, by_ranking: int) -> tuple[Reason, ...]:
        """Tell so many of the unpaired in both orders; of the last two nothing has to be compared."""
        size, unpaired = len(self.unpaired), self.roster.unpaired
        first = unpaired(self.unpaired, size, first=by_schedule)
        if size == 2:
            return (first,)
        lowest = self._from_the_lowest()
        return first, unpaired(lowest, size, first=by_ranking, keys=self.ranking_keys, start=" from the lowest")

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
