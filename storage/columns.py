"""How values are kept in the file: times as whole seconds, flags as 0 and 1, lists and mappings as JSON."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from operator import itemgetter
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Row = TypeVar("Row")


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def stored(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return values as SQLite takes them: times in seconds, flags as 0 and 1, lists and mappings as JSON."""
    return tuple([value if type(value) in _AS_THEY_ARE else _one_stored(value) for value in values])


_AS_THEY_ARE = {type(None), int, float, bytes}
"""What SQLite takes as it is: an import stores hundreds of thousands of these, and of empty lists."""


def _one_stored(value: Any) -> Any:
    if isinstance(value, str):
        text = value
    elif isinstance(value, datetime):
        return _seconds(value)
    elif isinstance(value, (int, float)):  # a flag, or a number with a name
        return int(value) if isinstance(value, bool) else value
    else:
        text = "[]" if value == () else _json(value)
    # SQLite can't hold half a character, which JSON lets through: it becomes a question mark.
    return text if text.isascii() else text.encode(errors="replace").decode()


def _seconds(moment: datetime) -> int:
    if moment.tzinfo is None:
        raise ValueError("times are aware")
    return int(moment.timestamp())


def read(kind: type[Row], record: sqlite3.Row) -> Row:
    """Turn a record of the database into its row."""
    return _reader(kind, tuple(record.keys()))(record)


def read_all(kind: type[Row], records: Sequence[sqlite3.Row]) -> tuple[Row, ...]:
    """Turn the records of one query into rows."""
    return tuple(map(_reader(kind, tuple(records[0].keys())), records)) if records else ()


def columns_of(kind: type[Any]) -> str:
    """Return what is selected for `read_joined`: the columns of each part, from the table called like it."""
    return ", ".join(f"{name}.{column}" for name, part in _parts(kind) for column in part.__dataclass_fields__)


def read_joined(kind: type[Row], record: sqlite3.Row) -> Row:
    """Turn a record of several tables into a row of rows; None where a part's first column is NULL."""
    return _joined_reader(kind)(record)


@cache
def _joined_reader(kind: type[Any]) -> Callable[[sqlite3.Row], Any]:
    readers: list[tuple[str, slice, Callable[[Any], Any]]] = []
    start = 0
    for name, part in _parts(kind):
        columns = tuple(part.__dataclass_fields__)
        readers.append((name, slice(start, start + len(columns)), _reader(part, columns)))
        start += len(columns)

    def made(record: sqlite3.Row) -> Any:
        parts = ((name, record[place], part) for name, place, part in readers)
        return kind(**{name: None if values[0] is None else part(values) for name, values, part in parts})

    return made


def _parts(kind: type[Any]) -> list[tuple[str, type[Any]]]:
    """Return the fields of a row of rows, and which row each is if it's there."""
    return [(name, (get_args(hint) or (hint,))[0]) for name, hint in get_type_hints(kind).items()]


@cache
def _reader(kind: type[Any], columns: tuple[str, ...]) -> Callable[[Any], Any]:
    """Return what turns records with these columns into a row; what is the same for all of them is looked up once."""
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name in kind.__dataclass_fields__}
    names, pick = tuple(hints), itemgetter(*map(columns.index, hints))
    converters = [(at, convert) for at, hint in enumerate(hints.values()) if (convert := _converter(hint)) is not None]
    put_in = [getattr(kind, name).__set__ for name in names]

    def made(record: Any) -> Any:
        values = list(pick(record))
        for at, convert in converters:
            if values[at] is not None:
                values[at] = convert(values[at])
        row = object.__new__(kind)  # its constructor does the same in four times the time
        for put, value in zip(put_in, values, strict=True):
            put(row, value)
        return row

    return made


def _converter(hint: Any) -> Callable[[Any], Any] | None:
    """Return how a column becomes a field of this type; None where it is one already. NULL stays None."""
    members = [member for member in get_args(hint) if member is not type(None)]
    if get_origin(hint) is tuple:
        return read_list
    if get_origin(hint) is Mapping:
        return json.loads
    if members and type(None) in get_args(hint):
        return _converter(members[0])
    if hint is datetime:
        return lambda value: datetime.fromtimestamp(value, UTC)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {member.value: member for member in hint}.__getitem__
    return bool if hint is bool else None


def read_list(text: str) -> tuple[Any, ...]:
    """Return a list of the file; most are empty, as that of someone's former names."""
    return () if text == "[]" else tuple(json.loads(text))
