"""Whether one engine finds faults that were put into the other: `python -m tests.checker.planted [NAME ...]`.

A name is `program-7` or `checker-12`, by the tables in `faults.py`. Each fault goes into a copy of the project, and
there seasons of both generators are compared, format after format, until one differs.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from tests.checker.engines import FORMATS, by_checker, by_program
from tests.checker.faults import CHECKER, PROGRAM
from tests.planted import Fault, planted, tell

BESIDE_LINKS = {"NODE_PRESERVE_SYMLINKS": "1", "NODE_PRESERVE_SYMLINKS_MAIN": "1"}
"""Lets Node.js look for files beside a link, as Python does, not beside the file of ours it leads to."""
TOGETHER, MOST, LONG = 5, 500, 2000
"""Seasons of each format and each generator that are compared at once at first, and at most: in a test, and by hand."""
FAULTS = {
    f"{engine}-{n}": fault
    for engine, faults in (("program", PROGRAM), ("checker", CHECKER))
    for n, fault in enumerate(faults, 1)
}


Way = Callable[[str, range], Iterator[tuple[str, str | None]]]


class Found(NamedTuple):
    """After how many seasons a fault was found, in which format, and what differed there."""

    seasons: int
    format: str
    difference: str


def found(fault: Fault, most: int = MOST, begin: tuple[str, int] = ("ohs", 0)) -> Found | None:
    """Put a fault into a copy of the project and compare there, first this season; None where none shows it."""
    with planted(fault) as copy:
        asked = [sys.executable, "-m", "tests.checker.planted", "--here", str(most), *map(str, begin)]
        beside = os.environ | BESIDE_LINKS
        done = subprocess.run(asked, cwd=copy, env=beside, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    return None if answer is None else Found(*answer)


def first_difference(most: int, format_: str, seed: int) -> Found | None:
    """Compare seasons of both generators in this copy of the project until one differs, the one asked for first."""
    seen = 0
    for key, seeds in ((format_, range(seed, seed + 1)), *_in_all_formats(most)):
        for differences in (_of(by_program, key, seeds), _of(by_checker, key, seeds)):
            for difference in differences:
                seen += 1
                if difference is not None:
                    return Found(seen, key, difference)
    return None


def _in_all_formats(most: int) -> Iterator[tuple[str, range]]:
    """Yield each format with the seeds up to this one, more and more at once."""
    first = 0
    while first < most:
        seeds = range(first, min(first + max(first, TOGETHER), most))
        first = seeds.stop
        yield from ((key, seeds) for key in FORMATS)


def _of(way: Way, format_: str, seeds: range) -> Iterator[str | None]:
    """Yield what differs in each of some seasons; an engine that falls over is a difference, too."""
    try:
        yield from (what for _, what in way(format_, seeds))
    except Exception as error:
        yield f"fell over: {error!r}"


def main(names: Sequence[str]) -> int:
    """Look for these faults, by default all, and print what came of each; 1 where one wasn't found."""
    wanted = names or list(FAULTS)
    with ThreadPoolExecutor(2) as two:
        answers = two.map(lambda name: found(FAULTS[name], LONG), wanted)
        return tell(FAULTS, wanted, (answer and _words(answer) for answer in answers))


def _words(found: Found) -> str:
    return f"season {found.seasons}, {found.format}: {found.difference[:90]}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        _, _, most, format_, seed = sys.argv
        print(json.dumps(first_difference(int(most), format_, int(seed))))
    else:
        sys.exit(main(sys.argv[1:]))
