"""One way through a list: the published text as far as it goes, a certificate where it gets stuck (docs/rules.md, 2).

Players are paired one after another by the text alone. Only when one of them has nobody left does a maximum matching
say how many of the pairs set before can stand, and which opponent lets all be paired with the fewest rematches.
What stands then stands for good.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.league.pairing import reasons
from bot.league.pairing.blossom import Matching
from bot.league.pairing.roster import Choice, Roster
from bot.league.proposal import Pair
from bot.league.reasons import Reason


class Choices(Protocol):
    """The unpaired of a list or tier, and the opponent each of them chooses."""

    @property
    def unpaired(self) -> Sequence[int]:
        """Everyone not paired yet, in the order they choose."""
        ...

    def first_choice(self, chooser: int) -> Choice | None:
        """Return the opponent the chooser takes by the text alone, and why; None if there is none."""
        ...

    def last_resorts(self, chooser: int, undone: Sequence[tuple[int, int]]) -> Iterator[Choice]:
        """Yield everyone unpaired in the order a chooser with nobody left tries them."""
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
    """One way through a list or tier, from nobody to everyone paired."""

    def __init__(self, roster: Roster, choices: Choices) -> None:
        if len(roster) % 2:
            raise ValueError("only an even number of players can be paired")
        self.roster = roster
        self.choices = choices
        self.set: list[_Set] = []
        self.standing = 0
        """How many pairs stand for good; the certificate is about everyone else."""
        self.certificate: Matching | None = None
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
        self.set.append(_Set(chooser, chosen, why))

    def _earlier_pairs(self, chooser: int, chosen: int) -> Iterator[Reason]:
        """Tell the earlier pairs of the two that were undone for another player."""
        undone = dict.fromkeys((self.undone_for.pop(chooser, None), self.undone_for.pop(chosen, None)))
        names = self.roster.names
        return (reasons.was_undone(*(names[p] for p in pair)) for pair in undone if pair and pair[2] != chooser)

    def _settle(self, chooser: int) -> None:
        """Pair a player who has nobody left, undoing as few of the last pairs as that takes."""
        nobody = self._nobody_left(chooser)
        certificate = self._certificate()
        while self.standing < len(self.set) and certificate.remove_pair(*self.set[self.standing].players):
            self.standing += 1
        undone = [pair.players for pair in self.set[self.standing :]]
        self._undo(chooser, undone)
        chosen, why = self._last_resort(chooser, undone, certificate)
        self._add(chooser, chosen, [nobody, *self._undone(chooser, undone), *why])
        certificate.remove(chosen)
        self.standing += 1

    def _certificate(self) -> Matching:
        if self.certificate is None:
            self.certificate = Matching(self.roster.forbidden, (pair.players for pair in self.set))
        return self.certificate

    def _undo(self, chooser: int, undone: Sequence[tuple[int, int]]) -> None:
        del self.set[self.standing :]
        self.choices.put_back([player for pair in undone for player in pair])
        self.undone_for |= {player: (*pair, chooser) for pair in undone for player in pair}

    def _last_resort(self, chooser: int, undone: Sequence[tuple[int, int]], certificate: Matching) -> Choice:
        """Return the first that leaves all others a pairing with the fewest rematches; there is one.

        A new opponent costs a pair of the certificate, a rematch none. Without the chooser it is as large as before
        (`spare`), or one pair smaller; without one of the `dispensable` as well it does not shrink further.
        """
        spare = certificate.remove(chooser)
        dispensable = certificate.dispensable()
        forbidden, names = self.roster.forbidden[chooser], self.roster.names
        failed: list[int] = []
        for other, why in self.choices.last_resorts(chooser, undone):
            if other in dispensable or (spare and other not in forbidden):
                skipped = self.roster.skipped(chooser, failed, self._not_completable)
                return other, [*why, *skipped, reasons.first_completable(names[chooser], names[other])]
            failed.append(other)
        raise AssertionError("a maximum matching always leaves someone")

    def _not_completable(self, chooser: int, other: int) -> Reason:
        return reasons.not_completable(self.roster.names[chooser], self.roster.names[other])

    def _nobody_left(self, chooser: int) -> Reason:
        met = [other for other in self.choices.unpaired if other != chooser]
        names = self.roster.names
        return reasons.nobody_left(names[chooser], [(names[o], self.roster.meeting(chooser, o)) for o in met])

    def _undone(self, chooser: int, undone: Sequence[tuple[int, int]]) -> list[Reason]:
        names = self.roster.names
        told = [(names[upper], names[lower]) for upper, lower in reversed(undone)]
        return [reasons.pairs_undone(names[chooser], told)] if told else []

    def _pair(self, pair: _Set) -> Pair:
        upper, lower = (self.roster.names[player] for player in pair.players)
        if self.roster.may_meet(*pair.players):
            return Pair(upper=upper, lower=lower, reasons=tuple(pair.reasons))
        rematch = reasons.forced_rematch(upper, lower, self.roster.meeting(*pair.players))
        return Pair(upper=upper, lower=lower, reasons=(*pair.reasons, rematch), rematch=True)
