"""One way through a list: the published text as far as it goes, a certificate where it gets stuck (docs/rules.md, 2).

Players are paired one after another by the text alone. Only when one of them has nobody left does a maximum matching
say how many of the pairs set before can stand, and whom he can take so that all are paired with the fewest rematches.
What stands then stands for good.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.league.pairing.blossom import Matching
from bot.league.pairing.roster import Choice, Roster
from bot.league.proposal import Pair
from bot.league.reasons import (
    MOST_TOLD,
    FirstCompletable,
    ForcedRematch,
    MorePassedOver,
    NobodyLeft,
    NotCompletable,
    PairsUndone,
    Reason,
    WasUndone,
)


class Choices(Protocol):
    """The unpaired of a list or tier, and whom each of them chooses."""

    @property
    def unpaired(self) -> Sequence[int]:
        """Everybody not paired yet, in the order they choose."""
        ...

    def first_choice(self, chooser: int) -> Choice | None:
        """Return whom the chooser takes by the text alone, and why; None if there is nobody."""
        ...

    def last_resorts(self, chooser: int, undone: Sequence[tuple[int, int]]) -> Iterator[Choice]:
        """Walk everybody unpaired in the order a chooser who had nobody left tries them."""
        ...

    def take(self, one: int, other: int) -> None:
        """Take two players out."""
        ...

    def put_back(self, players: Sequence[int]) -> None:
        """Add players to the unpaired."""
        ...


@dataclass(frozen=True, slots=True)
class _Set:
    """A pair that is set, and may yet be undone."""

    upper: int
    lower: int
    reasons: Sequence[Reason]

    @property
    def players(self) -> tuple[int, int]:
        return (self.upper, self.lower)


class Walk:
    """One way through a list or tier, from nobody to everybody paired."""

    def __init__(self, roster: Roster, choices: Choices) -> None:
        if len(roster) % 2:
            raise ValueError("only an even number of players can be paired")
        self.roster = roster
        self.choices = choices
        self.set: list[_Set] = []
        self.standing = 0
        """How many pairs stand for good; the certificate is about everybody else."""
        self.certificate: Matching | None = None
        self.notices: dict[int, WasUndone] = {}

    def pairs(self) -> tuple[Pair, ...]:
        """Pair everybody, and return the pairs in the order they were set."""
        while self.choices.unpaired:
            chooser = self.choices.unpaired[0]
            choice = self.choices.first_choice(chooser)
            if choice is None:
                self._settle(chooser)
            else:
                self._add(chooser, *choice)
        return tuple(self._pair(pair) for pair in self.set)

    def _add(self, chooser: int, chosen: int, reasons: Sequence[Reason]) -> None:
        if self.notices:
            reasons = [*self._notices(chooser, chosen), *reasons]
        self.choices.take(chooser, chosen)
        self.set.append(_Set(chooser, chosen, reasons))

    def _notices(self, chooser: int, chosen: int) -> Iterator[WasUndone]:
        """Return which earlier pairs of the two were undone for somebody else."""
        notices = dict.fromkeys((self.notices.pop(chooser, None), self.notices.pop(chosen, None)))
        return (notice for notice in notices if notice and notice.stuck != self.roster.names[chooser])

    def _settle(self, chooser: int) -> None:
        """Pair somebody who has nobody left, undoing as few of the last pairs as that takes."""
        nobody = self._nobody_left(chooser)
        certificate = self._certificate()
        while self.standing < len(self.set) and certificate.remove_pair(*self.set[self.standing].players):
            self.standing += 1
        undone = [pair.players for pair in self.set[self.standing :]]
        self._undo(chooser, undone)
        chosen, reasons = self._last_resort(chooser, undone, certificate)
        self._add(chooser, chosen, [nobody, *self._undone(chooser, undone), *reasons])
        certificate.remove(chosen)
        self.standing += 1

    def _certificate(self) -> Matching:
        if self.certificate is None:
            self.certificate = Matching(self.roster.forbidden, (pair.players for pair in self.set))
        return self.certificate

    def _undo(self, chooser: int, undone: Sequence[tuple[int, int]]) -> None:
        names = self.roster.names
        del self.set[self.standing :]
        self.choices.put_back([player for pair in undone for player in pair])
        for upper, lower in reversed(undone):
            notice = WasUndone(upper=names[upper], lower=names[lower], stuck=names[chooser])
            self.notices[upper] = self.notices[lower] = notice

    def _last_resort(self, chooser: int, undone: Sequence[tuple[int, int]], certificate: Matching) -> Choice:
        """Return the first with whom all others can still be paired with the fewest rematches; there is one.

        A new opponent costs a pair of the certificate, a rematch none. Without the chooser it is as large as before
        (`spare`), or one pair smaller; without one of the `dispensable` as well it does not shrink further.
        """
        spare = certificate.remove(chooser)
        dispensable = certificate.dispensable()
        forbidden, names = self.roster.forbidden[chooser], self.roster.names
        failed: list[int] = []
        for other, reasons in self.choices.last_resorts(chooser, undone):
            if other in dispensable if other in forbidden else (spare or other in dispensable):
                choice = FirstCompletable(chooser=names[chooser], chosen=names[other])
                return other, [*self._not_completable(chooser, failed), *reasons, choice]
            failed.append(other)
        raise AssertionError("a maximum matching always leaves somebody")

    def _nobody_left(self, chooser: int) -> Reason:
        names = self.roster.names
        met = [other for other in self.choices.unpaired if other != chooser]
        told = tuple((names[other], self.roster.meeting(chooser, other)) for other in met[:MOST_TOLD])
        return NobodyLeft(chooser=names[chooser], told=told, more=len(met) - len(told))

    def _undone(self, chooser: int, undone: Sequence[tuple[int, int]]) -> list[Reason]:
        if not undone:
            return []
        names = self.roster.names
        told = tuple((names[upper], names[lower]) for upper, lower in undone[: -MOST_TOLD - 1 : -1])
        return [PairsUndone(chooser=names[chooser], told=told, more=len(undone) - len(told))]

    def _not_completable(self, chooser: int, failed: Sequence[int]) -> list[Reason]:
        name, names = self.roster.names[chooser], self.roster.names
        reasons: list[Reason] = [NotCompletable(chooser=name, other=names[other]) for other in failed[:MOST_TOLD]]
        if more := len(failed) - len(reasons):
            reasons.append(MorePassedOver(chooser=name, count=more))
        return reasons

    def _pair(self, pair: _Set) -> Pair:
        names = self.roster.names
        upper, lower = names[pair.upper], names[pair.lower]
        rematch = not self.roster.may_meet(*pair.players)
        reasons = pair.reasons
        if rematch:
            meeting = self.roster.meeting(*pair.players)
            reasons = [*reasons, ForcedRematch(chooser=upper, other=lower, meeting=meeting)]
        return Pair(upper=upper, lower=lower, reasons=tuple(reasons), rematch=rematch)
