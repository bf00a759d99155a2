"""The players of one list by position, and who of them met."""

from collections.abc import Container, Sequence
from functools import cached_property

from bot.league.history import Meetings
from bot.league.model import Meeting, Name
from bot.league.reasons import Reason

Choice = tuple[int, Sequence[Reason]]
"""Whom somebody takes, and why."""


class Roster:
    """A list of players, known by their positions from 0."""

    def __init__(self, order: Sequence[Name], met: Meetings) -> None:
        self.names = tuple(order)
        self.met = met

    @cached_property
    def forbidden(self) -> list[set[int]]:
        """Whom each may not meet again; only a certificate needs them all, and most lists need none."""
        position = {name: number for number, name in enumerate(self.names)}
        return [{position[other] for other in self.met.of(name) if other in position} for name in self.names]

    def __len__(self) -> int:
        """Return how many players there are."""
        return len(self.names)

    def met_by(self, player: int) -> Container[Name]:
        """Return everybody a player has met."""
        return self.met.of(self.names[player])

    def may_meet(self, one: int, other: int) -> bool:
        """Whether two have not met."""
        return self.names[other] not in self.met.of(self.names[one])

    def meeting(self, one: int, other: int) -> Meeting:
        """Return when two who may not meet again met."""
        meeting = self.met.between(self.names[one], self.names[other])
        if meeting is None:
            raise ValueError(f"{self.names[one]} and {self.names[other]} never met")
        return meeting
