"""The bye that a draw decides among the players a format names (its `take_bye` or `bye`)."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.records import Record
from bot.league.pairing.proposal import Bye
from bot.league.pairing.reasons import Key, Reason, smallest_draw
from bot.league.season.model import Name


def byes_so_far(records: Mapping[Name, Record]) -> Key:
    """Return the key that sorts by the byes of the season so far."""
    return Key("byes", lambda name: records[name].byes)


def drawn_bye(draw: Draw, players: Sequence[Name], *keys: Key, where: str = "") -> Bye:
    """Return the bye: the smallest `draw(bye)` of the players with the least by `keys`."""
    least = min(_values(name, keys) for name in players)
    among = [name for name in players if _values(name, keys) == least]
    name = draw.first(Purpose.BYE, among)
    who = (
        where or "players"
        if len(among) == len(players)
        else f"with the fewest {' and '.join(key.what for key in keys)}"
    )
    odd = "The number of players was odd, so one had a bye."
    chosen = smallest_draw(name, "has the bye", among, who, draw, Purpose.BYE, because=odd)
    return Bye(name=name, reasons=(*_fewest(players, len(among), keys, where), chosen))


def _values(name: Name, keys: Sequence[Key]) -> tuple[Any, ...]:
    return tuple(key.of(name) for key in keys)


def _fewest(players: Sequence[Name], among: int, keys: Sequence[Key], where: str) -> tuple[Reason, ...]:
    """Tell the players with the least and the one after them, unless all have as little."""
    if among == len(players):
        return ()
    order = sorted(players, key=lambda name: (_values(name, keys), name))[: among + 1]
    return (Reason(f"Players {where}, " if where else "Players ", order, keys, size=len(players)),)
