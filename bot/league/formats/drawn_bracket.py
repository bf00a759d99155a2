"""A bracket filled by the draw: byes, neighbours, then numbers for matches and byes together (docs/rules.md, 7)."""

from collections.abc import Sequence

from bot.league.brackets import Bracket, from_slots
from bot.league.draw import Draw, Purpose
from bot.league.model import Name

_Item = tuple[Name, Name | None]


def drawn_bracket(players: Sequence[Name], draw: Draw) -> Bracket:
    """Return the bracket: Match number i has slots i and P+1-i, so that Match 1 meets the last in the next round."""
    if len(players) < 2:
        return from_slots(players)
    numbered = sorted(_items(players, draw), key=lambda item: _number(item, draw))
    uppers = [upper for upper, _ in numbered]
    lowers = [lower for _, lower in numbered]
    return from_slots([*uppers, *reversed(lowers)])


def _items(players: Sequence[Name], draw: Draw) -> list[_Item]:
    size = 1 << max(len(players) - 1, 0).bit_length()
    byes = draw.sort(Purpose.BYE, players)[: size - len(players)]
    excused = frozenset(byes)
    order = draw.sort(Purpose.ORDER, (name for name in players if name not in excused))
    pairs = zip(order[::2], order[1::2], strict=False)
    return [*((name, None) for name in byes), *pairs]


def _number(item: _Item, draw: Draw) -> str:
    return min(draw.value(Purpose.MATCH, name) for name in item if name is not None)
