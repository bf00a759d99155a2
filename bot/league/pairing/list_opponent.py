"""The opponent each player of a list takes: the next they haven't met, from the top (docs/formats/shared.md).

The loop that asks for one after another, and why it ends: `certified_walk`.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from bot.league.pairing.graph import Edge
from bot.league.pairing.in_short import Pieces, tell
from bot.league.pairing.reasons import Reason
from bot.league.pairing.roster import Roster
from bot.league.season.model import Name


class ListOpponents:
    """The unpaired of a list, in its order, each linked to the one before and the one after.

    Who is taken out keeps their own links: pairs can be put back, the last first (Knuth's dancing links).
    """

    first_of_several = "first"
    """How a player with nobody left chooses among those they have to avoid, in words."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.size = self.end = len(roster)
        """`end` stands after the last, and before the first."""
        self.after = [*range(1, self.end + 1), 0]
        self.before = [self.end, *range(self.end)]

    def __iter__(self) -> Iterator[int]:
        """Yield the unpaired in the order of the list."""
        player = self.end
        while (player := self.after[player]) != self.end:
            yield player

    def first(self) -> int | None:
        """Return the player who chooses next; None when everyone is paired."""
        return self.after[self.end] if self.size else None

    def first_choice(self, chooser: int) -> int | None:
        """Return the next player the first of the list hasn't met; None if there is none."""
        names, after, end = self.roster.names, self.after, self.end
        met = self.roster.met.of(names[chooser])
        if len(met) > self.roster.nearly_all:
            return next((other for other in self.roster.few_left(chooser) if after[self.before[other]] == other), None)
        other = after[chooser]
        while other != end and names[other] in met:
            other = after[other]
        return None if other == end else other

    def last_resorts(self, chooser: int, undone: Sequence[Edge]) -> Iterator[int]:
        """Yield the players of the undone pairs, the earliest pair first, then those the chooser has met."""
        may_meet = self.roster.may_meet
        yield from (other for pair in undone for other in pair if may_meet(chooser, other))
        yield from (other for other in self if other != chooser and not may_meet(chooser, other))

    def take(self, chooser: int, other: int) -> None:
        """Take two players out."""
        before, after = self.before, self.after
        for player in (chooser, other):
            after[before[player]], before[after[player]] = after[player], before[player]
        self.size -= 2

    def put_back(self, pairs: Sequence[Edge]) -> None:
        """Add the pairs taken out last, in the order they were, to the unpaired."""
        for first, other in reversed(pairs):
            for player in (other, first):
                self.after[self.before[player]] = self.before[self.after[player]] = player
        self.size += 2 * len(pairs)

    def why(self, chooser: int, chosen: int) -> list[Reason]:
        """Tell the first choice of the first of the list."""
        names = self.roster.names
        skipped = list(takewhile(lambda other: other != chosen, islice(self, 1, None)))
        apart = self.roster.kept_apart_from(chooser, skipped)
        new = self.roster.may_meet_in_words(apart=apart)
        which = f"the next {new}" if skipped else "the next"
        return [
            self.roster.unpaired(self, self.size, first=len(skipped) + 3),
            *self.roster.skipped(chooser, skipped, lambda other: self.roster.they_met(chooser, other)),
            Reason(
                f"{names[chooser]}, the first, takes {names[chosen]}, {which}.",
                short=self._in_short(names[chooser], names[chosen], skipped=bool(skipped), apart=apart),
            ),
        ]

    def _in_short(self, chooser: Name, chosen: Name, *, skipped: bool, apart: bool) -> Pieces:
        if self.size == 2:
            return tell(f"{self.roster.put_in_order()}{{a}} and {{b}} were the last two left.", a=chooser, b=chosen)
        new = self.roster.may_meet_in_words(apart=apart, they="{a:they}", had="hadn't")
        which = f" {new}" if skipped else ""
        order = self.roster.order_in_short()
        return tell(
            f"{order}{{a}} came first of the players left and got the next one{which}: {{b}}.", a=chooser, b=chosen
        )

    def why_last_resort(self, _chooser: int, _chosen: int, skipped: Sequence[Reason]) -> Sequence[Reason]:
        """Tell who was skipped for a player with nobody left: the unpaired are sorted as the list is."""
        return skipped
