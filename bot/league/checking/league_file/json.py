"""The text of a league file as JSON: how large it can be; every fault names its place and how to fix it."""

import json
import math
from collections.abc import Iterable
from typing import Any

from bot.league.errors import InvalidFile
from bot.league.season.node import quoted

LARGEST = 64 * 1024 * 1024
"""Bytes a file can have; a season of 10,000 players over 15 rounds has a tenth of it."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def parse(data: bytes) -> Any:
    """Return the value of a JSON text in UTF-8; raises InvalidFile."""
    if len(data) > LARGEST:
        raise InvalidFile(f"is larger than {LARGEST >> 20} MB; a league file holds one season")
    if data.startswith(_BYTE_ORDER_MARK):
        raise InvalidFile("starts with a byte order mark; save the file as UTF-8 without BOM", place="line 1")
    text = _decoded(data)
    if not text.strip():
        raise InvalidFile("is empty; a league file is one JSON object")
    try:
        return json.loads(text, parse_float=_number, parse_constant=_constant, object_pairs_hook=_without_doubles)
    except json.JSONDecodeError as wrong:
        place = f"line {wrong.lineno}, column {wrong.colno}"
        raise InvalidFile(f"not JSON ({wrong.msg}); fix it there", place=place) from None
    except ValueError:
        raise InvalidFile("has a number with thousands of digits; no field takes such a number") from None
    except RecursionError:
        raise InvalidFile("is nested too deeply for a league file") from None


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as wrong:
        line = data.count(b"\n", 0, wrong.start) + 1
        raise InvalidFile("is not UTF-8 text; save the file as UTF-8", place=f"line {line}") from None


def _number(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise InvalidFile(f"the number {quoted(digits)[1:-1]} is too large; no field takes such a number")
    return value


def _constant(name: str) -> float:
    raise InvalidFile(f"{name} is not a number in JSON; write the number, or null")


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise InvalidFile(
            f"the field {quoted(first_double(key for key, _ in pairs))} appears twice in one object; keep one"
        )
    return read


def first_double(words: Iterable[str]) -> str:
    """Return the first word that was there before."""
    seen: set[str] = set()
    return next(word for word in words if word in seen or seen.add(word))
