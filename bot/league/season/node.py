"""Values from strangers, each with its place: every fault says where it is and how to fix it."""

import json
from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

from bot.league.errors import Invalid, InvalidFile

Read = TypeVar("Read")
Choice = TypeVar("Choice", bound=StrEnum)


def quoted(value: Any) -> str:
    """Return a value as JSON on one line, cut where it is long, for a message."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    text = one_line(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 60 else f"{text[:57]}..."


def one_line(text: str) -> str:
    """Return a text as one line that any terminal can show: line breaks as spaces, control characters escaped."""
    if text.isprintable():
        return text
    joined = text.replace("\r\n", " ").replace("\n", " ")
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in joined)


class Node:
    """A value and where it is: under a key or at an index of the node above, if there is one.

    `optional` is whether null can be here.
    """

    __slots__ = ("_above", "_key", "optional", "value")

    def __init__(self, value: Any, key: str | int = "", above: "Node | None" = None, *, optional: bool = False) -> None:
        self.value = value
        self.optional = optional
        self._key = key
        self._above = above

    @property
    def place(self) -> str:
        """Where the value is, for example `rounds[2].matches[0].winner` or the key of a setting."""
        above = "" if self._above is None else self._above.place
        if isinstance(self._key, int):
            return f"{above}[{self._key}]"
        return f"{above}.{self._key}" if above else self._key

    def inside(self, value: Any, key: str | int) -> "Node":
        """Return what is under a key or at an index of this value."""
        return Node(value, key, self)

    def wrong(self, problem: str) -> Invalid:
        """Return the error to raise about this value."""
        return InvalidFile(problem, place=self.place)

    def refused(self, wanted: str) -> Invalid:
        """Return the error for a value that isn't allowed here; `wanted` says what is."""
        return self.wrong(
            f"{quoted(self.value)} isn't possible; {wanted}{', or leave it out' if self.optional else ''}"
        )

    def fields(self, *required: str, **optional: Any) -> "dict[str, Node]":
        """Return an object's fields, the optional ones with these defaults; raises InvalidFile if one is unknown."""
        if not isinstance(self.value, dict):
            raise self.wrong(f"must be an object, not {quoted(self.value)}")
        for key in self.value:
            if key not in required and key not in optional:
                allowed = ", ".join([*required, *optional])
                raise self.wrong(f"unknown field {quoted(key)}; the fields here are {allowed}")
        for key in required:
            if key not in self.value:
                raise self.wrong(f"the field {quoted(key)} is missing; add it")
        return {key: self.inside(value, key) for key, value in {**optional, **self.value}.items()}

    def below(self, key: str) -> "Node":
        """Return a field of an object that has it."""
        return Node(self.value[key], key, self)

    def values(self) -> list[Any]:
        """Return a list's values, plain."""
        if not isinstance(self.value, list):
            raise self.wrong(f"must be a list, not {quoted(self.value)}")
        return self.value

    def items(self) -> "list[Node]":
        """Return a list's values, each with its place."""
        return [self.inside(value, index) for index, value in enumerate(self.values())]

    def pair(self) -> "tuple[Node, Node]":
        """Return the two values of a list of two."""
        items = self.items()
        if len(items) != 2:
            raise self.wrong(f"must have two values, not {len(items)}")
        return items[0], items[1]

    def text(self) -> str:
        """Return a text that UTF-8 can encode; JSON allows halves of characters too."""
        if not isinstance(self.value, str):
            raise self.wrong(f"must be text, not {quoted(self.value)}")
        if not self.value.isascii() and any("\ud800" <= char <= "\udfff" for char in self.value):
            raise self.wrong(f"contains half a character (a lone surrogate): {quoted(self.value)}; write it whole")
        return self.value

    def whole(self, low: int, high: int) -> int:
        """Return a whole number within limits."""
        if type(self.value) is not int or not low <= self.value <= high:
            raise self.refused(f"give a whole number from {low} to {high}")
        return self.value

    def number(self, low: float, high: float) -> float:
        """Return a number within limits."""
        if type(self.value) not in (int, float) or not low <= self.value <= high:
            raise self.refused(f"give a number from {low:g} to {high:g}")
        return float(self.value)

    def flag(self) -> bool:
        """Return true or false."""
        if type(self.value) is not bool:
            raise self.refused("give true or false")
        return self.value

    def choice(self, choices: type[Choice]) -> Choice:
        """Return one of the words that are allowed here."""
        if self.value not in list(choices):
            raise self.refused(f"choose one of {', '.join(choices)}")
        return choices(self.value)

    def maybe(self, read: "Callable[[Node], Read]") -> "Read | None":
        """Return what `read` makes of the value, or None for null."""
        self.optional = True
        return None if self.value is None else read(self)
