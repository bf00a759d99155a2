"""A page in the making: words cleaned, cut by their measured width and placed; header, legend and alt text."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from bot.pictures.layout import (
    MARGIN,
    SMALLEST,
    WIDTH,
    Box,
    Colour,
    Item,
    Line,
    Measure,
    Page,
    Point,
    Style,
    Text,
    Weight,
)

RIGHT_EDGE = WIDTH - MARGIN
ACROSS = RIGHT_EDGE - MARGIN
ALT_LIMIT = 1024
"""Discord refuses longer descriptions of a picture."""

_TITLE = Style(size=46, weight=Weight.BOLD)
_KIND = Style(size=30)
_LINE_HEIGHT = 40
_SPACE = 8
_SIGN = 46
_JOINERS = "\u200c\u200d"
_EMOJI = re.compile(
    "(?:[0-9#*]\ufe0f?\u20e3|[\U0001f000-\U0001faff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\u3030\u303d\u3297\u3299]"
    "[\ufe0e\ufe0f\u200d]*|[\ufe0f\U000e0020-\U000e007f])"
)
"""Coloured pictures, which hardly any font can draw in one colour, with what joins and varies them."""
_MOST_MARKS = 2


class Align(Enum):
    """Which end of the words a position means."""

    LEFT = auto()
    CENTRE = auto()
    RIGHT = auto()


Sign = Callable[[Point], tuple[Item, ...]]
"""Draws a sign of the legend, at most 36 pixels wide, around a point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a legend that stays on one line: a sign, then pieces of words, each in its colour."""

    pieces: tuple[tuple[str, Colour], ...]
    sign: Sign | None = None


def check_it(where: str) -> Part:
    """Return where a picture can be checked: on Discord by a command or button, and anywhere by the program."""
    pieces = ("Check it:", Colour.SECOND), (where, Colour.BLUE), ("or", Colour.SECOND), ("verify", Colour.BLUE)
    return Part(pieces=pieces)


def note(words: str, colour: Colour = Colour.SECOND, sign: Sign | None = None) -> Part:
    """Return a part of a legend in one colour."""
    return Part(pieces=((words, colour),), sign=sign)


class Naming:
    """Measures words, and knows what stands in the place of names that can't be drawn.

    Only drawn words change: descriptions keep the names, because people read them with other fonts.
    """

    def __init__(self, measure: Measure, stand_ins: Mapping[str, str]) -> None:
        self._measure = measure
        self._stand_ins = dict(sorted(stand_ins.items(), key=lambda pair: -len(pair[0])))

    def __call__(self, words: str, style: Style) -> float:
        """Return the width of words in pixels."""
        return self._measure(words, style)

    def called(self, words: str) -> str:
        """Return words with what stands in the place of the names in them."""
        if words in self._stand_ins:
            return self._stand_ins[words]
        for name, stand_in in self._stand_ins.items():
            words = words.replace(name, stand_in) if name else words
        return words


class Sheet:
    """Collects the items of one page."""

    def __init__(self, measure: Measure) -> None:
        self._measure = measure
        self._naming = measure if isinstance(measure, Naming) else Naming(measure, {})
        self._items: list[Item] = []

    def add(self, *items: Item) -> None:
        """Place items over those placed before."""
        self._items += items

    def measured(self, words: str, style: Style) -> float:
        """Return how wide words will be."""
        return self._measure(shown(self._naming.called(words)), style)

    def widest(self, words: Iterable[str], style: Style) -> float:
        """Return how wide the widest of some words will be, 0 where there are none."""
        return max((self.measured(some, style) for some in words), default=0)

    def text(
        self,
        words: str,
        at: float,
        baseline: float,
        style: Style,
        colour: Colour,
        *,
        align: Align = Align.LEFT,
        room: float = WIDTH,
    ) -> float:
        """Place words, cut to `room`; return how wide they are."""
        words = fit(self._naming.called(words), style, room, self._measure)
        if not words:
            return 0
        width = self._measure(words, style)
        left = at - {Align.LEFT: 0, Align.CENTRE: width / 2, Align.RIGHT: width}[align]
        self.add(Text(words=words, left=left, baseline=baseline, width=width, style=style, colour=colour))
        return width

    def name(
        self, words: str, at: float, baseline: float, style: Style, colour: Colour, *, room: float = WIDTH
    ) -> float:
        """Place a name, in the smallest letters before it is cut; return how wide it is."""
        small = style if self.measured(words, style) <= room else replace(style, size=SMALLEST)
        return self.text(words, at, baseline, small, colour, room=room)

    def header(self, title: str, subtitle: str, kind: str = "", taken: float = 0) -> float:
        """Place title, subtitle (more than one line if need be) and the kind of picture; return where the page goes on.

        `taken` is the room something else takes at the right of both.
        """
        room = ACROSS - 24 - min(self.measured(title, _TITLE), ACROSS / 2)
        wide = self.text(kind, RIGHT_EDGE, 72, _KIND, Colour.SECOND, align=Align.RIGHT, room=room)
        beside = wide + 24 if wide else taken
        self.text(title, MARGIN, 74, _TITLE, Colour.TEXT, room=ACROSS - beside)
        return self.lines(subtitle, MARGIN, 120, _KIND, Colour.SECOND, room=ACROSS - taken, between=" · ") + 36

    def lines(
        self,
        words: str,
        left: float,
        baseline: float,
        style: Style,
        colour: Colour,
        *,
        room: float,
        between: str = " ",
    ) -> float:
        """Place words in as many lines as they need, broken at `between`; return the last baseline."""
        *others, last = self._broken(words.split(between), between, style, room)
        for line in others:
            self.text(line, left, baseline, style, colour, room=room)
            baseline += _LINE_HEIGHT
        self.text(last, left, baseline, style, colour, room=room)
        return baseline

    def _broken(self, pieces: Sequence[str], between: str, style: Style, room: float) -> list[str]:
        lines = [pieces[0]]
        for piece in pieces[1:]:
            longer = f"{lines[-1]}{between}{piece}"
            if self.measured(longer, style) <= room:
                lines[-1] = longer
            else:
                lines.append(piece)
        return lines

    def footer(self, top: float, parts: Sequence[Part]) -> int:
        """Place a rule and the legend below it; return the height of the page."""
        self.add(Line(points=((MARGIN, top), (RIGHT_EDGE, top)), colour=Colour.RULE))
        left, baseline = float(MARGIN), top + 44
        for part in parts:
            width = self._part_width(part)
            if left > MARGIN and left + width > RIGHT_EDGE:
                left, baseline = MARGIN, baseline + _LINE_HEIGHT
            self._part(part, left, baseline)
            left += width + 32
        return round(baseline + 36)

    def _part_width(self, part: Part) -> float:
        words = sum(self.measured(words, _legend_style(colour)) + _SPACE for words, colour in part.pieces)
        return words - _SPACE + (_SIGN if part.sign else 0)

    def _part(self, part: Part, left: float, baseline: float) -> None:
        if part.sign:
            self.add(*part.sign((left + 18, baseline - 10)))
            left += _SIGN
        for words, colour in part.pieces:
            left += self.text(words, left, baseline, _legend_style(colour), colour, room=RIGHT_EDGE - left) + _SPACE

    def page(self, height: int, alt: Iterable[str], *, title: str = "", names: Iterable[str] = ()) -> Page:
        """Return the finished page; of the alt text as many sentences as fit."""
        return Page(height=height, items=tuple(self._items), alt=_as_alt(alt), title=title, names=tuple(names))


def _legend_style(colour: Colour) -> Style:
    quiet = colour in (Colour.SECOND, Colour.MUTED)
    return Style(size=28, weight=Weight.REGULAR if quiet else Weight.SEMIBOLD)


def shown(words: str) -> str:
    """Return words as they are drawn: as `told`, and without emoji."""
    return told(_EMOJI.sub("", words))


def told(words: str) -> str:
    """Return words without control characters, with single spaces and few accents on one letter."""
    return " ".join("".join(_readable(unicodedata.normalize("NFC", words))).split())


def _readable(words: str) -> Iterator[str]:
    marks = 0
    for letter in words:
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind == "Cs":
            yield "\ufffd"
        elif letter.isspace():
            yield " "
        elif (kind[0] != "C" or kind in ("Co", "Cn") or letter in _JOINERS) and marks <= _MOST_MARKS:
            yield letter


def fit(words: str, style: Style, room: float, measure: Measure) -> str:
    """Return words, with "…" at the end where they are wider than `room` pixels."""
    words = shown(words)
    if measure(words, style) <= room:
        return words
    short, long = 0, len(words)
    while long - short > 1:
        middle = (short + long) // 2
        wide = measure(_cut(words, middle), style) > room
        short, long = (short, middle) if wide else (middle, long)
    return _cut(words, short)


def _cut(words: str, length: int) -> str:
    """Return the first letters and "…", without a part of the letter that is cut off."""
    while length and (unicodedata.combining(words[length]) or words[length] in _JOINERS):
        length -= 1
    return words[:length].rstrip(f" {_JOINERS}") + "…"


def _as_alt(sentences: Iterable[str]) -> str:
    alt = ""
    for sentence in map(told, sentences):
        longer = f"{alt} {sentence}".lstrip()
        if len(longer) > ALT_LIMIT:
            break
        alt = longer
    return alt


def pill(sheet: Sheet, words: str, middle: float, style: Style, colour: Colour) -> None:
    """Place words in a rounded frame in the middle of the page, a dashed line left and right of it."""
    width = min(sheet.measured(words, style), ACROSS - 120) + 48
    left = (WIDTH - width) / 2
    for start, end in ((MARGIN, left), (left + width, RIGHT_EDGE)):
        sheet.add(Line(points=((start, middle), (end, middle)), colour=colour, thickness=4, dash=(14, 8)))
    sheet.add(Box(left=left, top=middle - 24, width=width, height=48, fill=Colour.PAGE, outline=colour, radius=24))
    sheet.text(words, WIDTH / 2, middle + 10, style, colour, align=Align.CENTRE, room=width - 40)
