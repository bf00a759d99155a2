"""What has become of every entrant: his status in the season and his place in the finals (docs/rules.md, 3)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from bot.league.history import History
from bot.league.model import DepartureKind, Name, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Fates:
    """Who has won, who is through and who is still in, as of now; everybody else is out."""

    history: History
    champion: Name | None
    qualified: frozenset[Name]
    active: frozenset[Name]
    places: Mapping[Name, int] = field(default_factory=lambda: MappingProxyType({}))
    """The place each has lost on in the finals."""

    def status(self, name: Name) -> Status:
        """Return an entrant's status; who has won stays the champion even if he leaves afterwards."""
        departure = self.history.departure(name, at=len(self.history.season.rounds) + 1)
        if name == self.champion:
            return Status.CHAMPION
        if departure is not None:
            gone = departure.kind is DepartureKind.DISQUALIFICATION
            return Status.DISQUALIFIED if gone else Status.DROPPED
        if name in self.qualified:
            return Status.QUALIFIED
        return Status.ACTIVE if name in self.active else Status.ELIMINATED

    def place(self, name: Name) -> int | None:
        """Return an entrant's place in the finals; None while he is in, and for who never was."""
        return 1 if name == self.champion and self.places else self.places.get(name)
