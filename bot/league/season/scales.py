"""Settings that are several numbers: the points results give, and how fast ratings move."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from bot.league.season.node import Node
from bot.league.season.setting_values import Value, Values


class Scale(Values[Value]):
    """Several numbers, which people type in their order with something between them."""

    def __init__(
        self,
        read: Callable[[Node], Value],
        names: Iterable[str],
        number: type[int] | type[float],
        example: str,
        offered: tuple[str, ...] = (),
    ) -> None:
        self._read, self._names, self._number, self.offered = read, tuple(names), number, offered
        self._between = "-" if "-" in example else " "
        self.takes = f"{len(self._names)} numbers ({', '.join(self._names)}), for example {example}"

    def read(self, node: Node) -> Value:
        """Return the numbers by their names."""
        return self._read(node)

    def typed(self, node: Node) -> dict[str, float]:
        """Return the numbers in their order."""
        parts = node.value.replace(self._between, " ").split()
        try:
            read = [self._number(part) for part in parts[: len(self._names)]]
        except ValueError:
            read = list[float]()
        if len(parts) != len(self._names) or len(read) != len(self._names):
            raise node.wrong(f"give {self.takes}")
        return dict(zip(self._names, read, strict=True))

    def text(self, value: Any) -> str:
        """Return the numbers in their order, as exactly as they are."""
        return self._between.join(_exactly(getattr(value, name)) for name in self._names)

    def words(self, value: Any) -> str:
        """Return the numbers with their names."""
        return ", ".join(f"{name} {getattr(value, name):g}" for name in self._names)


def _exactly(number: float) -> str:
    """Return a number as short as it can be read back: a text that is saved untouched changes nothing."""
    short = f"{number:g}"
    return short if float(short) == number else repr(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointScale:
    """Points a match result gives in a format that counts points."""

    win: int = 1
    draw: int = 0
    loss: int = 0
    bye: int = 1


def _points(node: Node) -> PointScale:
    given = node.fields(**asdict(PointScale()))
    scale = PointScale(**{key: points.whole(0, 100) for key, points in given.items()})
    if not scale.loss <= scale.draw <= scale.win or scale.loss == scale.win:
        raise node.wrong("a win must give more than a loss, and a draw at most a win and at least a loss")
    return scale


POINTS = Scale(_points, asdict(PointScale()), int, "3-1-0-3", ("1-0-0-1", "2-1-0-2", "3-1-0-3"))
"""What organisers type as `3-1-0-3`."""

WITHOUT_BYES = Scale(_points, ("win", "draw", "loss"), int, "3-1-0", ("1-0-0", "2-1-0", "3-1-0"))
"""What organisers type as `3-1-0` where no one has a bye."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingScale:
    """The TrueSkill environment of a season (docs/formats/shared.md)."""

    mu: float = 25.0
    sigma: float = 25.0 / 3
    beta: float = 25.0 / 6
    tau: float = 25.0 / 300
    draw_probability: float = 0.0


_RATING_LIMITS = {
    "mu": (-1e6, 1e6),
    "sigma": (1e-6, 1e6),
    "beta": (1e-6, 1e6),
    "tau": (0, 1e6),
    "draw_probability": (0, 0.99),
}


def _rating(node: Node) -> RatingScale:
    given = node.fields(**asdict(RatingScale()))
    return RatingScale(**{key: number.number(*_RATING_LIMITS[key]) for key, number in given.items()})


RATING = Scale(_rating, asdict(RatingScale()), float, "25 8.3 4.2 0.08 0")
"""What organisers type as `25 8.3 4.2 0.08 0`."""
