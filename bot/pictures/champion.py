"""The picture of a champion: the name first, then the way to the title, then the season in numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from bot.pictures.layout import MARGIN, WIDTH, Box, Colour, Glow, Measure, Page, Shape, Style, Weight
from bot.pictures.marks import cup
from bot.pictures.sheet import ACROSS, RIGHT_EDGE, Align, Part, Sheet

_ROW = 62
_GAP = 10
_TILE = 128
_TILES_IN_A_ROW = 4
_MOST_STAGE = 320
_NAME_SIZES = (104, 88, 72, 60, 48)
_OVER = Style(size=34)
_UNDER = Style(size=34)
_HEADING = Style(size=30, weight=Weight.SEMIBOLD)
_STAGE = Style(size=32)
_FINAL = Style(size=32, weight=Weight.SEMIBOLD)
_OPPONENT = Style(size=34, weight=Weight.SEMIBOLD)
_SMALL = Style(size=28)
_SCORE = Style(size=34, weight=Weight.BOLD)
_NUMBER = Style(size=52, weight=Weight.BOLD)
_FACT = Style(size=30, weight=Weight.SEMIBOLD)
_CONFETTI = (
    (98, 98, 20, Colour.GOLD),
    (271, 95, 50, Colour.BLUE),
    (740, 84, 10, Colour.GREEN),
    (889, 114, 35, Colour.BLUE),
    (188, 176, -25, Colour.GREEN),
    (339, 183, 12, Colour.GOLD),
    (667, 201, 65, Colour.GOLD),
    (812, 182, -18, Colour.GOLD),
    (62, 208, 60, Colour.BLUE),
    (944, 212, -40, Colour.GREEN),
)
"""Middle, angle in degrees and colour of each piece of paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A line of the way to the title: an opponent beaten, or what happened (`words`) where there is no opponent."""

    stage: str
    opponent: str = ""
    seed: int | None = None
    words: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionPicture:
    """What the picture of a champion shows.

    `numbers` are a number and what it counts, `facts` a title and a sentence, `file` the name of the season's file.
    """

    name: str
    season: str
    subtitle: str
    way: tuple[Step, ...]
    numbers: tuple[tuple[str, str], ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    file: str = ""

    def pages(self, measure: Measure) -> tuple[Page, ...]:
        """Return the one page."""
        sheet = Sheet(measure)
        top = _name(self, sheet)
        top = _way(self.way, top, sheet)
        if self.numbers or self.facts:
            sheet.text("The season in numbers", MARGIN, top + 30, _HEADING, Colour.GOLD)
            top = _facts(self.facts, _numbers(self.numbers, top + 50, sheet), sheet)
        words = ("Every pairing can be checked:", "verify", self.file)
        pieces = tuple(zip(words, (Colour.SECOND, Colour.BLUE, Colour.SECOND), strict=True))
        height = sheet.footer(top + 8, (Part(pieces=pieces),))
        opponents = (step.opponent for step in self.way if step.opponent)
        return (sheet.page(height, _alt(self), names=(self.name, *opponents)),)


def _name(picture: ChampionPicture, sheet: Sheet) -> float:
    """Place the cup, the confetti and the name as large as it fits."""
    middle = WIDTH / 2
    sheet.add(Glow(centre=(middle, 10), radius=620, colour=Colour.GOLD, strength=0.26))
    sheet.add(*(_paper(*paper) for paper in _CONFETTI), *cup((middle, 120), 132, Colour.GOLD))
    sheet.text(f"Champion of {picture.season}", middle, 252, _OVER, Colour.SECOND, align=Align.CENTRE, room=ACROSS)
    styles = [Style(size=size, weight=Weight.BOLD) for size in _NAME_SIZES]
    style = next((style for style in styles if sheet.measured(picture.name, style) <= ACROSS), styles[-1])
    sheet.text(picture.name, middle, 362, style, Colour.TEXT, align=Align.CENTRE, room=ACROSS)
    sheet.text(picture.subtitle, middle, 426, _UNDER, Colour.SECOND, align=Align.CENTRE, room=ACROSS)
    return 458


def _paper(x: float, y: float, angle: int, fill: Colour) -> Shape:
    turn = angle * pi / 180
    along, across = (11 * cos(turn), 11 * sin(turn)), (-5 * sin(turn), 5 * cos(turn))
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return Shape(
        points=tuple((x + a * along[0] + b * across[0], y + a * along[1] + b * across[1]) for a, b in signs), fill=fill
    )


def _way(way: Sequence[Step], top: float, sheet: Sheet) -> float:
    if not way:
        return top
    sheet.text("Way to the title", MARGIN, top + 30, _HEADING, Colour.GOLD)
    top += 50
    stages = min(sheet.widest((step.stage for step in way), _FINAL), _MOST_STAGE)
    for step in way:
        _step(step, top, stages, sheet, last=step is way[-1])
        top += _ROW + _GAP
    return top + 28


def _step(step: Step, top: float, stages: float, sheet: Sheet, *, last: bool) -> None:
    outline = Colour.GOLD if last else None
    sheet.add(Box(left=MARGIN, top=top, width=ACROSS, height=_ROW, fill=Colour.ROW, outline=outline, radius=10))
    left, right, baseline = MARGIN + 26, RIGHT_EDGE - 26, top + 42
    style, colour = (_FINAL, Colour.GOLD) if last else (_STAGE, Colour.SECOND)
    sheet.text(step.stage, left, baseline, style, colour, room=stages)
    style, colour = (_SCORE, Colour.GOLD) if step.opponent else (_STAGE, Colour.SECOND)
    right -= sheet.text(step.result, right, baseline, style, colour, align=Align.RIGHT)
    left += stages + 32
    if not step.opponent:
        sheet.text(step.words, left, baseline, _OPPONENT, Colour.TEXT, room=right - left - 20)
        return
    left += sheet.text("beat", left, baseline, _STAGE, Colour.SECOND) + 16
    seed = f"(seed {step.seed})" if step.seed else ""
    room = right - left - sheet.measured(seed, _SMALL) - 36
    left += sheet.name(step.opponent, left, baseline, _OPPONENT, Colour.TEXT, room=room) + 14
    sheet.text(seed, left, baseline, _SMALL, Colour.MUTED)


def _numbers(numbers: Sequence[tuple[str, str]], top: float, sheet: Sheet) -> float:
    gap = 16
    columns = min(_TILES_IN_A_ROW, len(numbers)) or 1
    width = (ACROSS - gap * (columns - 1)) / columns
    for at, (number, words) in enumerate(numbers):
        left = MARGIN + at % columns * (width + gap)
        y = top + at // columns * (_TILE + gap)
        sheet.add(Box(left=left, top=y, width=width, height=_TILE, fill=Colour.ROW, radius=10))
        sheet.text(number, left + width / 2, y + 64, _NUMBER, Colour.TEXT, align=Align.CENTRE, room=width - 16)
        sheet.text(words, left + width / 2, y + 106, _SMALL, Colour.SECOND, align=Align.CENTRE, room=width - 16)
    return top + -(-len(numbers) // columns) * (_TILE + gap) + 36


def _facts(facts: Sequence[tuple[str, str]], top: float, sheet: Sheet) -> float:
    titles = sheet.widest((title for title, _ in facts), _STAGE) + 32
    for title, words in facts:
        sheet.text(title, MARGIN, top, _STAGE, Colour.SECOND)
        top = sheet.lines(words, MARGIN + titles, top, _FACT, Colour.TEXT, room=ACROSS - titles) + 46
    return top - 14


def _alt(picture: ChampionPicture) -> Iterator[str]:
    yield f"{picture.name} is the champion of {picture.season}. {picture.subtitle}."
    for step in picture.way:
        seed = f" (seed {step.seed})" if step.seed else ""
        beaten = f"beat {step.opponent}{seed}" if step.opponent else step.words
        yield f"{step.stage}: {', '.join(filter(None, (beaten, step.result)))}."
    for number, words in picture.numbers:
        yield f"{number} {words}."
    for title, words in picture.facts:
        yield f"{title}: {words}."
