"""How values are kept in the file: times as whole seconds, flags as 0 and 1, lists and mappings as JSON."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import aiosqlite

Row = TypeVar("Row")


def stored(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return values as SQLite takes them: times in seconds, flags as 0 and 1, lists and mappings as JSON."""
    return tuple(_one_stored(value) for value in values)


def _one_stored(value: Any) -> Any:
    if isinstance(value, datetime):
        return _seconds(value)
    if isinstance(value, bool):
        return int(value)
    if value is None or isinstance(value, (int, float, bytes)):
        return value
    text = value if isinstance(value, str) else _json(value)
    # SQLite can't hold half a character, which JSON lets through: it becomes a question mark.
    return text if text.isascii() else text.encode(errors="replace").decode()


def _seconds(moment: datetime) -> int:
    if moment.tzinfo is None:
        raise ValueError("times are aware")
    return int(moment.timestamp())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain_mapping)


def _plain_mapping(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): member for key, member in value.items()}
    raise TypeError(f"{type(value).__name__} has no place in a JSON column")


def read(kind: type[Row], record: aiosqlite.Row) -> Row:
    """Turn a record of the database into its row."""
    return kind(**{name: convert(record[name]) for name, convert in _columns(kind).items()})


@cache
def _columns(kind: type[Any]) -> dict[str, Callable[[Any], Any]]:
    hints = get_type_hints(kind)
    return {name: _converter(hint) for name, hint in hints.items() if name in kind.__dataclass_fields__}


def _converter(hint: Any) -> Callable[[Any], Any]:
    """Return how a column becomes a field of this type; NULL stays None."""
    members = [member for member in get_args(hint) if member is not type(None)]
    if get_origin(hint) is tuple:
        return lambda value: tuple(json.loads(value))
    if get_origin(hint) is Mapping:
        return json.loads
    if members and type(None) in get_args(hint):
        inner = _converter(members[0])
        return lambda value: None if value is None else inner(value)
    if hint is datetime:
        return lambda value: datetime.fromtimestamp(value, UTC)
    if isinstance(hint, type) and (hint is bool or issubclass(hint, StrEnum)):
        return hint
    return lambda value: value
