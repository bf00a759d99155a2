"""The OHS bracket: layers seeded again like tiers, later rounds with the fewest rematches (docs/formats/ohs.md)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.league.bracket.rematches import exchanged
from bot.league.bracket.tree import Bracket, Duel, from_slots
from bot.league.counting.meetings import Meetings
from bot.league.formats.shared.bracketed import Reseeding
from bot.league.pairing import pair_tier
from bot.league.pairing.in_short import tell
from bot.league.pairing.reasons import Key, Reason, forced_rematch, when
from bot.league.season.in_words import first_few
from bot.league.season.model import Name


def reseeded(seeds: Sequence[Name], ranking: Sequence[Name], ranking_keys: Sequence[Key], met: Meetings) -> Bracket:
    """Return the bracket of these seeds, each layer put through the tier procedure; both orders best first."""
    slots = list(seeds)
    seed = {name: number for number, name in enumerate(seeds, start=1)}
    notes: dict[tuple[Name, ...], tuple[Reason, ...]] = {}
    for byes, layer in enumerate(_layers(len(seeds))):
        names = [seeds[slot - 1] for slot in layer]
        group = f"the group with {('no bye', 'one bye')[byes]}"
        pairs = pair_tier(names, ranking, met, (Key("seed", seed.__getitem__),), ranking_keys, group=group)
        why = {frozenset(pair.players): pair.reasons for pair in pairs}
        by_seed = sorted((sorted(players, key=seed.__getitem__) for players in why), key=lambda both: seed[both[0]])
        pairings = [" v ".join(both) for both in by_seed]
        for number, (upper, lower) in enumerate(by_seed):
            taken = (layer[number], layer[-1 - number])
            slots[taken[0] - 1], slots[taken[1] - 1] = upper, lower
            notes[upper, lower] = (*why[frozenset((upper, lower))], _in_layer(pairings, number, byes, taken))
    return replace(from_slots(slots), notes=notes)


def reseeding(
    seeds: Sequence[Name], ranking: Sequence[Name], ranking_keys: Sequence[Key], met: Meetings
) -> Reseeding | None:
    """Return how these seeds, in the order of the table, play otherwise than best against worst, and why; or None."""
    bracket, usual = reseeded(seeds, ranking, ranking_keys, met), from_slots(seeds)
    best_worst = _known_pairs(usual)
    pairs = [pair for pair in _known_pairs(bracket) if pair not in best_worst]
    if not pairs:
        return None
    new = {name for pair in pairs for name in pair}
    again = [pair for pair in best_worst if new.intersection(pair) and met.between(*pair) is not None]
    without = reseeded(seeds, ranking, ranking_keys, Meetings())
    by_rating = _known_pairs(without) != best_worst
    apart = any(met.of(first)[other].kept_apart for first, other in again)
    return Reseeding(met=() if apart else tuple(again), by_rating=by_rating or apart, pairs=tuple(pairs))


def _known_pairs(bracket: Bracket) -> list[tuple[Name, Name]]:
    """Return the pairs of each layer, the better seeds first."""
    name = {slot: name for name, slot in bracket.slots.items()}
    layers = [[name[slot] for slot in layer] for layer in _layers(len(name))]
    return [(layer[at], layer[-1 - at]) for layer in layers for at in range(len(layer) // 2)]


def _layers(players: int) -> Iterator[range]:
    """Yield the slots of each layer: no bye, then one bye and an opponent with one bye."""
    size = 1 << (players - 1).bit_length() if players else 1
    byes = size - players
    if size > 1:
        yield range(byes + 1, players + 1)
        yield range(size // 2 + 1 - byes, byes + 1)


def _in_layer(by_seed: Sequence[str], number: int, byes: int, slots: tuple[int, int]) -> Reason:
    return Reason(
        f"The {2 * len(by_seed)} players with {('no bye', 'one bye')[byes]} and known opponents were re-seeded like "
        f"a tier, by seed. By better seed the pairs are {first_few(by_seed, number + 1)}: this is number {number + 1} "
        f"and takes slots {slots[0]} and {slots[1]}, number {number + 1} from the top and from the bottom.",
        short=tell(f"The players with {('no bye', 'one bye')[byes]} were paired like this and got new seeds."),
    )


def without_rematches(bracket: Bracket, planned: Sequence[Duel], met: Meetings) -> tuple[Duel, ...]:
    """Return the duels of a later round after the walk that avoids rematches; players with a bye keep it."""
    playing = sum(duel.lower is not None for duel in planned)
    where = "the bracket without a bye" if playing < len(planned) else "the final"
    alone_in = where if playing == 1 else ""

    def why(upper: Name, before: Name, after: Name) -> tuple[Reason, ...]:
        swapped = () if before == after else (_swapped(upper, before, after, met),)
        if met.between(upper, after) is None:
            return swapped
        nothing = "no exchange of lower players in this round"
        return *swapped, forced_rematch(upper, after, met, nothing, alone_in=alone_in)

    return exchanged(bracket, planned, lambda upper, lower: met.between(upper, lower) is not None, why)


def _swapped(upper: Name, before: Name, after: Name, meetings: Meetings) -> Reason:
    drawn = f"The bracket had {upper} against {before}"
    met = meetings.between(upper, before)
    if met is None:
        short = tell(
            f"{{a}} changed places in the bracket to avoid {meetings.avoided}, so {{b}} met {{c}}.",
            a=before,
            b=upper,
            c=after,
        )
        sentence = f"{drawn}; {before} changed places with others to avoid {meetings.avoided}, so {after} plays here."
        return Reason(sentence, short=short)
    was = "they are kept apart" if met.kept_apart else f"that was a rematch ({when(met, meetings.season)})"
    but = was if met.kept_apart else f"they met {when(met, meetings.season)}"
    short = tell(
        f"The bracket had {{a}} against {{b}}, but {was}. So {{c}} took the place of {{b}}.",
        a=upper,
        b=before,
        c=after,
    )
    return Reason(f"{drawn}, but {but}; {after} takes the place of {before}.", short=short)
