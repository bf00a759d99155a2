"""What comes next in a season: a round of pairs and byes, each with the reasons for it, or its end."""

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.league.pairing.reasons import Reason
from bot.league.season.model import Name, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two players to meet; `upper` is the player who chose, in a bracket the better seed.

    `tier` is what the format calls the tier, pool or group they were paired in.
    """

    upper: Name
    lower: Name
    tier: str = ""
    rematch: bool = False
    why: Callable[[], tuple[Reason, ...]] = field(default=tuple, compare=False)
    """Tells the reasons: those of a large round are only made when someone reads them."""

    @property
    def players(self) -> tuple[Name, Name]:
        """Both players, upper first."""
        return (self.upper, self.lower)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The steps that led to this pair."""
        return self.why()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bye:
    """A player who gets a round for free."""

    name: Name
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The next round as the rules say, pairs in the order set, the top tier or match first."""

    number: int
    stage: Stage
    pairs: tuple[Pair, ...] = ()
    byes: tuple[Bye, ...] = ()

    @property
    def rematches(self) -> int:
        """How many pairs are rematches that couldn't be avoided."""
        return sum(pair.rematch for pair in self.pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Champion:
    """The season is over; None when nobody is left."""

    name: Name | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualified:
    """The season ends with its regular stage: everyone still active, in standings order."""

    names: tuple[Name, ...]

    @property
    def name(self) -> Name:
        """Return the champion: the first of the standings."""
        return self.names[0]


Next = Proposal | Champion | Qualified
