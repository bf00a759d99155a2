"""A picture before it is painted: its colours, its smallest letters, a page of boxes, lines, shapes and text."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, StrEnum

WIDTH = 1000
"""A page is so wide; a phone shows it at 390, so 28 pixels become 11."""
MARGIN = 36
SMALLEST = 28
"""No text is smaller."""

Point = tuple[float, float]


class Colour(StrEnum):
    """The palette: every text on every surface it stands on has a contrast of at least 4.5."""

    PAGE = "#1E1F24"
    ROW = "#282A31"
    OUT_ROW = "#22242A"
    HEADER = "#343741"
    RULE = "#4A4E5A"
    PATH = "#7C8291"
    TEXT = "#F2F3F5"
    SECOND = "#BCC1CC"
    MUTED = "#979DAA"
    GREEN = "#3DD1A5"
    BLUE = "#6CB8F6"
    AMBER = "#F2B83B"
    ORANGE = "#FF9468"
    GOLD = "#F5D06A"
    BAND = "#35495E"
    BAND_EDGE = "#4F7FAE"


class Weight(IntEnum):
    """How heavy letters are."""

    REGULAR = 400
    SEMIBOLD = 600
    BOLD = 700


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How letters look; `size` is the font size in pixels."""

    size: int
    weight: Weight = Weight.REGULAR
    italic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Words in one line, from `left`, on `baseline`, as wide as measured."""

    words: str
    left: float
    baseline: float
    width: float
    style: Style
    colour: Colour

    @property
    def top(self) -> float:
        """Return where the highest letters with an accent begin."""
        return self.baseline - 0.95 * self.style.size

    @property
    def bottom(self) -> float:
        """Return where the lowest letters end."""
        return self.baseline + 0.25 * self.style.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle; `round_top` and `round_bottom` say which corners have the radius."""

    left: float
    top: float
    width: float
    height: float
    fill: Colour | None = None
    outline: Colour | None = None
    thickness: int = 3
    radius: int = 0
    round_top: bool = True
    round_bottom: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line through points; `dash` is the length of a dash and of the gap after it."""

    points: tuple[Point, ...]
    colour: Colour
    thickness: int = 2
    dash: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A filled polygon."""

    points: tuple[Point, ...]
    fill: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Glow:
    """Light behind what stands at `centre`, fading to the page at `radius`; painted before everything else."""

    centre: Point
    radius: int
    colour: Colour
    strength: float


Item = Text | Box | Line | Shape | Glow
Measure = Callable[[str, Style], float]
"""Returns the width of words in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One picture: `title` tells it from the other pages, `names` are the players on it.

    `stand_ins` are those whose names can't be drawn, each with what stands in their place.
    """

    width: int = WIDTH
    height: int
    items: tuple[Item, ...]
    alt: str
    title: str = ""
    names: tuple[str, ...] = ()
    stand_ins: tuple[tuple[str, str], ...] = ()
