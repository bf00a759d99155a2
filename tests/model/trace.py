"""What happened in a life, line by line, in words that are the same wherever and however often it is lived."""

import hashlib
import re
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

SHOWN = 160
"""So many characters of an answer are printed; a digest stands for the rest."""
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class Trace(list[str]):
    """The lines of a life; they cost nothing unless someone reads them."""

    wanted = False

    def note(self, now: datetime, what: str, *values: Any) -> None:
        """Add a line: when, what, and the values it is about."""
        if self.wanted:
            self.append(" ".join([f"{now:%Y-%m-%dT%H:%M:%S}", what, *(short(said(value)) for value in values)]))


def short(text: str) -> str:
    """Return a text, or its beginning and a digest of all of it."""
    if len(text) <= SHOWN:
        return text
    return f"{text[:SHOWN]}... {hashlib.sha256(text.encode()).hexdigest()[:16]}"


def said(value: Any) -> str:
    """Return a value in words; what has no order of its own is put in order."""
    match value:
        case str() | Enum() | int() | float() | None:
            return repr(str(value)) if isinstance(value, str) else str(value)
        case bytes():
            return f"{len(value)} bytes {hashlib.sha256(value).hexdigest()[:16]}"
        case datetime():
            return value.isoformat()
        case Mapping():
            return "{" + ", ".join(f"{said(key)}: {said(one)}" for key, one in value.items()) + "}"
        case Set():
            return "{" + ", ".join(sorted(map(said, value))) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(said, value)) + "]"
        case _ if is_dataclass(value) and not isinstance(value, type):
            inside = ", ".join(f"{one.name}={said(getattr(value, one.name))}" for one in fields(value) if one.repr)
            return f"{type(value).__name__}({inside})"
        case _:
            return _ADDRESS.sub("", repr(value))
