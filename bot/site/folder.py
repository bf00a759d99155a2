"""A league's folder of pages: written whole beside the old one and put in its place; what others put there stays."""

import gc
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bot.league.errors import Invalid
from bot.site.facts import LeagueFacts
from bot.site.pages import nothing, one_by_one

WRITTEN = ".fairpair"
"""The file that names all the others that were written, the newest change they tell of, and what they're made with."""
_BESIDE = re.compile(r"\.(\d+)\.(new|old)")


def publish(league: LeagueFacts, root: Path, address: str) -> int:
    """Write a league's pages into its folder below `root`, and return how many files there are."""
    folder, by = root / str(league.id), made_with(address)
    earlier = partial(_written_before, folder) if written(folder).get("with") == by else nothing
    pages = one_by_one(league, address and f"{address.rstrip('/')}/{league.id}", earlier)
    gc.freeze()  # a league is large, and nothing of it becomes garbage meanwhile: a tenth of the time
    try:
        return write(folder, pages, changed=league.changed, by=by)
    finally:
        gc.unfreeze()


def made_with(address: str) -> str:
    """Return what pages are made with besides their league: this version, and where they are on the web."""
    return f"Fairpair {version('fairpair')} {address}".rstrip()


def _written_before(folder: Path, path: str) -> bytes | None:
    file = folder / path
    return file.read_bytes() if file.is_file() else None


def write(folder: Path, pages: Iterable[tuple[str, Iterable[bytes]]], *, changed: int, by: str = "") -> int:
    """Write pages, whose contents come in parts, in place of those written before, and return how many.

    Raises Invalid where a file of others is in the way: then all is as before.
    """
    new, old = _beside(folder, "new"), _beside(folder, "old")
    _recover(folder, new, old)
    own = set(written(folder).get("files", ()))
    paths: list[str] = []
    for path, parts in pages:
        if path not in own and (folder / path).exists():
            shutil.rmtree(new, ignore_errors=True)
            raise Invalid(f"{folder / path} wasn't written by Fairpair; move it away or name another folder")
        file = new / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as page:
            page.writelines(parts)
        paths.append(path)
    (new / WRITTEN).write_text(json.dumps({"changed": changed, "with": by, "files": sorted(paths)}), encoding="utf-8")
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    _keep_what_others_put_there(old, folder)
    return len(paths)


def _beside(folder: Path, what: str) -> Path:
    return folder.with_name(f".{folder.name}.{what}")


def _recover(folder: Path, new: Path, old: Path) -> None:
    """Go on from where the last time was cut off, as by a power cut: nobody is shown half of the pages."""
    shutil.rmtree(new, ignore_errors=True)  # only what this wrote is in it
    if old.exists() and not folder.exists():
        old.rename(folder)
    _keep_what_others_put_there(old, folder)


def _keep_what_others_put_there(old: Path, folder: Path) -> None:
    if not old.exists():
        return
    own = {*written(old).get("files", ()), WRITTEN}
    for path in list(_files(old)):
        if path not in own and not (folder / path).exists():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (old / path).rename(folder / path)
    _delete(old)


def written(folder: Path) -> dict[str, Any]:
    """Return what is noted of a folder, nothing where nothing is.

    With a league's pages these are `files`, `changed` and `with`, with the folder of all leagues `database`.
    """
    try:
        loaded = json.loads((folder / WRITTEN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def claim(root: Path, database: Path) -> str | None:
    """Note whose pages are below `root`; returns another database whose they are, if that still exists.

    Two databases number their leagues alike, and each bot deletes the pages of leagues it doesn't know.
    """
    own, other = str(database.resolve()), written(root).get("database")
    if other is not None and other != own and Path(other).exists():
        return str(other)
    if other != own:
        (root / WRITTEN).write_text(json.dumps({"database": own}), encoding="utf-8")
    return None


def remove(folder: Path) -> None:
    """Delete the pages written into a folder, and the folder if nothing else is in it."""
    _recover(folder, _beside(folder, "new"), _beside(folder, "old"))
    _delete(folder)


def _delete(folder: Path) -> None:
    for path in [*written(folder).get("files", ()), WRITTEN]:
        (folder / path).unlink(missing_ok=True)
    for directory, _, _ in os.walk(folder, topdown=False):
        if not os.listdir(directory):
            os.rmdir(directory)


def remove_others(root: Path, leagues: frozenset[int]) -> tuple[int, ...]:
    """Delete the pages of every league but these, and return which had some; what was cut off before is cleared up."""
    for number in sorted({int(cut[1]) for path in root.iterdir() if (cut := _BESIDE.fullmatch(path.name))}):
        folder = root / str(number)
        _recover(folder, _beside(folder, "new"), _beside(folder, "old"))
    numbers = [int(path.name) for path in root.iterdir() if path.name.isdecimal() and (path / WRITTEN).is_file()]
    gone = tuple(number for number in sorted(numbers) if number not in leagues)
    for number in gone:
        remove(root / str(number))
    return gone


def _files(folder: Path) -> Iterator[str]:
    for directory, _, names in os.walk(folder):
        for name in names:
            yield (Path(directory) / name).relative_to(folder).as_posix()
