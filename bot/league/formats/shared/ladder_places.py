"""The ladder a season leaves: everyone's place, and the division it leads to in the next season."""

from dataclasses import dataclass

from bot.league.season.model import Name


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderPlace:
    """A player's place in a division of so many players, and the division it leads to if everyone comes back.

    Where the season had no divisions, both are None, and the place is that in everybody's order.
    """

    name: Name
    place: int
    players: int
    division: int | None = None
    leads_to: int | None = None

    @property
    def steps(self) -> int:
        """How many divisions it leads up; fewer than none where it leads down."""
        return 0 if self.division is None or self.leads_to is None else self.division - self.leads_to
