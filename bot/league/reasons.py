"""Why something was decided: plain sentences with the values they rest on, and the draws anyone can recompute."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import count, groupby

from bot.league.draw import Draw, Purpose
from bot.league.model import Meeting, Name

MOST_TOLD = 10
"""A reason tells so many skipped players one by one, and counts the rest."""

MOST_LISTED = 64
"""Where a list would need more players, it only shows the first few."""

_FIRST_FEW, _FEWEST_DIGITS, _FEWEST_DECIMALS = 3, 8, 3

Value = int | float | Fraction | str


@dataclass(frozen=True, slots=True)
class Reason:
    """One step of a decision, without Markdown, and the texts of the draws it rests on."""

    sentence: str
    draws: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Key:
    """A value that sorts a list: a number, a word, or a draw, which has the text that is hashed."""

    what: str
    of: Callable[[Name], Value]
    title: str = ""
    text: Callable[[Name], str] | None = None


def by_draw(draw: Draw, purpose: Purpose) -> Key:
    """Return the key that sorts by a draw."""

    def text(name: Name) -> str:
        return draw.text(purpose, name)

    return Key("draw", lambda name: draw.value(purpose, name), f"draw {text(Name('NAME'))}", text)


def listed(names: Sequence[Name], keys: Sequence[Key], *, size: int = 0) -> Reason:
    """Tell a sorted list, or the first of `size`: every further key only for neighbours that are equal so far."""
    told = names if len(names) <= MOST_LISTED else names[:_FIRST_FEW]
    values: dict[Name, list[str]] = {name: [] for name in told}
    titles, draws = list[str](), list[str]()
    equal = [tuple(told)]
    for key in keys:
        among = [name for group in equal for name in group]
        for name, text in _texts(key, among).items():
            values[name].append(f"{key.what} {text}" if titles else text)
        draws += map(key.text, among) if key.text else ()
        titles.append(key.title or key.what)
        equal = [run for group in equal for _, same in groupby(group, key.of) if len(run := tuple(same)) > 1]
        if not equal:
            break
    by = f"by {', then '.join(titles)}" if titles else "in this order"
    players = ", ".join(_with_values(name, *shown) for name, shown in values.items())
    return Reason(f"{by}: {players}{and_more(max(size, len(names)) - len(told))}", tuple(draws))


def _with_values(name: Name, first: str = "", *more: str) -> str:
    told = f"{name} {first}" if first else name
    return f"{told} ({', '.join(more)})" if more else told


def _texts(key: Key, names: Sequence[Name]) -> dict[Name, str]:
    """Return the values with as few digits as keep different ones different."""
    values = {name: key.of(name) for name in names}
    different = len(set(values.values()))
    shown = _digits if key.text else _number
    for more in count():
        texts = {name: shown(value, more) for name, value in values.items()}
        if len(set(texts.values())) == different:
            return texts
    raise AssertionError("different values differ in some digit")


def _digits(value: Value, more: int) -> str:
    return str(value)[: _FEWEST_DIGITS + more]


def _number(value: Value, more: int) -> str:
    if isinstance(value, str | int):
        return str(value)
    exact = Fraction(value)
    return f"{Decimal(exact.numerator) / exact.denominator:z.{_FEWEST_DECIMALS + more}f}"


def smallest_draw(name: Name, what: str, among: Sequence[Name], who: str, draw: Draw, purpose: Purpose) -> Reason:
    """Tell that a player was chosen by the smallest draw; `who` says what the candidates have in common."""
    if len(among) == 1:
        return Reason(f"{name} {what}: the only one {who}.")
    order = listed(draw.sort(purpose, among)[:MOST_TOLD], (by_draw(draw, purpose),), size=len(among))
    return Reason(f"{name} {what}: the smallest draw of the {len(among)} {who}, {order.sentence}.", order.draws[:2])


def when(meeting: Meeting, season: int | None = None) -> str:
    """Return when two players met, in words."""
    if meeting.round is None:
        return f"in season {meeting.season}"
    if meeting.season == season:
        return f"in round {meeting.round}"
    return f"in season {meeting.season}, round {meeting.round}"


def and_more(more: int) -> str:
    """Return how many a list leaves out, in words."""
    return f" and {more} more" if more > 0 else ""
