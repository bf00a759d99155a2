"""The marks that fonts lack, drawn as shapes: triangles, a tick, a cup, arrowheads."""

from collections.abc import Callable
from math import cos, pi, sin

from bot.pictures.layout import Box, Colour, Item, Line, Point, Shape


def triangle(centre: Point, size: float, fill: Colour, *, up: bool) -> Shape:
    """Return an arrow of the standings: up, or down."""
    (x, y), half, high = centre, size / 2, (-1 if up else 1) * size * 0.45
    return Shape(points=((x - half, y - high), (x + half, y - high), (x, y + high)), fill=fill)


def tick(centre: Point, size: float, colour: Colour) -> tuple[Item, ...]:
    """Return a tick."""
    (x, y), unit = centre, size / 26
    points = ((x - 12 * unit, y + unit), (x - 3 * unit, y + 9 * unit), (x + 12 * unit, y - 9 * unit))
    return (Line(points=points, colour=colour, thickness=round(5 * unit)),)


def cup(centre: Point, size: float, colour: Colour) -> tuple[Item, ...]:
    """Return a cup with two handles on a foot, `size` pixels high and about as wide."""
    (x, y), unit = centre, size / 100

    def at(across: float, down: float) -> Point:
        return x + across * unit, y + (down - 50) * unit

    bowl = [at(30 * cos(angle * pi / 12), 32 + 38 * sin(angle * pi / 12)) for angle in range(13)]
    stem = (at(-6, 66), at(6, 66), at(6, 90), at(-6, 90))
    left, top = at(-28, 88)
    foot = Box(left=left, top=top, width=56 * unit, height=14 * unit, fill=colour, radius=round(4 * unit))
    return (
        Shape(points=(at(30, 0), *bowl, at(-30, 0)), fill=colour),
        *(_handle(at, side, colour, unit) for side in (-1, 1)),
        Shape(points=stem, fill=colour),
        foot,
    )


def _handle(at: Callable[[float, float], Point], side: int, colour: Colour, unit: float) -> Line:
    arc = [at(side * (27 + 25 * cos(angle * pi / 16)), 10 + 38 * sin(angle * pi / 16)) for angle in range(9)]
    points = (at(side * 28, 8), at(side * 52, 8), *arc)
    return Line(points=points, colour=colour, thickness=max(2, round(9 * unit)))


def arrow(start: Point, end: Point, colour: Colour) -> tuple[Item, ...]:
    """Return a straight arrow up or down."""
    (x, top), bottom = start, end[1]
    back = 14 if bottom < top else -14
    line = Line(points=((x, top), (x, bottom + back)), colour=colour, thickness=6)
    return line, Shape(points=((x - 13, bottom + back), (x + 13, bottom + back), (x, bottom)), fill=colour)
