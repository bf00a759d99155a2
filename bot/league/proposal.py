"""What a proposed round is made of: pairs and byes, each with the reasons for it."""

from dataclasses import dataclass

from bot.league.model import Name
from bot.league.reasons import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two players to meet; `upper` is the player who chose, in a bracket the better seed."""

    upper: Name
    lower: Name
    reasons: tuple[Reason, ...] = ()
    rematch: bool = False

    @property
    def players(self) -> tuple[Name, Name]:
        """Both players, upper first."""
        return (self.upper, self.lower)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bye:
    """A player who gets a round for free."""

    name: Name
    reasons: tuple[Reason, ...] = ()
