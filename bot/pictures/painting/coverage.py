"""Which characters a font has: its table "cmap", read as the OpenType specification describes it."""

import struct
from bisect import bisect_right
from functools import cache
from pathlib import Path
from typing import BinaryIO

Ranges = tuple[tuple[int, int], ...]
"""First and last character of each run, in ascending order."""

_UNICODE = {(0, 3), (0, 4), (0, 6), (3, 1), (3, 10)}


def has(path: Path, character: str) -> bool:
    """Return whether a font file has a character; a file that can't be read has none."""
    ranges = _ranges(path)
    at = bisect_right(ranges, (ord(character), 0x110000)) - 1
    return at >= 0 and ord(character) <= ranges[at][1]


@cache
def _ranges(path: Path) -> Ranges:
    try:
        with path.open("rb") as file:
            return tuple(sorted(_read(file)))
    except (OSError, struct.error, ValueError):
        return ()


def _read(file: BinaryIO) -> Ranges:
    if file.read(4) == b"ttcf":
        file.seek(12)
        file.seek(*struct.unpack(">I", file.read(4)))
        file.read(4)
    tables = struct.unpack(">H", file.read(2))[0]
    file.read(6)
    places = {name: place for name, _, place, _ in (struct.unpack(">4s3I", file.read(16)) for _ in range(tables))}
    return _best_table(file, places.get(b"cmap", 0))


def _best_table(file: BinaryIO, start: int) -> Ranges:
    """Read the subtable with most characters."""
    file.seek(start + 2)
    count = struct.unpack(">H", file.read(2))[0]
    records = [struct.unpack(">HHI", file.read(8)) for _ in range(count)]
    tables = [_subtable(file, start + offset) for platform, kind, offset in records if (platform, kind) in _UNICODE]
    return max(tables, key=lambda ranges: sum(last - first for first, last in ranges), default=())


def _subtable(file: BinaryIO, start: int) -> Ranges:
    file.seek(start)
    match struct.unpack(">H", file.read(2))[0]:
        case 4:
            doubled = struct.unpack(">4xH", file.read(6))[0]
            file.read(6)
            data = struct.unpack(f">{doubled + 1}H", file.read(2 * doubled + 2))
            return tuple(zip(data[doubled // 2 + 1 :], data[: doubled // 2], strict=True))[:-1]
        case 12:
            file.read(10)
            groups = struct.unpack(">I", file.read(4))[0]
            return tuple(struct.unpack(">III", file.read(12))[:2] for _ in range(groups))
        case _:
            return ()
