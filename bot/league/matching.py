"""The pairing engine: the published text as far as it goes, and a certificate where it gets stuck (docs/rules.md, 2).

Players are paired one after another by the text alone. Only when one of them has nobody left does a maximum matching
say how many of the pairs set before can stand, and whom he can take so that all are paired with the fewest rematches.
What stands then stands for good.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.league.blossom import Matching
from bot.league.history import Meetings
from bot.league.model import Name
from bot.league.positions import Chain
from bot.league.proposal import Pair
from bot.league.reasons import (
    MOST_TOLD,
    AlreadyMet,
    FirstCompletable,
    ForcedRematch,
    MorePassedOver,
    NextInList,
    NobodyLeft,
    NotCompletable,
    PairsUndone,
    Reason,
    WasUndone,
)
from bot.league.roster import Choice, Roster
from bot.league.tiers import Tier


def pair_list(order: Sequence[Name], met: Meetings) -> tuple[Pair, ...]:
    """Pair an even list from the top, each with the next he has not met, with the fewest rematches."""
    roster = Roster(order, met)
    return _Walk(roster, _List(roster)).pairs()


def pair_tier(
    by_sos: Sequence[Name], ranking: Sequence[Name], met: Meetings, *, order: str = "strength of schedule"
) -> tuple[Pair, ...]:
    """Pair an even 0- or 1-loss tier (docs/rules.md, 4), both orders best first; `order` names the first in reasons."""
    roster = Roster(by_sos, met)
    return _Walk(roster, Tier(roster, ranking, order)).pairs()


def fewest_rematches(order: Sequence[Name], met: Meetings) -> int:
    """Return how many rematches every complete pairing of an even list has at least."""
    return len(Matching(Roster(order, met).forbidden).single) // 2


def omissible(order: Sequence[Name], met: Meetings) -> tuple[Name, ...]:
    """Return those of an odd list without whom the others can be paired without a rematch, in list order."""
    roster = Roster(order, met)
    matching = Matching(roster.forbidden)
    if len(matching.single) != 1:
        return ()
    return tuple(roster.names[player] for player in sorted(matching.dispensable()))


class _Field(Protocol):
    """The unpaired of a list or tier, and the order in which they are chosen."""

    @property
    def unpaired(self) -> Chain: ...

    def first_choice(self, chooser: int) -> Choice | None: ...

    def last_resorts(self, chooser: int, undone: Sequence[tuple[int, int]]) -> Iterator[Choice]: ...

    def take(self, one: int, other: int) -> None: ...

    def put_back(self, one: int, other: int) -> None: ...


class _List:
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


@dataclass(frozen=True, slots=True)
class _Set:
    """A pair that is set, and may yet be undone."""

    upper: int
    lower: int
    reasons: Sequence[Reason]

    @property
    def players(self) -> tuple[int, int]:
        return (self.upper, self.lower)


class _Walk:
    """One way through a list or tier, from nobody to everybody paired."""

    def __init__(self, roster: Roster, field: _Field) -> None:
        if len(roster) % 2:
            raise ValueError("only an even number of players can be paired")
        self.roster = roster
        self.field = field
        self.set: list[_Set] = []
        self.standing = 0
        """How many pairs stand for good; the certificate is about everybody else."""
        self.certificate: Matching | None = None
        self.notices: dict[int, WasUndone] = {}

    def pairs(self) -> tuple[Pair, ...]:
        """Pair everybody, and return the pairs in the order they were set."""
        while (chooser := self.field.unpaired.first) != self.field.unpaired.end:
            choice = self.field.first_choice(chooser)
            if choice is None:
                self._settle(chooser)
            else:
                self._add(chooser, *choice)
        return tuple(self._pair(pair) for pair in self.set)

    def _add(self, chooser: int, chosen: int, reasons: Sequence[Reason]) -> None:
        if self.notices:
            reasons = [*self._notices(chooser, chosen), *reasons]
        self.field.take(chooser, chosen)
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
        for upper, lower in reversed(undone):
            self.field.put_back(upper, lower)
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
        for other, reasons in self.field.last_resorts(chooser, undone):
            if (spare and other in dispensable) if other in forbidden else (spare or other in dispensable):
                choice = FirstCompletable(chooser=names[chooser], chosen=names[other])
                return other, [*self._not_completable(chooser, failed), *reasons, choice]
            failed.append(other)
        raise AssertionError("a maximum matching always leaves somebody")

    def _nobody_left(self, chooser: int) -> Reason:
        names = self.roster.names
        met = [other for other in self.field.unpaired if other != chooser]
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
