"""What an outlook says of each player."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.league.season.model import Name


class Verdict(StrEnum):
    """Whether a player is sure to get through, can't any more, or neither."""

    IN = "in"
    OUT = "out"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Prospect:
    """What one player needs: `words` to themselves, `about` them to others."""

    verdict: Verdict
    words: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What every entrant needs to get through: into the finals, to the title, or to the next round of a bracket.

    `exact` where all `endings` were looked at; otherwise everything said is proven, and more may be true.
    """

    exact: bool
    endings: int
    players: Mapping[Name, Prospect]
    below: frozenset[Name] = frozenset()
    """Who plays in a lower division, where the season can't be won."""

    @property
    def verdicts(self) -> Mapping[Name, Verdict]:
        """The verdicts that tables show."""
        return {name: prospect.verdict for name, prospect in self.players.items() if name not in self.below}
