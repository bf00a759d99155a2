"""A bracket filled by the draw: byes, neighbours, then numbers for matches and byes together (docs/rules.md, 7)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.league.bracket.tree import Bracket, from_slots
from bot.league.draw import Draw, Purpose
from bot.league.model import Name
from bot.league.pairing.drawn_list import InDrawnList
from bot.league.reasons import Reason

_Players = tuple[Name, ...]
"""Both players of a match, or the one who has a bye."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBye(Reason):
    """One of the byes of the first round."""

    name: Name
    byes: int
    players: int
    draw: Draw

    def sentence(self) -> str:
        """Return how many byes there are, with the text to hash and its draw."""
        text, value = self.draw.text(Purpose.BYE, self.name), self.draw.value(Purpose.BYE, self.name)
        return (
            f"{self.players} players leave {self.byes} of the places of round 1 empty: byes for the smallest draws "
            f"({text} gives {value[:16]})."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnNumber(Reason):
    """Where a match or bye stands in the bracket."""

    number: int
    name: Name
    draw: Draw

    def sentence(self) -> str:
        """Return the number, with the text to hash and its draw."""
        text, value = self.draw.text(Purpose.MATCH, self.name), self.draw.value(Purpose.MATCH, self.name)
        return f"It is number {self.number} of the matches and byes by the draw ({text} gives {value[:16]})."


def drawn_bracket(players: Sequence[Name], draw: Draw) -> Bracket:
    """Return the bracket: number i has slots i and P+1-i, so that match 1 meets the last in the next round."""
    if len(players) < 2:
        return from_slots(players)
    byes = draw.sort(Purpose.BYE, players)[: (1 << (len(players) - 1).bit_length()) - len(players)]
    excused = frozenset(byes)
    order = draw.sort(Purpose.ORDER, (name for name in players if name not in excused))
    drawn = [*((name,) for name in byes), *zip(order[::2], order[1::2], strict=True)]
    numbered = sorted(drawn, key=lambda both: draw.value(Purpose.MATCH, _first(both, draw)))
    lowers = [both[1] if len(both) > 1 else None for both in numbered]
    bracket = from_slots([*(both[0] for both in numbered), *reversed(lowers)])
    notes = {
        both: (
            _why(both, len(order), len(players), draw),
            DrawnNumber(number=number, name=_first(both, draw), draw=draw),
        )
        for number, both in enumerate(numbered, start=1)
    }
    return replace(bracket, notes=notes)


def _first(both: _Players, draw: Draw) -> Name:
    return draw.first(Purpose.MATCH, both)


def _why(both: _Players, paired: int, players: int, draw: Draw) -> Reason:
    if len(both) == 1:
        return DrawnBye(name=both[0], byes=players - paired, players=players, draw=draw)
    return InDrawnList(what="Neighbours in the draw", players=paired, names=(both[0], both[1]), draw=draw)
