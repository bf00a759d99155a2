"""A single-elimination bracket: slots, byes, who goes on, places, changes by hand (docs/formats/shared.md)."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from bot.league.pairing.reasons import Reason
from bot.league.season.model import Kind, Name, Round

IsActive = Callable[[Name], bool]

LAST_SLOT = 1 << 31
"""A player an organiser put into a bracket by hand is listed here: after everyone who has a slot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Two players to meet in a bracket, or one without an opponent; `upper` has the smaller first slot.

    `place` is the slot of the next round the winner plays on in; `absent` is the opponent who left, if one did.
    """

    upper: Name
    lower: Name | None = None
    place: int
    absent: Name | None = None
    reasons: tuple[Reason, ...] = ()

    @property
    def players(self) -> frozenset[Name]:
        """Return the one or two players."""
        return frozenset((self.upper,) if self.lower is None else (self.upper, self.lower))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """A bracket before one of its rounds: slot s plays slot P+1-s, the winner plays on in slot min(s, P+1-s)."""

    places: tuple[Name | None, ...]
    """The players by place now: slot 1 first, a power of two of them; None: empty."""
    slots: Mapping[Name, int]
    """The first slot of each player: their seed for good."""
    lost: Mapping[Name, int] = field(default_factory=lambda: MappingProxyType[Name, int]({}))
    """The number of the round each lost in, or was gone before."""
    out: Mapping[Name, int] = field(default_factory=lambda: MappingProxyType[Name, int]({}))
    """The place in the finals each lost on: 2, 3, 5, 9, ...; equal rounds share the better place."""
    notes: Mapping[tuple[Name, ...], tuple[Reason, ...]] = field(
        default_factory=lambda: MappingProxyType[tuple[Name, ...], tuple[Reason, ...]]({})
    )
    """Why two players were drawn together when the bracket was made, by upper and lower, or one got a bye."""

    @property
    def decided(self) -> bool:
        """Whether one place is left: the player in it has won."""
        return len(self.places) == 1

    def standing(self) -> tuple[Name, ...]:
        """Return the players who have not lost, gone or not, by slot."""
        return tuple(name for name in self.places if name is not None)

    def slot(self, name: Name) -> int:
        """Return a player's first slot."""
        return self.slots.get(name, LAST_SLOT)

    def by_slot(self, name: Name) -> tuple[int, Name]:
        """Return what sorts players: their first slot."""
        return self.slot(name), name


def from_slots(filled: Sequence[Name | None]) -> Bracket:
    """Return the bracket with these players in slots 1, 2, ...; None leaves a slot empty, its opponent has a bye."""
    size = 1 << max(len(filled) - 1, 0).bit_length()
    places = (*filled, *[None] * (size - len(filled)))
    slots = {name: slot for slot, name in enumerate(places, start=1) if name is not None}
    return Bracket(places=places, slots=slots)


def duels(bracket: Bracket, is_active: IsActive) -> tuple[Duel, ...]:
    """Return the matches and byes of the bracket's next round, listed by the smaller first slot.

    The opponent of a player who is gone has a bye; where both are gone nobody goes on.
    """
    half = len(bracket.places) // 2
    tops, bottoms = bracket.places[:half], bracket.places[: half - 1 : -1]
    level = [
        duel
        for place, both in enumerate(zip(tops, bottoms, strict=True), start=1)
        for duel in _duel(bracket, [name for name in both if name is not None], is_active, place)
    ]
    return in_order(bracket, level)


def _duel(bracket: Bracket, named: Iterable[Name], is_active: IsActive, place: int) -> tuple[Duel, ...]:
    """Return the match or bye of two players, or of one with nobody opposite; nothing where all are gone."""
    by_slot = sorted(named, key=bracket.by_slot)
    here = [name for name in by_slot if is_active(name)]
    if not here:
        return ()
    absent = next((name for name in by_slot if name not in here), None)
    return (Duel(upper=here[0], lower=here[1] if len(here) > 1 else None, place=place, absent=absent),)


def in_order(bracket: Bracket, level: Iterable[Duel]) -> tuple[Duel, ...]:
    """Return the duels in the order of their smaller first slots."""
    return tuple(sorted(level, key=lambda duel: bracket.by_slot(duel.upper)))


def third_place(bracket: Bracket, is_active: IsActive) -> tuple[Duel, ...]:
    """Return the match of the losing semi-finalists if the next round is the final: none, or one with place 0.

    Where one of the two has left the other has a bye.
    """
    losers = [name for name, place in bracket.out.items() if place == 3]
    return _duel(bracket, losers, is_active, 0) if len(bracket.places) == len(losers) == 2 else ()


def with_lower(bracket: Bracket, duel: Duel, lower: Name, reasons: tuple[Reason, ...]) -> Duel:
    """Return a duel with another lower player; of the two the one with the smaller first slot is the upper one."""
    first, second = sorted((duel.upper, lower), key=bracket.by_slot)
    return replace(duel, upper=first, lower=second, reasons=reasons)


def as_played(bracket: Bracket, planned: Sequence[Duel], round_: Round) -> tuple[Duel, ...]:
    """Return the duels of a published round, which an organiser may have changed by hand.

    A match changed by hand stands where its smaller first slot stood in the planned round.
    """
    inside = frozenset(bracket.standing())
    published = [players for match in round_.matches if inside & (players := frozenset(match.players))]
    published += [frozenset((name,)) for name in round_.byes if name in inside]
    seated = frozenset(name for players in published for name in players)
    as_planned = {duel.players: duel for duel in planned}
    kept = [as_planned[players] for players in published if players in as_planned]
    # A player without opponent goes on, whether the published round names their bye or not.
    kept += [duel for duel in planned if duel.lower is None and duel.upper not in seated]
    changed = [players for players in published if players not in as_planned]
    return in_order(bracket, [*kept, *_placed_by_hand(bracket, planned, kept, changed)])


def _placed_by_hand(
    bracket: Bracket, planned: Sequence[Duel], kept: Sequence[Duel], changed: Sequence[frozenset[Name]]
) -> list[Duel]:
    half = len(bracket.places) // 2
    stood = {name: min(at, 2 * half - 1 - at) + 1 for at, name in enumerate(bracket.places) if name is not None}
    stood |= {name: duel.place for duel in planned for name in duel.players}
    taken = {duel.place for duel in kept}
    placed: list[Duel] = []
    by_slot = [sorted(players, key=bracket.by_slot) for players in changed]
    for names in sorted(by_slot, key=lambda names: (bracket.slot(names[0]), names)):
        wanted = [*(stood[name] for name in names if name in stood), *range(1, half + 1)]
        place = next((place for place in wanted if place not in taken), None)
        if place is not None:
            taken.add(place)
            placed.append(Duel(upper=names[0], lower=names[1] if len(names) > 1 else None, place=place))
    return placed


def after_round(bracket: Bracket, played: Sequence[Duel], round_: Round) -> Bracket:
    """Return the bracket after a round: winners and byes go on, the others have lost in this round.

    Open matches leave their place empty and none of theirs has lost: good for tables, not for pairing.
    """
    results = {frozenset(match.players): match for match in round_.matches}
    places: list[Name | None] = [None] * (len(bracket.places) // 2)
    undecided: set[Name] = set()
    for duel in played:
        match = results.get(duel.players)
        if duel.lower is not None and (match is None or match.kind is Kind.OPEN):
            undecided |= duel.players
        else:
            places[duel.place - 1] = duel.upper if match is None else match.winner
    still_in = undecided.union(name for name in places if name is not None)
    seated = (name for duel in played for name in duel.players)
    fallen = [name for name in dict.fromkeys([*bracket.standing(), *seated]) if name not in still_in]
    in_round = still_in.union(fallen)
    before = {name: number for name, number in bracket.lost.items() if name not in in_round}
    lost = {**before, **dict.fromkeys(fallen, round_.number)}
    everyone, lost_in = len(still_in) + len(lost), sorted(lost.values())
    out = {name: 1 + everyone - bisect_right(lost_in, number) for name, number in before.items()}
    out |= dict.fromkeys(fallen, max(2, 1 + len(played)))
    out |= _fourth(bracket, round_)
    by_hand = {name: LAST_SLOT for duel in played for name in duel.players}
    return replace(bracket, places=tuple(places), slots={**by_hand, **bracket.slots}, lost=lost, out=out)


def _fourth(bracket: Bracket, round_: Round) -> dict[Name, int]:
    """Return the player who is fourth after this round: they lost the third-place match, or left before it."""
    losers = [name for name, place in bracket.out.items() if place == 3]
    third = [match.winner for match in round_.matches if match.winner and {*match.players} <= {*losers}]
    third += [name for name in round_.byes if name in losers]
    return {name: 4 for name in losers if third and name not in third}
