"""How an object of a league file is described: each field once, and it's read and written from there."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from bot.league.checking.league_file.people import People
from bot.league.season.node import Node

Reader = Callable[[Node, People], Any]
"""Returns a value as the rules know it; raises InvalidFile."""
Made = TypeVar("Made")

_NEEDED: Any = object()
_LEFT_OUT = ...


def whole(low: int, high: int) -> Reader:
    """Read a whole number within limits."""
    return lambda node, _: node.whole(low, high)


def number(low: float, high: float) -> Reader:
    """Read a number within limits."""
    return lambda node, _: node.number(low, high)


def word(choices: type[StrEnum]) -> Reader:
    """Read one of the words that are allowed here."""
    return lambda node, _: node.choice(choices)


def text(node: Node, _: People) -> str:
    """Read a text."""
    return node.text()


def flag(node: Node, _: People) -> bool:
    """Read true or false."""
    return node.flag()


def entrant(node: Node, people: People) -> Any:
    """Read the name of one of the players."""
    return people.entrant(node)


def maybe(read: Reader) -> Reader:
    """Read a value that can be null."""
    return lambda node, people: node.maybe(lambda value: read(value, people))


def each(read: Reader) -> Reader:
    """Read a list."""
    return lambda node, people: tuple(read(item, people) for item in node.items())


@dataclass(frozen=True, slots=True)
class Field:
    """A field, and the attribute of the same name that it tells.

    One with a default can be left out, and is where it says only that, unless it's `always` written.
    """

    key: str
    read: Reader
    default: Any = _NEEDED
    always: bool = False
    write: Callable[[Any], Any] | None = None


class Table(Generic[Made]):
    """The fields of an object, in the order they're written, and what is made of them."""

    def __init__(self, build: Callable[..., Made], *fields: Field) -> None:
        self._made = build
        self._fields = fields
        self._needed = tuple(field.key for field in fields if field.default is _NEEDED)
        self._others = {field.key: _LEFT_OUT for field in fields if field.default is not _NEEDED}

    def read(self, node: Node, people: People) -> Made:
        """Return what an object of the file tells; raises InvalidFile."""
        given = node.fields(*self._needed, **self._others)
        return self._made(
            **{
                field.key: field.default if (value := given[field.key]).value is ... else field.read(value, people)
                for field in self._fields
            }
        )

    def written(self, record: Made) -> dict[str, Any]:
        """Return an object of the file as JSON values."""
        fields: dict[str, Any] = {}
        for field in self._fields:
            value = getattr(record, field.key)
            if field.always or value != field.default:
                fields[field.key] = value if field.write is None or value is None else field.write(value)
        return fields

    def all_written(self, these: Iterable[Made]) -> list[dict[str, Any]]:
        """Return a list of the file as JSON values."""
        return [self.written(record) for record in these]
