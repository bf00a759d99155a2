"""One way through a list: the published text as far as it goes, a certificate where it gets stuck.

Players are paired one after another by the text alone. Only when one of them has nobody left does a maximum matching
say how many of the pairs set before can stand, and which opponent lets all be paired with the fewest rematches.
What stands then stands for good: each time at least one pair more, so the walk always ends (docs/formats/shared.md).
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from bot.league.pairing.graph import Edge
from bot.league.pairing.list_opponent import ListOpponents
from bot.league.pairing.matching import Matching
from bot.league.pairing.roster import Roster
from bot.league.pairing.tier_opponent import TierOpponents


class Stuck(NamedTuple):
    """What it took to pair a player with nobody left: the pairs undone, and the opponents tried in vain."""

    undone: Sequence[Edge]
    failed: Sequence[int]


class Walk:
    """One way through a list or tier, from nobody to everyone paired."""

    def __init__(self, roster: Roster, choices: ListOpponents | TierOpponents) -> None:
        if len(roster) % 2:
            raise ValueError("only an even number of players can be paired")
        self.roster = roster
        self.choices = choices
        self.pairs: list[Edge] = []
        """The pairs that are set, each with the player who chose before the one they took."""
        self.standing = 0
        """How many pairs stand for good; the certificate is about everyone else."""
        self.stuck: dict[int, Stuck] = {}
        """By their numbers, the pairs that the text alone would not set."""
        self.undone_for: dict[int, tuple[Edge, int]] = {}
        """The pair of a player that was undone last, and the player it was undone for."""

    def go(self) -> None:
        """Pair everyone."""
        while (chooser := self.go_by_the_text()) is not None:
            self._pair_stuck(chooser)

    def go_by_the_text(self) -> int | None:
        """Pair everyone up to a player who has nobody left, and return that player."""
        choices, add = self.choices, self.pairs.append
        while (chooser := choices.first()) is not None:
            chosen = choices.first_choice(chooser)
            if chosen is None:
                return chooser
            choices.take(chooser, chosen)
            add((chooser, chosen))
        return None

    def rematches(self) -> frozenset[int]:
        """Return the numbers of the pairs who have met: the text sets none of them."""
        return frozenset(number for number in self.stuck if not self.roster.may_meet(*self.pairs[number]))

    @cached_property
    def certificate(self) -> Matching:
        """A maximum matching of everyone whose pair doesn't stand for good."""
        return Matching(self.roster.graph, self.pairs)

    def _pair_stuck(self, chooser: int) -> None:
        """Pair a player who has nobody left, undoing as few of the last pairs as that takes."""
        while self.standing < len(self.pairs) and self.certificate.remove_pair(*self.pairs[self.standing]):
            self.standing += 1
        undone = self.pairs[self.standing :]
        del self.pairs[self.standing :]
        self.choices.put_back(undone)
        self.undone_for |= {player: (pair, chooser) for pair in undone for player in pair}
        *failed, chosen = self.certificate.pair_off(chooser, self.choices.last_resorts(chooser, undone))
        self.choices.take(chooser, chosen)
        self.stuck[self.standing] = Stuck(undone, failed)
        self.pairs.append((chooser, chosen))
        self.standing += 1
