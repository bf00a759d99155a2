"""How the facts of a post are kept in its row: a frozen dataclass as JSON, and back."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache, partial
from types import NoneType
from typing import Any, NewType, TypeVar, get_args, get_origin, get_type_hints

Shape = TypeVar("Shape")
Parse = Callable[[Any], Any]


class UnreadableFacts(ValueError):
    """The facts of a post aren't those of its kind."""


def written(facts: Any) -> dict[str, Any]:
    """Return facts as a row keeps them, without those that are what they are by default."""
    values = ((field, getattr(facts, field.name)) for field in fields(facts))
    return {field.name: _written(value) for field, value in values if value != field.default}


def _written(value: Any) -> Any:
    match value:
        case tuple():
            return [_written(member) for member in value]
        case datetime() if value.tzinfo is None:
            raise ValueError("times are aware")
        case datetime():
            return int(value.timestamp())
        case _:
            return value


def read(shape: type[Shape], kept: Mapping[str, Any]) -> Shape:
    """Return facts of a shape from what a row keeps, which may hold more; raises UnreadableFacts."""
    try:
        return shape(**{name: parse(kept[name]) for name, parse in _parsers(shape).items() if name in kept})
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise UnreadableFacts(f"{shape.__name__} can't be read from {sorted(kept)}: {error}") from error


@cache
def texts_in(shape: type[Any]) -> frozenset[str]:
    """Return which facts of a shape are texts, in which people can be named; other words in it are the program's."""
    return frozenset(name for name, hint in get_type_hints(shape).items() if hint in (str, str | None))


@cache
def _parsers(shape: type[Any]) -> dict[str, Parse]:
    return {name: _parser(hint) for name, hint in get_type_hints(shape).items()}


def _parser(hint: Any) -> Parse:
    """Return what reads a value of a type; raises TypeError for a type no facts can have."""
    members, origin = get_args(hint), get_origin(hint)
    if origin is tuple:
        return partial(_read_tuple, _parser(members[0]))
    if NoneType in members:
        return partial(_read_optional, _parser(members[0]))
    if isinstance(hint, NewType):
        return _parser(hint.__supertype__)
    if hint is datetime:
        return _read_moment
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint
    kind = dict if origin is Mapping else hint
    if kind not in (int, str, bool, dict):
        raise TypeError(f"facts can't have {hint}")
    return partial(_read_plain, kind)


def _read_plain(kind: type[Any], value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{kind.__name__} is wanted, not {type(value).__name__}")
    return value


def _read_tuple(member: Parse, value: Any) -> tuple[Any, ...]:
    return tuple(member(part) for part in _read_plain(list, value))


def _read_optional(parse: Parse, value: Any) -> Any:
    return None if value is None else parse(value)


def _read_moment(value: Any) -> datetime:
    return datetime.fromtimestamp(_read_plain(int, value), UTC)
