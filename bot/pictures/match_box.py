"""The box of a match in a bracket: its label and state, then two sides with seed, name and score."""

from dataclasses import dataclass

from bot.pictures.layout import Box, Colour, Style, Weight
from bot.pictures.marks import cup
from bot.pictures.sheet import Align, Sheet
from bot.pictures.tree import BracketMatch, Side, State

_HEADER = 37
_SIDE = 44
HEIGHT = _HEADER + 2 * _SIDE
SEED = Style(size=28)
_LABEL = Style(size=28, weight=Weight.SEMIBOLD)
_NOTE = Style(size=28)
_NAME = Style(size=32)
_WINNER = Style(size=32, weight=Weight.BOLD)
SMALL_NAME = Style(size=28, weight=Weight.BOLD)
_TO_COME = Style(size=28, italic=True)

STATES = {
    State.TO_PLAY: (("still to play", "to play"), Colour.BLUE),
    State.REPORTED: (("not confirmed", "reported"), Colour.AMBER),
    State.DISPUTED: (("disputed",), Colour.ORANGE),
}
"""What stands beside a match that isn't over: the longest words that fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the box of a match stands, how wide it is, and how far right in it the names begin, after the seeds."""

    match: BracketMatch
    left: float
    top: float
    width: float
    name: float
    is_final: bool

    @property
    def right(self) -> float:
        """Return the right edge."""
        return self.left + self.width

    @property
    def name_room(self) -> float:
        """Return how wide a name and its score can be."""
        return self.width - self.name - 34

    @property
    def bottom(self) -> float:
        """Return the lower edge."""
        return self.top + HEIGHT


def draw_match(place: Place, champion: str | None, sheet: Sheet) -> None:
    """Draw a match; what the champion won is gold."""
    left, top, width = place.left, place.top, place.width
    sheet.add(
        Box(left=left, top=top, width=width, height=_HEADER, fill=Colour.HEADER, radius=10, round_bottom=False),
        Box(left=left, top=top + _HEADER, width=width, height=2 * _SIDE, fill=Colour.ROW, radius=10, round_top=False),
    )
    words, colour = _beside(place, champion)
    if colour is not Colour.SECOND:
        _frame(place, colour, sheet)
    _heading(place, words, colour, sheet)
    for side, y in zip(place.match.sides, (top + _HEADER, top + _HEADER + _SIDE), strict=True):
        if side.name is None:
            sheet.text(place.match.to_come(side), left + 20, y + 31, _TO_COME, Colour.MUTED, room=width - 40)
        else:
            _side(place, side, side.name, y, Colour.GOLD if side.name == champion else Colour.GREEN, sheet)


def _beside(place: Place, champion: str | None) -> tuple[tuple[str, ...], Colour]:
    """Return what stands beside the label of a match, and its colour: second where the match has no frame."""
    if place.is_final and any(side.won and side.name == champion for side in place.match.sides):
        return ("champion",), Colour.GOLD
    return STATES.get(place.match.state, ((place.match.note,), Colour.SECOND))


def _frame(place: Place, colour: Colour, sheet: Sheet) -> None:
    left, top, width = place.left - 2, place.top - 2, place.width + 4
    sheet.add(Box(left=left, top=top, width=width, height=HEIGHT + 4, outline=colour, radius=12, thickness=4))


def _heading(place: Place, words: tuple[str, ...], colour: Colour, sheet: Sheet) -> None:
    label, style = (Colour.SECOND, _NOTE) if colour is Colour.SECOND else (Colour.TEXT, _LABEL)
    baseline, left, right = place.top + 28, place.left + 16, place.right - 16
    left += sheet.text(place.match.label, left, baseline, _LABEL, label, room=right - left) + 16
    fitting = next((some for some in words if sheet.measured(some, style) <= right - left), "")
    width = sheet.text(fitting, right, baseline, style, colour, align=Align.RIGHT)
    if colour is Colour.GOLD:
        sheet.add(*cup((right - width - 26, baseline - 10), 26, colour))


def _side(place: Place, side: Side, name: str, top: float, winner: Colour, sheet: Sheet) -> None:
    """Draw a known player: the winner bold with a bar and a score in a colour, the loser grey."""
    lost = place.match.state is State.DONE and not side.won
    text, second = (Colour.MUTED, Colour.MUTED) if lost else (Colour.TEXT, Colour.SECOND)
    style, baseline = _NAME, top + 33
    if side.won:
        sheet.add(Box(left=place.left, top=top + 3, width=8, height=_SIDE - 6, fill=winner, radius=3))
        style, text = _WINNER, Colour.GOLD if winner is Colour.GOLD else Colour.TEXT
    seed = "" if side.seed is None else str(side.seed)
    sheet.text(seed, place.left + place.name - 15, baseline - 1, SEED, second, align=Align.RIGHT)
    score = winner if side.won else second
    taken = sheet.text(side.score, place.right - 18, baseline, _WINNER, score, align=Align.RIGHT)
    sheet.name(name, place.left + place.name, baseline, style, text, room=place.name_room - taken)
