"""Why a bracket pairs whom it pairs: slots, byes, swaps and the match for third place, each with its sentence."""

from dataclasses import dataclass

from bot.league.model import Meeting, Name
from bot.league.reasons import Reason, when


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketMatch(Reason):
    """Two players stand opposite each other in the bracket."""

    upper: Name
    lower: Name
    seeds: tuple[int, int]
    players: int
    """How many slots this round of the bracket has."""

    def sentence(self) -> str:
        """Return the round of the bracket and both seeds."""
        return (
            f"{_round_name(self.players)}: {self.upper} (bracket slot {self.seeds[0]}) "
            f"meets {self.lower} (bracket slot {self.seeds[1]})."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketBye(Reason):
    """Nobody stands opposite a player: the slot was never filled, or its player left."""

    name: Name
    seed: int
    players: int
    absent: Name | None = None

    def sentence(self) -> str:
        """Return the slot, and who is missing."""
        missing = f"{self.absent} left the season" if self.absent else "nobody stands opposite"
        return f"{_round_name(self.players)}: {self.name} (bracket slot {self.seed}) has a bye, because {missing}."


@dataclass(frozen=True, slots=True, kw_only=True)
class SwappedToAvoidRematch(Reason):
    """A match of a later bracket round got another lower player, so that rematches are avoided."""

    upper: Name
    before: Name
    after: Name
    met: Meeting | None
    season: int

    def sentence(self) -> str:
        """Return whom the bracket had put there, and why it is somebody else."""
        drawn = f"The bracket had {self.upper} against {self.before}"
        if self.met is None:
            return f"{drawn}; {self.before} changed places with others to avoid a rematch, so {self.after} plays here."
        return f"{drawn}, but they met {when(self.met, self.season)}; {self.after} takes the place of {self.before}."


@dataclass(frozen=True, slots=True, kw_only=True)
class ThirdPlaceMatch(Reason):
    """The losing semi-finalists meet, or one of them has left."""

    name: Name
    opponent: Name
    absent: bool = False

    def sentence(self) -> str:
        """Return who plays for third place."""
        if self.absent:
            return f"Third place goes to {self.name}, because {self.opponent} left the season."
        return f"Match for third place: {self.name} and {self.opponent} lost their semi-finals."


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer(Reason):
    """A pair of a re-seeded layer of the bracket got its slots."""

    byes: int
    players: int
    pair: int
    slots: tuple[int, int]

    def sentence(self) -> str:
        """Return the layer, and the slots of the pair."""
        had = "no bye" if self.byes == 0 else "one bye"
        return (
            f"The {self.players} players with {had} whose opponents are known were seeded anew like a tier, by seed; "
            f"this is pair {self.pair} of them by better seed and takes the slots {self.slots[0]} and {self.slots[1]}."
        )


def _round_name(players: int) -> str:
    names = {2: "Final", 4: "Semi-final", 8: "Quarter-final"}
    return names.get(players, f"Bracket round of {players}")
