"""Take the files out of a zip, and a whole league out of its own; nothing of it is written anywhere."""

import io
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from bot.importers.cells import shortened
from bot.league.checking.league_file import league_list
from bot.league.checking.league_file.league_list import LIST, WholeLeague
from bot.league.errors import InvalidFile
from bot.league.season.in_words import first_few
from bot.league.season.node import one_line

LARGEST = 64 * 1024 * 1024
"""Bytes of all files of a zip, unpacked."""
MOST_FILES = 100
MOST_SEASONS = 1000
_NAMED = 3
"""As many files as an error names."""

Unpacked = tuple[WholeLeague, tuple[tuple[str, bytes], ...]]
"""The list of a league, and the league files of its seasons, each with its name, in the order of the list."""


def files_in(data: bytes, most: int = MOST_FILES) -> Iterator[tuple[str, bytes]]:
    """Return the files of a zip, each with its name, or its path where names come twice; raises InvalidFile."""
    left = LARGEST
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [part for part in archive.infolist() if not part.is_dir() and not _is_of_a_system(part.filename)]
            if len(parts) > most:
                raise InvalidFile(f"has {len(parts):,} files in it; at most {most:,} can be read.")
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


def is_whole_league(paths: Sequence[str]) -> bool:
    """Whether a zip with these files is a whole league."""
    return any(PurePosixPath(path).name == LIST for path in paths)


def unpacked(data: bytes) -> Unpacked:
    """Return what is in the zip; raises InvalidFile for a file too many or too few, and for one that can't be read."""
    files = dict(files_in(data, most=MOST_SEASONS + 1))
    try:
        listed = files.pop(LIST)
    except KeyError:
        raise InvalidFile(f"has no {LIST} in it, which names the people and seasons of a league.") from None
    try:
        league = league_list.read(listed)
    except InvalidFile as wrong:
        raise in_file(LIST, wrong) from None
    named = {season.file for season in league.seasons}
    if missing := [season.file for season in league.seasons if season.file not in files]:
        raise InvalidFile(f"names files that aren't in the zip: {_listed(missing)}. Add them.", place=LIST)
    if others := sorted(files.keys() - named):
        raise InvalidFile(f"has files in it that its {LIST} doesn't name: {_listed(others)}. Take them out.")
    if not league.seasons:
        raise InvalidFile("has no season in it, so there's nothing to bring in.")
    return league, tuple((season.file, files[season.file]) for season in league.seasons)


def in_file(name: str, wrong: InvalidFile) -> InvalidFile:
    """Return what is wrong with the file of a name in the zip."""
    return InvalidFile(wrong.problem, place=f"{one_line(name)}, {wrong.place}" if wrong.place else one_line(name))


def _listed(names: Sequence[str]) -> str:
    return one_line(first_few(names, _NAMED))
