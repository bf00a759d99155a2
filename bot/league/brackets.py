"""Single-elimination brackets: slots, byes, who goes on, and where a match changed by hand stands (docs/rules.md, 4 and 7)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from bot.league.model import Kind, Match, Name, Round
from bot.league.reasons import Reason

IsActive = Callable[[Name], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Two players to meet in a bracket, or one without opponent; `upper` has the smaller first slot.

    `place` is the slot of the next round the winner plays on in; `absent` is the opponent who left, if one did.
    """

    upper: Name
    lower: Name | None = None
    place: int
    absent: Name | None = None

    @property
    def players(self) -> tuple[Name, ...]:
        """Return who plays, the better seed first."""
        return (self.upper,) if self.lower is None else (self.upper, self.lower)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """A bracket before one of its rounds: slot s plays slot P+1-s, the winner plays on in slot min(s, P+1-s)."""

    places: tuple[Name | None, ...]
    """Who stands where now: slot 1 first, a power of two of them; None: nobody."""
    slots: Mapping[Name, int]
    """Everybody's first slot: his seed for good."""
    lost: Mapping[Name, int] = field(default_factory=lambda: MappingProxyType({}))
    """The number of the round each lost in, or was gone before."""
    out: Mapping[Name, int] = field(default_factory=lambda: MappingProxyType({}))
    """The place in the finals each lost on: 2, 3, 5, 9, ... where equal rounds share the better place."""
    notes: Mapping[tuple[Name, Name], tuple[Reason, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Why two players were drawn together when the bracket was made, by upper and lower."""

    @property
    def decided(self) -> bool:
        """Whether one place is left: whoever stands in it has won."""
        return len(self.places) == 1

    def standing(self) -> tuple[Name, ...]:
        """Return who is still in, gone or not, by slot."""
        return tuple(name for name in self.places if name is not None)


def standard(seeds: Sequence[Name]) -> Bracket:
    """Return the bracket of these seeds, best first: seed s in slot s, byes to the top seeds."""
    return from_slots(seeds)


def from_slots(filled: Sequence[Name | None]) -> Bracket:
    """Return the bracket with these players in slots 1, 2, ...; None leaves a slot empty, its opponent has a bye."""
    size = 1 << max(len(filled) - 1, 0).bit_length()
    places = (*filled, *[None] * (size - len(filled)))
    slots = {name: slot for slot, name in enumerate(places, start=1) if name is not None}
    return Bracket(places=places, slots=slots)


def duels(bracket: Bracket, is_active: IsActive) -> tuple[Duel, ...]:
    """Return the matches and byes of the bracket's next round, listed by the smaller first slot.

    The opponent of somebody gone has a bye; where both are gone nobody goes on.
    """
    raise NotImplementedError


def as_played(bracket: Bracket, planned: Sequence[Duel], round_: Round) -> tuple[Duel, ...]:
    """Return the duels of a published round, which an organiser may have changed by hand.

    A match changed by hand stands where its smaller first slot stood in the planned round.
    """
    raise NotImplementedError


def settle(bracket: Bracket, played: Sequence[Duel], round_: Round) -> Bracket:
    """Return the bracket after a round: winners and byes go on, the others have lost in this round.

    Open matches leave their place empty and nobody of theirs has lost: good for tables, not for the next round.
    """
    raise NotImplementedError


def third_place_match(bracket: Bracket, number: int, is_active: IsActive) -> tuple[Name, Name] | None:
    """Return the losing semi-finalists, better seed first, if the next round is the final and both are still there."""
    raise NotImplementedError


def avoid_rematches(
    uppers: Sequence[Name], lowers: Sequence[Name], is_rematch: Callable[[Name, Name], bool]
) -> tuple[Name, ...]:
    """Return the lower players in the order that avoids rematches (docs/rules.md, 4, later rounds of the bracket)."""
    raise NotImplementedError
