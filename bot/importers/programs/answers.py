"""Take values out of the JSON of other programs, whatever stands where they should."""

from typing import Any

Object = dict[str, Any]


def items_in(value: Any, *, kind: type[Any] = dict) -> list[Any]:
    """Return what is of a kind in a list, nothing of all other values."""
    return [item for item in value if isinstance(item, kind)] if isinstance(value, list) else []


def id_of(value: Any) -> object:
    """Return an id in one spelling: version 2.1 has them as texts, too."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        return int(value)
    return value if isinstance(value, str) or type(value) is int else None


def text_of(value: Any) -> str:
    """Return a text or a whole number as text, nothing of all other values."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if type(value) is int and abs(value) < 10**18 else ""
