"""A bracket whose layers are seeded anew once, as OHS asks (docs/rules.md, 4)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.league.bracket.reasons import Layer
from bot.league.bracket.tree import Bracket, from_slots
from bot.league.history import Meetings
from bot.league.model import Name
from bot.league.pairing import pair_tier
from bot.league.reasons import Reason


def seeded_anew(seeds: Sequence[Name], ranking: Sequence[Name], met: Meetings) -> Bracket:
    """Return the bracket of these seeds, each layer put through the tier procedure; both orders best first."""
    slots = list(seeds)
    notes: dict[tuple[Name, ...], tuple[Reason, ...]] = {}
    for byes, layer in enumerate(_layers(len(seeds))):
        names = [seeds[slot - 1] for slot in layer]
        members = frozenset(names)
        pairs = pair_tier(names, [name for name in ranking if name in members], met, order="seed")
        better = {name: place for place, name in enumerate(names)}
        by_better_seed = sorted(pairs, key=lambda pair: min(map(better.__getitem__, pair.players)))
        for number, pair in enumerate(by_better_seed):
            upper, lower = sorted(pair.players, key=better.__getitem__)
            taken = (layer[number], layer[-1 - number])
            slots[taken[0] - 1], slots[taken[1] - 1] = upper, lower
            note = Layer(byes=byes, players=len(names), pair=number + 1, slots=taken)
            notes[upper, lower] = (*pair.reasons, note)
    return replace(from_slots(slots), notes=notes)


def _layers(players: int) -> Iterator[range]:
    """Yield the slots of each layer: no bye, then one bye and an opponent who has one too."""
    size = 1 << (players - 1).bit_length() if players else 1
    byes = size - players
    if size > 1:
        yield range(byes + 1, players + 1)
        yield range(size // 2 + 1 - byes, byes + 1)
