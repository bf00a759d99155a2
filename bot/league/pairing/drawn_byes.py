"""The bye that a draw decides among the players a format names (its `take_bye` or `bye`)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.league.counting.draw import Draw, Purpose
from bot.league.counting.records import Record
from bot.league.pairing.in_short import Pieces, listed, tell
from bot.league.pairing.proposal import Bye
from bot.league.pairing.reasons import MOST_NAMED, Key, Reason, smallest_draw
from bot.league.season.in_words import spelled
from bot.league.season.model import Name


def byes_so_far(records: Mapping[Name, Record]) -> Key:
    """Return the key that sorts by the byes of the season so far."""
    return Key("byes", lambda name: records[name].byes)


def with_the_fewest(players: Sequence[Name], *keys: Key, most: Key | None = None) -> list[Name]:
    """Return the players with the least by `keys`, and of those the ones with the most by `most`."""
    least = min(_values(name, keys) for name in players)
    among = [name for name in players if _values(name, keys) == least]
    if most is None:
        return among
    greatest = max(_values(name, [most]) for name in among)
    return [name for name in among if _values(name, [most]) == greatest]


def drawn_bye(
    draw: Draw,
    players: Sequence[Name],
    *keys: Key,
    most: Key | None = None,
    where: str = "",
    skipped: Sequence[Name] = (),
    fewer: str = "",
) -> Bye:
    """Return the bye: the smallest `draw(bye)` of the players `with_the_fewest`, but for those skipped.

    `where` says which players are asked, `fewer` of what the others need fewer.
    """
    among = with_the_fewest(players, *keys, most=most)
    left = [name for name in among if name not in skipped]
    name = draw.first(Purpose.BYE, left)
    if len(among) == len(players):
        words = where or "players"
    else:
        words = f"with the fewest {' and '.join(key.what for key in keys)}"
        words += f" and, of those, the most {most.what}" if most else ""
    reasons = (Reason(f"Skipped for the bye: {', '.join(skipped)}, {costing_more(fewer)}."),) if skipped else ()
    odd = (*tell("The number of players was odd, so one had a bye."), *skipped_in_draw(skipped, leading_to_more(fewer)))
    chosen = smallest_draw(name, "has the bye", left, "left" if skipped else words, draw, Purpose.BYE, because=odd)
    return Bye(name=name, reasons=(*_fewest(players, len(among), keys, most, where), *reasons, chosen))


def costing_more(what: str) -> str:
    """Return why players are skipped whose choice others would pay for, as a sentence ends."""
    return f"because the round would then need more {what}"


def skipped_in_draw(skipped: Sequence[Name], why: str) -> Pieces:
    """Tell in short who came first in the draw and was skipped, and why; nothing where nobody was."""
    if not skipped:
        return ()
    named = listed(skipped) if len(skipped) <= MOST_NAMED else (f"={spelled(len(skipped), 'player')}",)
    return ("= First in the draw came ", *named, f"=, but {why}.")


def leading_to_more(what: str) -> str:
    """Return the same in short."""
    return f"that would have led to more {what}"


def _values(name: Name, keys: Iterable[Key]) -> tuple[Any, ...]:
    return tuple(key.of(name) for key in keys)


def _fewest(
    players: Sequence[Name], among: int, keys: Sequence[Key], most: Key | None, where: str
) -> tuple[Reason, ...]:
    """Tell the players with the least and the one after them, unless all have as little."""
    if among == len(players):
        return ()
    order, shown = sorted(players), keys
    if most is not None:
        order.sort(key=lambda name: _values(name, [most]), reverse=True)
        shown = (*keys, replace(most, title=f"most {most.what}"))
    order.sort(key=lambda name: _values(name, keys))
    return (Reason(f"Players {where}, " if where else "Players ", order[: among + 1], shown, size=len(players)),)
