"""Take the files out of a zip, as `/league export as:csv` gives one; nothing of it is written anywhere."""

import io
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath

from bot.importers.cells import shortened
from bot.league.errors import InvalidFile

LARGEST = 64 * 1024 * 1024
"""Bytes of all files of a zip, unpacked."""
MOST_FILES = 100


def files_in(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Return the files of a zip, each with its name, or its path where names come twice; raises InvalidFile."""
    left = LARGEST
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [part for part in archive.infolist() if not part.is_dir() and not _is_of_a_system(part.filename)]
            if len(parts) > MOST_FILES:
                raise InvalidFile(f"has {len(parts):,} files in it; at most {MOST_FILES} can be read.")
            names = Counter(_name(part.filename) for part in parts)
            if len({part.filename for part in parts}) < len(parts):
                raise InvalidFile("has two files of one name in it. Delete one of them.")
            for part in parts:
                with archive.open(part) as packed:
                    content = packed.read(left + 1)
                left -= len(content)
                if left < 0:
                    raise InvalidFile(f"unpacks to more than {LARGEST >> 20} MB. Keep the tables, delete the rest.")
                name = _name(part.filename)
                yield shortened(part.filename if names[name] > 1 else name), content
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, ValueError, KeyError):
        raise InvalidFile("is a damaged zip. Pack the files again, or send the one with the matches.") from None
    except RuntimeError:
        raise InvalidFile("is locked with a password. Pack it without one.") from None


def _is_of_a_system(path: str) -> bool:
    """Return whether a file is one that a Mac or Windows adds by itself."""
    return path.startswith("__MACOSX/") or _name(path).startswith(".") or _name(path) in ("Thumbs.db", "desktop.ini")


def _name(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).name
