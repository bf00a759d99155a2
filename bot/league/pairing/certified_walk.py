"""One way through a list: the published text as far as it goes, a certificate where it gets stuck (docs/rules.md, 2).

Players are paired one after another by the text alone. Only when one of them has nobody left does a maximum matching
say how many of the pairs set before can stand, and which opponent lets all be paired with the fewest rematches.
What stands then stands for good: each time at least one pair more, so the walk always ends.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from bot.league.pairing.blossom import Matching
from bot.league.pairing.list_opponent import ListOpponents
from bot.league.pairing.roster import Choice, Roster
from bot.league.pairing.tier_opponent import TierOpponents
from bot.league.proposal import Pair
from bot.league.reasons import MOST_TOLD, Reason, and_more, first_few, forced_rematch, when


class _Set(NamedTuple):
    """A pair that is set, and may yet be undone."""

    players: tuple[int, int]
    reasons: Sequence[Reason]


class Walk:
    """One way through a list or tier, from nobody to everyone paired."""

    def __init__(self, roster: Roster, choices: ListOpponents | TierOpponents) -> None:
        if len(roster) % 2:
            raise ValueError("only an even number of players can be paired")
        self.roster = roster
        self.choices = choices
        self.set: list[_Set] = []
        self.standing = 0
        """How many pairs stand for good; the certificate is about everyone else."""
        self.undone_for: dict[int, tuple[int, int, int]] = {}
        """The undone pair of a player, and the player it was undone for."""

    def pairs(self) -> tuple[Pair, ...]:
        """Pair everyone, and return the pairs in the order they were set."""
        while self.choices.unpaired:
            chooser = self.choices.unpaired[0]
            choice = self.choices.first_choice(chooser)
            if choice is None:
                self._settle(chooser)
            else:
                self._add(chooser, *choice)
        return tuple(self._pair(pair) for pair in self.set)

    def _add(self, chooser: int, chosen: int, why: Sequence[Reason]) -> None:
        if self.undone_for:
            why = [*self._earlier_pairs(chooser, chosen), *why]
        self.choices.take(chooser, chosen)
        self.set.append(_Set((chooser, chosen), why))

    def _earlier_pairs(self, chooser: int, chosen: int) -> Iterator[Reason]:
        """Tell the earlier pairs of the two that were undone for another player."""
        undone = dict.fromkeys((self.undone_for.pop(chooser, None), self.undone_for.pop(chosen, None)))
        for upper, lower, stuck in ((self.roster.names[p] for p in three) for three in undone if three):
            if stuck != self.roster.names[chooser]:
                yield Reason(f"{upper} v {lower} was set before, and undone because {stuck} had no one left.")

    def _settle(self, chooser: int) -> None:
        """Pair a player who has nobody left, undoing as few of the last pairs as that takes."""
        why = [self._nobody_left(chooser)]
        while self.standing < len(self.set) and self.certificate.remove_pair(*self.set[self.standing].players):
            self.standing += 1
        undone = [pair.players for pair in self.set[self.standing :]]
        if undone:
            self._undo(chooser, undone)
            why.append(self._undone(chooser, undone))
        chosen, last_resort = self._last_resort(chooser, undone)
        self._add(chooser, chosen, [*why, *last_resort])
        self.certificate.remove(chosen)
        self.standing += 1

    @cached_property
    def certificate(self) -> Matching:
        """A maximum matching of everyone whose pair doesn't stand for good."""
        return Matching(self.roster.forbidden, (pair.players for pair in self.set))

    def _undo(self, chooser: int, undone: Sequence[tuple[int, int]]) -> None:
        del self.set[self.standing :]
        self.choices.put_back([player for pair in undone for player in pair])
        self.undone_for |= {player: (*pair, chooser) for pair in undone for player in pair}

    def _last_resort(self, chooser: int, undone: Sequence[tuple[int, int]]) -> Choice:
        """Return the first that leaves all others a pairing with the fewest rematches; there is one.

        A new opponent costs a pair of the certificate, a rematch none. Without the chooser it is as large as before
        (`spare`), or one pair smaller; without one of the `dispensable` as well it does not shrink further.
        """
        spare = self.certificate.remove(chooser)
        dispensable = self.certificate.dispensable()
        forbidden, names = self.roster.forbidden[chooser], self.roster.names
        failed: list[int] = []

        def why_not(_: int) -> str:
            return ": then the others would need one more rematch"

        for other, why in self.choices.last_resorts(chooser, undone):
            if other in dispensable or (spare and other not in forbidden):
                skipped = self.roster.skipped(chooser, failed, why_not)
                takes = (
                    f"{names[chooser]} takes {names[other]}, the first choice that still lets everyone else be paired."
                )
                return other, [*why, *skipped, Reason(takes)]
            failed.append(other)
        raise AssertionError("a maximum matching always leaves someone")

    def _nobody_left(self, chooser: int) -> Reason:
        names, met = self.roster.names, [other for other in self.choices.unpaired if other != chooser]
        told = ", ".join(f"{names[other]} ({when(self.roster.meeting(chooser, other))})" for other in met[:MOST_TOLD])
        return Reason(f"{names[chooser]} has met everyone still unpaired: {told}{and_more(len(met) - MOST_TOLD)}.")

    def _undone(self, chooser: int, undone: Sequence[tuple[int, int]]) -> Reason:
        names = self.roster.names
        last_first = [f"{names[upper]} v {names[lower]}" for upper, lower in reversed(undone)]
        return Reason(
            f"For {names[chooser]} the last pairs were undone until everyone could be paired with the fewest "
            f"rematches: {first_few(last_first, MOST_TOLD, ', then ')}."
        )

    def _pair(self, pair: _Set) -> Pair:
        upper, lower = (self.roster.names[player] for player in pair.players)
        if self.roster.may_meet(*pair.players):
            return Pair(upper=upper, lower=lower, reasons=tuple(pair.reasons))
        rematch = forced_rematch(upper, lower, self.roster.meeting(*pair.players))
        return Pair(upper=upper, lower=lower, reasons=(*pair.reasons, rematch), rematch=True)
