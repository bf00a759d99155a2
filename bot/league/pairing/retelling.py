"""Why each pair of a list was set, told when someone asks: the walk is gone through once more, pair by pair."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from bot.league.pairing.certified_walk import Stuck, Walk
from bot.league.pairing.graph import Edge
from bot.league.pairing.in_short import tell
from bot.league.pairing.reasons import MOST_TOLD, Reason, forced_rematch, when
from bot.league.season.in_words import and_more, first_few
from bot.league.season.model import Name

Opening = Callable[[tuple[Name, Name]], Iterable[Reason]]
"""Tells what comes before the reasons of a pair: why these players are in this list."""


class Retelling:
    """The reasons of all pairs of a finished walk."""

    def __init__(self, walk: Walk, opening: Opening) -> None:
        self.walk = walk
        self.roster = walk.roster
        self.choices = walk.choices
        self.opening = opening

    def of(self, number: int) -> tuple[Reason, ...]:
        """Return the reasons of one pair."""
        return self._all[number]

    @cached_property
    def _all(self) -> list[tuple[Reason, ...]]:
        """The reasons of each pair; all are told together, because each begins where the one before ended."""
        self.choices.put_back(self.walk.pairs)
        stuck = self.walk.stuck
        return [tuple(self._of_pair(*pair, stuck.get(number))) for number, pair in enumerate(self.walk.pairs)]

    def _of_pair(self, chooser: int, chosen: int, stuck: Stuck | None) -> Iterator[Reason]:
        names = self.roster.names
        yield from self.opening((names[chooser], names[chosen]))
        yield from self._earlier_pairs(chooser, chosen)
        if stuck is None:
            yield from self.choices.why(chooser, chosen)
        else:
            yield from self._stuck(chooser, chosen, stuck)
        if not self.roster.may_meet(chooser, chosen):
            yield forced_rematch(names[chooser], names[chosen], self.roster.meeting(chooser, chosen))
        self.choices.take(chooser, chosen)

    def _earlier_pairs(self, chooser: int, chosen: int) -> Iterator[Reason]:
        """Tell the earlier pairs of the two that were undone for another player."""
        names, undone_for = self.roster.names, self.walk.undone_for
        for undone in dict.fromkeys((undone_for.get(chooser), undone_for.get(chosen))):
            if undone is not None and undone[1] != chooser:
                (upper, lower), stuck = undone
                told = f"{names[upper]} v {names[lower]} was set before, and undone because {names[stuck]}"
                yield Reason(f"{told} had no one left.")

    def _stuck(self, chooser: int, chosen: int, stuck: Stuck) -> Iterator[Reason]:
        names = self.roster.names
        nobody = self._nobody_left(chooser, stuck.undone)
        yield self._told_of(chooser, nobody)
        if stuck.undone:
            yield self._undone(chooser, stuck.undone)
        apart = " or was kept apart from them" if self.roster.kept_apart_from(chooser, nobody) else ""
        why_not = ": then the others would need one more rematch"
        skipped = self.roster.skipped(chooser, stuck.failed, lambda _: why_not)
        yield from self.choices.why_last_resort(chooser, chosen, skipped)
        yield Reason(
            f"{names[chooser]} takes {names[chosen]}, the first choice that still lets everyone else be paired.",
            short=tell(
                f"{{a}} had met everyone left{apart}. So "
                "{a:they} got the first player who left everyone else an opponent: {b}.",
                a=names[chooser],
                b=names[chosen],
            ),
        )

    def _nobody_left(self, chooser: int, undone: Sequence[Edge]) -> list[int]:
        """Return the unpaired before the last pairs were undone: the chooser may meet none of them."""
        paired = {chooser, *(player for pair in undone for player in pair)}
        return [other for other in self.choices if other not in paired]

    def _told_of(self, chooser: int, met: Sequence[int]) -> Reason:
        names = self.roster.names
        told = ", ".join(f"{names[other]} ({when(self.roster.meeting(chooser, other))})" for other in met[:MOST_TOLD])
        apart = " or is kept apart from them" if self.roster.kept_apart_from(chooser, met) else ""
        more = and_more(len(met) - MOST_TOLD)
        return Reason(f"{names[chooser]} has met everyone still unpaired{apart}: {told}{more}.")

    def _undone(self, chooser: int, undone: Sequence[Edge]) -> Reason:
        names = self.roster.names
        last_first = [f"{names[upper]} v {names[lower]}" for upper, lower in reversed(undone)]
        return Reason(
            f"For {names[chooser]} the last pairs were undone until everyone could be paired with the fewest "
            f"rematches: {first_few(last_first, MOST_TOLD, ', then ')}."
        )
