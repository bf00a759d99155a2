"""A league's folder of pages: written whole beside the old one and put in its place; what others put there stays."""

import gc
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bot.league.errors import Invalid
from bot.site.facts import LeagueFacts
from bot.site.pages import one_by_one

WRITTEN = ".fairpair"
"""The file that names all the others that were written, and the newest change they tell of."""


def publish(league: LeagueFacts, root: Path, address: str) -> int:
    """Write a league's pages into its folder below `root`, and return how many files there are."""
    folder = root / str(league.id)
    made = one_by_one(league, address and f"{address.rstrip('/')}/{league.id}", partial(_written_before, folder))
    gc.freeze()  # a league is large, and nothing of it becomes garbage meanwhile: a tenth of the time
    try:
        return write(folder, made, changed=league.changed)
    finally:
        gc.unfreeze()


def _written_before(folder: Path, path: str) -> bytes | None:
    file = folder / path
    return file.read_bytes() if file.is_file() else None


def write(folder: Path, made: Iterable[tuple[str, bytes]], *, changed: int) -> int:
    """Write pages in place of those written before, and return how many.

    Raises Invalid where a file of others is in the way: then all is as before.
    """
    new, old = _beside(folder, "new"), _beside(folder, "old")
    _recover(folder, new, old)
    own = set(written(folder).get("files", ()))
    paths: list[str] = []
    for path, content in made:
        if path not in own and (folder / path).exists():
            shutil.rmtree(new, ignore_errors=True)
            raise Invalid(f"{folder / path} wasn't written by Fairpair; move it away or name another folder")
        file = new / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        paths.append(path)
    (new / WRITTEN).write_text(json.dumps({"changed": changed, "files": sorted(paths)}), encoding="utf-8")
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    _keep_what_others_put_there(old, folder)
    return len(paths)


def _beside(folder: Path, what: str) -> Path:
    return folder.with_name(f".{folder.name}.{what}")


def _recover(folder: Path, new: Path, old: Path) -> None:
    """Go on from where the last time was cut off."""
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
    """Return what is noted of the pages in a folder: `files` and `changed`; nothing where there are none."""
    try:
        found = json.loads((folder / WRITTEN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def remove(folder: Path) -> None:
    """Delete the pages written into a folder, and the folder if nothing else is in it."""
    _recover(folder, _beside(folder, "new"), _beside(folder, "old"))
    _delete(folder)


def _delete(folder: Path) -> None:
    for path in [*written(folder).get("files", ()), WRITTEN]:
        (folder / path).unlink(missing_ok=True)
    for there, _, _ in os.walk(folder, topdown=False):
        if not os.listdir(there):
            os.rmdir(there)


def remove_others(root: Path, leagues: frozenset[int]) -> tuple[int, ...]:
    """Delete the pages of every league but these, and return which had some."""
    found = [int(one.name) for one in root.iterdir() if one.name.isdecimal() and (one / WRITTEN).is_file()]
    gone = tuple(number for number in sorted(found) if number not in leagues)
    for number in gone:
        remove(root / str(number))
    return gone


def _files(folder: Path) -> Iterator[str]:
    for there, _, names in os.walk(folder):
        for name in names:
            yield (Path(there) / name).relative_to(folder).as_posix()
