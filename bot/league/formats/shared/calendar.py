"""Rounds that are known before anyone plays: who meets in each group, and who rests."""

from dataclasses import dataclass

from bot.league.season.model import Name


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRound:
    """A round in a group, upper players first, and who rests; a group without matches is done.

    `group` is what people call it, nothing where there is one group.
    """

    group: str
    pairs: tuple[tuple[Name, Name], ...]
    resting: Name | None = None

    def opponent_of(self, name: Name) -> Name | None:
        """Return who a player meets, if anyone."""
        return next((other for pair in self.pairs if name in pair for other in pair if other != name), None)


Calendar = tuple[tuple[GroupRound, ...], ...]
"""Each regular round by groups, the first round first."""
