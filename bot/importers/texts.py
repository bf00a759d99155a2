"""Read a text file: its encoding, and the values in it if it's JSON."""

import json
import re
from typing import Any

from bot.importers.cells import shortened
from bot.league.errors import InvalidFile

_BETWEEN = re.compile(r"[\s,]*")
_JSON = re.compile(r"[\s\ufeff]*(\{|\[\s*[\[{\]])")


def decoded(data: bytes) -> str:
    """Return a text of UTF-8, of UTF-16 with its mark, or of Windows-1252; raises InvalidFile."""
    try:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode("utf-16")
        if b"\0" in data:
            raise InvalidFile("is no text and no spreadsheet. Send a CSV, .xlsx, .ods or JSON file.")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        raise InvalidFile("is no text that can be read. Save it as CSV in UTF-8.") from None


def looks_like_json(text: str) -> bool:
    """Return whether a text begins as a JSON file with objects in it does."""
    return _JSON.match(text) is not None


def parsed(text: str) -> Any:
    """Return a JSON value, or the list of several that stand one after the other; raises InvalidFile."""
    decoder, values = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number), list[Any]()
    text = text.strip().lstrip("\ufeff")
    position = _gap_after(text, 0)
    try:
        while position < len(text):
            value, end = decoder.raw_decode(text, position)
            values.append(value)
            position = _gap_after(text, end)
    except json.JSONDecodeError as wrong:
        place = f"line {wrong.lineno}, column {wrong.colno}"
        raise InvalidFile(f"isn't whole JSON ({wrong.msg}). Save it again.", place=place) from None
    except (ValueError, RecursionError):
        raise InvalidFile("is no JSON that can be read. Save it again.") from None
    return values[0] if len(values) == 1 else values


def _gap_after(text: str, position: int) -> int:
    between = _BETWEEN.match(text, position)
    return position if between is None else between.end()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; of a key that comes twice nobody knows which one is meant."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen = set[str]()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise InvalidFile(f"has “{shortened(twice)}” twice in one object. Save it again.")
    return fields


def _no_number(text: str) -> Any:
    raise InvalidFile(f"has “{text}”, which is no number in JSON. Save it again.")
