"""The picture of a player's rating: one step for each rated match, its uncertainty, the seasons, the peak."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.league.counting.ratings import ShownRating
from bot.league.season.in_words import amount
from bot.pictures.layout import MARGIN, Box, Colour, Item, Line, Measure, Page, Point, Shape, Style, Weight
from bot.pictures.sheet import RIGHT_EDGE, Align, Part, Sheet, note

_LEFT, _RIGHT = 132.0, 956.0
_HEIGHT = 490
_MOST_LINES = 6
_NARROW = 30
"""Seasons that are no wider have no line between them."""
_STEPS = (20, 50, 100, 200, 500, 1000, 2000, 5000)
_DOTS = (8, 9)
_NOW = Style(size=46, weight=Weight.BOLD)
_SECOND = Style(size=30)
_TICK = Style(size=28)
_SEASON = Style(size=28)
_PEAK = Style(size=30, weight=Weight.BOLD)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPoint:
    """The shown rating after a rated match of a season, plus or minus its uncertainty."""

    season: int
    rating: int
    uncertainty: int
    provisional: bool = False

    @classmethod
    def of(cls, season: int, rating: ShownRating) -> "RatingPoint":
        """Return the point of a rating as people read it."""
        return cls(season=season, rating=rating.value, uncertainty=rating.uncertainty, provisional=rating.provisional)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPicture:
    """What the picture of a rating shows: `points` in the order of the matches, at least one."""

    player: str
    subtitle: str
    points: tuple[RatingPoint, ...]

    def pages(self, measure: Measure) -> tuple[Page, ...]:
        """Return the one page."""
        sheet = Sheet(measure)
        top = _header(self, sheet) + 8
        chart = _chart(self.points, top)
        _seasons(chart, sheet)
        _band(chart, sheet)
        _scale(chart, sheet)
        _curve(chart, sheet)
        _peak(chart, sheet)
        height = sheet.footer(chart.bottom + 68, tuple(_legend(self.points)))
        return (sheet.page(height, _alt(self), names=(self.player,)),)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chart:
    """The field of the curve: which ratings its top and bottom are, and how far its lines are apart."""

    points: tuple[RatingPoint, ...]
    top: float
    lowest: int
    highest: int
    step: int

    @property
    def bottom(self) -> float:
        return self.top + _HEIGHT

    def x(self, number: float) -> float:
        """Return where a point stands; half numbers are between two matches."""
        return _LEFT + (number + 0.5) * (_RIGHT - _LEFT) / len(self.points)

    def y(self, rating: float) -> float:
        within = min(max(rating, self.lowest), self.highest)
        return self.bottom - (within - self.lowest) * _HEIGHT / (self.highest - self.lowest)

    def at(self, number: int) -> Point:
        return self.x(number), self.y(self.points[number].rating)


def _chart(points: tuple[RatingPoint, ...], top: float) -> _Chart:
    """Return a field that leaves room for the words of the peak above the band.

    The wide band of the first matches may leave it: after a few seasons it would press all the rest together.
    """
    settled = [point for point in points if not point.provisional] or points
    low = min(*(point.rating for point in points), *(point.rating - point.uncertainty for point in settled))
    high = max(*(point.rating for point in points), *(point.rating + point.uncertainty for point in settled))
    high += max(10, (high - low) // 6)
    step = next((step for step in _STEPS if -(-high // step) - low // step <= _MOST_LINES), (high - low) // 5)
    lowest = low // step * step
    return _Chart(points=points, top=top, lowest=lowest, highest=max(-(-high // step) * step, lowest + step), step=step)


def _header(picture: RatingPicture, sheet: Sheet) -> float:
    now = picture.points[-1]
    taken = sheet.text(f"± {now.uncertainty}", RIGHT_EDGE, 74, _SECOND, Colour.SECOND, align=Align.RIGHT) + 14
    taken += sheet.text(str(now.rating), RIGHT_EDGE - taken, 74, _NOW, Colour.BLUE, align=Align.RIGHT)
    words = "now, provisional" if now.provisional else "now"
    sheet.text(words, RIGHT_EDGE, 120, _SECOND, Colour.SECOND, align=Align.RIGHT)
    return sheet.header(picture.player, picture.subtitle, taken=max(taken, sheet.measured(words, _SECOND)) + 24)


def _seasons(chart: _Chart, sheet: Sheet) -> None:
    """Shade every other season and name those that have room."""
    numbers = range(len(chart.points))
    free = _LEFT
    for at, (season, numbers_of) in enumerate(groupby(numbers, key=lambda number: chart.points[number].season)):
        these = list(numbers_of)
        left, right = chart.x(these[0] - 0.5), chart.x(these[-1] + 0.5)
        fill = Colour.ROW if at % 2 == 0 else Colour.PAGE
        sheet.add(Box(left=left, top=chart.top, width=right - left, height=_HEIGHT, fill=fill))
        if these[0] and right - left > _NARROW:
            points = ((left, chart.top), (left, chart.bottom))
            sheet.add(Line(points=points, colour=Colour.PATH, thickness=2, dash=(5, 6)))
        free = _season(season, left, right, max(free, left - 20), chart.bottom + 46, sheet)


def _season(season: int, left: float, right: float, free: float, baseline: float, sheet: Sheet) -> float:
    """Name a season in the middle of its part, where the words have room; return where the next may begin."""
    for words in (f"Season {season}", str(season)):
        start = (left + right - sheet.measured(words, _SEASON)) / 2
        if start >= max(free, left - 10) and start + sheet.measured(words, _SEASON) <= min(right + 10, RIGHT_EDGE):
            return start + sheet.text(words, start, baseline, _SEASON, Colour.SECOND) + 16
    return free


def _band(chart: _Chart, sheet: Sheet) -> None:
    numbers = range(len(chart.points))
    upper = [(chart.x(n), chart.y(chart.points[n].rating + chart.points[n].uncertainty)) for n in numbers]
    lower = [(chart.x(n), chart.y(chart.points[n].rating - chart.points[n].uncertainty)) for n in numbers]
    if len(chart.points) == 1:
        upper, lower = ([(x - 30, y), (x + 30, y)] for ((x, y),) in (upper, lower))
    sheet.add(Shape(points=(*upper, *reversed(lower)), fill=Colour.BAND))
    sheet.add(*(Line(points=tuple(edge), colour=Colour.BAND_EDGE) for edge in (upper, lower)))


def _scale(chart: _Chart, sheet: Sheet) -> None:
    for rating in range(chart.lowest, chart.highest + 1, chart.step):
        y = chart.y(rating)
        sheet.add(Line(points=((_LEFT, y), (_RIGHT, y)), colour=Colour.RULE, thickness=1))
        sheet.text(str(rating), _LEFT - 16, y + 10, _TICK, Colour.SECOND, align=Align.RIGHT, room=_LEFT - 16 - MARGIN)


def _curve(chart: _Chart, sheet: Sheet) -> None:
    """Draw the steps, dotted while the rating is provisional, and a dot where it is now."""
    numbers = range(1, len(chart.points))
    for provisional, numbers_of in groupby(numbers, key=lambda number: chart.points[number].provisional):
        these = list(numbers_of)
        points = tuple(chart.at(number) for number in (these[0] - 1, *these))
        sheet.add(Line(points=points, colour=Colour.BLUE, thickness=6, dash=_DOTS if provisional else None))
    x, y = chart.at(len(chart.points) - 1)
    for radius, fill in ((15, Colour.PAGE), (11, Colour.BLUE)):
        sheet.add(Box(left=x - radius, top=y - radius, width=2 * radius, height=2 * radius, fill=fill, radius=radius))


def _peak(chart: _Chart, sheet: Sheet) -> None:
    """Mark the first highest rating that isn't provisional, with its words above the band."""
    settled = [number for number, point in enumerate(chart.points) if not point.provisional]
    if not settled:
        return
    number = max(settled, key=lambda number: chart.points[number].rating)
    x, y = chart.at(number)
    words = f"Peak {chart.points[number].rating}"
    half = sheet.measured(words, _PEAK) / 2 + 14
    middle = min(max(x, _LEFT + half), _RIGHT - half)
    sheet.add(Line(points=((middle, chart.top + 46), (x, y - 16)), colour=Colour.GOLD, thickness=3))
    for size, fill in ((19, Colour.PAGE), (14, Colour.GOLD)):
        sheet.add(Shape(points=((x, y - size), (x + size, y), (x, y + size), (x - size, y)), fill=fill))
    sheet.add(Box(left=middle - half, top=chart.top + 4, width=2 * half, height=44, fill=Colour.PAGE, radius=10))
    sheet.text(words, middle, chart.top + 37, _PEAK, Colour.GOLD, align=Align.CENTRE)


def _legend(points: Sequence[RatingPoint]) -> Iterator[Part]:
    provisional = sum(point.provisional for point in points)
    if provisional < len(points):
        yield note("rating", sign=lambda at: _sample(at, None))
    yield note("± uncertainty", sign=_swatch)
    if provisional:
        words = "the first match" if provisional == 1 else f"the first {provisional} matches"
        yield note(f"provisional: {words}", sign=lambda at: _sample(at, _DOTS))
    yield note("One step for each rated match.")
    yield Part(pieces=(("Check it:", Colour.SECOND), ("verify", Colour.BLUE)))


def _sample(at: Point, dash: tuple[int, int] | None) -> tuple[Item, ...]:
    points = ((at[0] - 18, at[1]), (at[0] + 18, at[1]))
    return (Line(points=points, colour=Colour.BLUE, thickness=6, dash=dash),)


def _swatch(at: Point) -> tuple[Item, ...]:
    return (Box(left=at[0] - 18, top=at[1] - 13, width=36, height=26, fill=Colour.BAND, radius=4),)


def _alt(picture: RatingPicture) -> Iterator[str]:
    first, now = picture.points[0], picture.points[-1]
    provisional = ", provisional" if now.provisional else ""
    yield f"Rating of {picture.player}: {picture.subtitle}."
    matches = amount(len(picture.points), "rated match")
    yield f"Now {now.rating} plus or minus {now.uncertainty}{provisional}, after {matches}."
    settled = [point for point in picture.points if not point.provisional]
    if settled:
        peak = max(settled, key=lambda point: point.rating)
        yield f"Peak {peak.rating} in season {peak.season}."
    yield f"It began at {first.rating} in season {first.season}."
