"""A bracket filled by the draw: byes, neighbours, then numbers for matches and byes together.

See docs/formats/single-elimination.md.
"""

from collections.abc import Sequence
from dataclasses import replace

from bot.league.bracket.tree import Bracket, from_slots
from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.meetings import Meetings
from bot.league.pairing import pair_list
from bot.league.pairing.reasons import MOST_LISTED, Reason, by_draw
from bot.league.season.model import Name


def drawn_bracket(players: Sequence[Name], draw: Draw) -> Bracket:
    """Return the bracket: number i has slots i and P+1-i, so that match 1 meets the last in the next round."""
    if len(players) < 2:
        return from_slots(players)
    by_bye = draw.sort(Purpose.BYE, players)
    byes = (1 << (len(players) - 1).bit_length()) - len(players)
    order = draw.sort(Purpose.ORDER, by_bye[byes:])
    before = f"Byes in round 1: {byes} for {len(by_bye)} players, the smallest "
    excused = Reason(before, by_bye[: byes + 1], (by_draw(draw, Purpose.BYE),), size=len(by_bye))
    why: dict[tuple[Name, ...], tuple[Reason, ...]] = {(name,): (excused,) for name in by_bye[:byes]}
    why |= {pair.players: pair.reasons for pair in pair_list(order, Meetings(), (by_draw(draw, Purpose.ORDER),))}
    first = {draw.first(Purpose.MATCH, both): both for both in why}
    firsts = draw.sort(Purpose.MATCH, first)
    numbered = [first[name] for name in firsts]
    lowers = [both[1] if len(both) > 1 else None for both in numbered]
    bracket = from_slots([*(both[0] for both in numbered), *reversed(lowers)])
    notes: dict[tuple[Name, ...], tuple[Reason, ...]] = {}
    for number, both in enumerate(numbered, start=1):
        # They are sorted by the smaller draw of their players.
        before, few = f"It is number {number} of the matches and byes, sorted ", firsts[: min(number, MOST_LISTED) + 1]
        notes[both] = (*why[both], Reason(before, few, (by_draw(draw, Purpose.MATCH),), size=len(firsts)))
    return replace(bracket, notes=notes)
