"""Why OHS tiers pair whom they pair: the drawn order, the tier, and who was paired up, each with its sentence."""

from dataclasses import dataclass

from bot.league.draw import Draw, Purpose
from bot.league.model import Name
from bot.league.reasons import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPlaces(Reason):
    """Where the two players of a first-round pair stand in the drawn order."""

    names: tuple[Name, Name]
    places: tuple[int, int]
    players: int
    draw: Draw

    def sentence(self) -> str:
        """Return both places, with the texts to hash and their draws."""
        both = " and ".join(
            f"{name} is number {place} ({self.draw.text(Purpose.ORDER, name)} "
            f"gives {self.draw.value(Purpose.ORDER, name)[:16]})"
            for name, place in zip(self.names, self.places, strict=True)
        )
        return f"In the drawn order of {self.players} {both}."


@dataclass(frozen=True, slots=True, kw_only=True)
class InTier(Reason):
    """A pair was made within one tier."""

    losses: int
    players: int
    order: str

    def sentence(self) -> str:
        """Return the tier, and how it was sorted."""
        return f"{tier_name(self.losses)}: {self.players} players, sorted by {self.order}."


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedUp(Reason):
    """A player joined an odd tier from the one below."""

    name: Name
    origin: int
    target: int
    candidates: int
    among: str
    draw: Draw | None
    """The draw that chose him; None: the ranking did."""

    def sentence(self) -> str:
        """Return from where to where, and why he."""
        one, those = self.candidates == 1, f"{self.candidates} {self.among}"
        chosen = f"the only one {self.among}" if one else f"the highest-ranked of the {those}"
        if self.draw is not None:
            text, value = self.draw.text(Purpose.PAIR_UP, self.name), self.draw.value(Purpose.PAIR_UP, self.name)
            drawn = chosen if one else f"the smallest draw among the {those}"
            chosen = f"{drawn} ({text} gives {value[:16]})"
        moved = f"{self.name} was paired up from the {self.origin}-loss tier"
        return f"{tier_name(self.target)} was odd, so {moved}: {chosen}."


@dataclass(frozen=True, slots=True, kw_only=True)
class FewestByes(Reason):
    """Who could get the bye: those with the fewest so far, of everybody or of the lowest tier."""

    byes: int
    candidates: int
    lowest: bool

    def sentence(self) -> str:
        """Return who could get it."""
        where = " of the lowest tier" if self.lowest else ""
        return (
            f"The number of players is odd, so somebody{where} has a bye, and the fewest byes come first: "
            f"{self.candidates} could get it, with {self.byes} so far."
        )


def tier_name(losses: int) -> str:
    """Return a tier as a sentence begins with it."""
    return f"The {losses}-loss tier"
