"""Random seasons of each engine checked by the other: `python -m tests.checker [SEASONS [FIRST]] [--notes FILE]`.

With notes it goes on where it stopped: what they say is done isn't done again. `--formats open` compares only those.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from tests.checker.engines import KINDS, by_checker, by_program

TOGETHER = 50
WAYS = {"by the program, checked by JavaScript": by_program, "by JavaScript, checked by the program": by_checker}


class Part(NamedTuple):
    """Seasons of one format, or `open`, that one engine makes: those of the seeds from `first` on before `stop`."""

    way: str
    format: str
    first: int
    stop: int

    def differing(self) -> list[tuple[str, str]]:
        """Return the seasons that the engines see otherwise, each with what differs."""
        checked = WAYS[self.way](self.format, range(self.first, self.stop))
        return [(text, what) for text, what in checked if what is not None]


def parts(seasons: int, first: int, formats: Sequence[str] = KINDS) -> Iterator[Part]:
    """Yield the parts of so many seasons of each format and way, all of the same seeds before the next."""
    for start in range(first, first + seasons, TOGETHER):
        stop = min(start + TOGETHER, first + seasons)
        yield from (Part(way, format_, start, stop) for way in WAYS for format_ in formats)


class Notes:
    """Which parts are done and how many seasons of each differ, perhaps kept in a file, a line each."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.differ: dict[Part, int] = {}
        if path is not None and path.exists():
            # A line that was being written when the run ended is done again.
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            whole = [line for line in lines if line.endswith("\n")]
            path.write_text("".join(whole), encoding="utf-8")
            self.differ = {Part(*part): differ for part, differ in map(json.loads, whole)}

    def add(self, part: Part, differ: int) -> None:
        """Note that a part is done."""
        self.differ[part] = differ
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps([part, differ])}\n")

    def lines(self, these: Iterable[Part]) -> Iterator[str]:
        """Say for each way and format how many seasons of these parts are done and differ."""
        wanted = list(these)
        for way, format_ in dict.fromkeys((part.way, part.format) for part in wanted):
            own = [part for part in wanted if (part.way, part.format) == (way, format_) and part in self.differ]
            seasons, differ = sum(part.stop - part.first for part in own), sum(self.differ[part] for part in own)
            yield f"{format_}: {seasons} seasons {way}: {differ} differ"


def main(arguments: list[str]) -> int:
    """Compare the seasons that aren't done yet and write each that differs; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.checker")
    parser.add_argument("seasons", type=int, nargs="?", default=500)
    parser.add_argument("first", type=int, nargs="?", default=100_000)
    parser.add_argument("--notes", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--formats", nargs="+", choices=KINDS, default=KINDS)
    asked = parser.parse_args(arguments)
    notes, wanted = Notes(asked.notes), list(parts(asked.seasons, asked.first, asked.formats))
    with ProcessPoolExecutor(asked.processes) as workers:
        running = {workers.submit(part.differing): part for part in wanted if part not in notes.differ}
        for task in as_completed(running):
            part, differing = running.pop(task), task.result()
            for number, (text, what) in enumerate(differing):
                path = Path(f"differs-{part.format}-{part.way[3]}{part.first}-{number}.json")
                path.write_text(text, encoding="utf-8")
                print(f"{path}: {what}", flush=True)
            notes.add(part, len(differing))
    print(*notes.lines(wanted), sep="\n")
    return 1 if any(notes.differ[part] for part in wanted) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
