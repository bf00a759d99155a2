"""Brackets, wide or tall for phones, and rating curves as the places of lines and boxes within a page."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from bot.league.summaries.careers import Played
from bot.pictures.tree import BracketMatch, Node, trees

BOX_WIDTH, BOX_HEIGHT = 216, 74
_GAP, _BETWEEN = 22, 64
_TALL_WIDTH, _STEP, _TALL_GAP = 348, 26, 30


@dataclass(frozen=True, slots=True)
class Box:
    """A match of a bracket with its place in the picture."""

    match: BracketMatch
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Way:
    """How the winner of one match comes into another."""

    points: str
    decided: bool
    champion: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of boxes and ways between them; what the champion won is gold."""

    width: int
    height: int
    champion: str
    boxes: tuple[Box, ...]
    ways: tuple[Way, ...]


def wide(matches: Sequence[BracketMatch], champion: str) -> Drawing:
    """Return a bracket from left to right, a column a round: matches stand in rows, or in the middle of two that do."""
    middle: dict[str, int] = {}
    labels = {match.label for match in matches}
    rows = count(BOX_HEIGHT // 2, BOX_HEIGHT + _GAP)
    for match in _from_the_top(matches):
        if match.third_place or labels.isdisjoint(side.source for side in match.sides):
            middle[match.label] = next(rows)
    for match in sorted(matches, key=lambda match: match.round):
        if match.label not in middle:
            before = [middle[side.source] for side in match.sides if side.source in middle]
            middle[match.label] = sum(before) // len(before)
    step = BOX_WIDTH + _BETWEEN
    boxes = {
        match.label: Box(match, (match.round - 1) * step, middle[match.label] - BOX_HEIGHT // 2) for match in matches
    }

    def way(source: Box, box: Box, at: int) -> str:
        across = f"M{source.x + BOX_WIDTH} {source.y + BOX_HEIGHT // 2}H{box.x - _BETWEEN // 2}"
        return f"{across}V{box.y + 37 + 24 * at}H{box.x - 3}"

    width = max(match.round for match in matches) * step - _BETWEEN
    return _drawing(width, next(rows) - BOX_HEIGHT // 2 - _GAP, champion, boxes, way)


def tall(matches: Sequence[BracketMatch], champion: str) -> Drawing:
    """Return a bracket from top to bottom, a match a band, further in the later its round: for phones."""
    step = min(_STEP, (_TALL_WIDTH - BOX_WIDTH) // max(1, max(match.round for match in matches) - 1))
    rows = count(0, BOX_HEIGHT + _TALL_GAP)
    boxes = {match.label: Box(match, (match.round - 1) * step, next(rows)) for match in _from_the_top(matches)}

    def way(source: Box, box: Box, _: int) -> str:
        if source.y < box.y:
            return f"M{box.x + 14} {source.y + BOX_HEIGHT}V{box.y - 3}"
        return f"M{box.x + 34} {source.y}V{box.y + BOX_HEIGHT + 3}"

    return _drawing(_TALL_WIDTH, next(rows) - _TALL_GAP, champion, boxes, way)


def _drawing(
    width: int, height: int, champion: str, boxes: dict[str, Box], way: Callable[[Box, Box, int], str]
) -> Drawing:
    """Return a drawing with the ways that lead into its boxes, one a side; `way` says through which points."""
    ways = tuple(
        Way(way(boxes[side.source], box, at), decided=side.name is not None, champion=side.name == champion)
        for box in boxes.values()
        for at, side in enumerate(box.match.sides)
        if side.source in boxes and not box.match.third_place
    )
    return Drawing(width, height, champion, tuple(boxes.values()), ways)


def _from_the_top(matches: Sequence[BracketMatch]) -> Iterator[BracketMatch]:
    """Yield each match between those its sides come from, in the order of its sides; the one for third place last."""

    def walk(node: Node) -> Iterator[BracketMatch]:
        before = sorted(node.children, key=lambda child: child.match.label != node.match.upper.source)
        for child in before[:1]:
            yield from walk(child)
        yield node.match
        for child in before[1:]:
            yield from walk(child)

    for node in trees(matches):
        yield from walk(node)
    yield from (match for match in matches if match.third_place)


CURVE_WIDTH, CURVE_HEIGHT = 1000, 250
_LEFT, _TOP, _BOTTOM = 54, 10, 34


@dataclass(frozen=True, slots=True)
class Curve:
    """A rating over time: the band of uncertainty, the line, dotted while provisional, seasons, numbers beside."""

    band: str
    dotted: str
    line: str
    seasons: tuple[tuple[int, int, int], ...]
    numbers: tuple[tuple[int, int], ...]
    last: tuple[int, int]
    titles: tuple[tuple[int, int], ...]


def curve(rated: Sequence[Played], titles: Sequence[int]) -> Curve:
    """Return the curve of a player's rating, one step a rated match; there is at least one."""
    shown = [point.rating for point in rated if point.rating is not None]
    low = min(rating.value - rating.uncertainty for rating in shown)
    high = max(rating.value + rating.uncertainty for rating in shown)
    grid = next(size for size in (100, 200, 400, 800, 1600, 10**9) if (high - low) / size <= 5 or size > 1600)
    low, high = low // grid * grid, -(-high // grid) * grid
    across = (CURVE_WIDTH - _LEFT - 20) / max(1, len(shown) - 1)
    height = CURVE_HEIGHT - _TOP - _BOTTOM

    def x(at: int) -> int:
        return round(_LEFT + 10 + at * across)

    def y(value: int) -> int:
        return round(_TOP + height * (high - value) / max(1, high - low))

    dots = [(x(at), y(rating.value)) for at, rating in enumerate(shown)]
    first = next((at for at, rating in enumerate(shown) if not rating.provisional), len(shown))
    upper = [(x(at), y(rating.value + rating.uncertainty)) for at, rating in enumerate(shown)]
    lower = [(x(at), y(rating.value - rating.uncertainty)) for at, rating in enumerate(shown)]
    ends = {point.season: at for at, point in enumerate(rated)}
    edges = [_LEFT, *(round((x(at) + x(at + 1)) / 2) for at in list(ends.values())[:-1]), CURVE_WIDTH]
    return Curve(
        band=_points([*upper, *reversed(lower)]),
        dotted=_points(dots[: first + 1]),
        line=_points(dots[first:]),
        seasons=tuple(zip(ends, edges, edges[1:], strict=False)),
        numbers=tuple((value, y(value)) for value in range(low, high + 1, grid)),
        last=dots[-1],
        titles=tuple(dots[ends[season]] for season in titles if season in ends),
    )


def _points(points: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
