"""Random seasons of each engine checked by the other: `python -m tests.checker [SEASONS [FIRST]]`."""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.checker.engines import FORMATS, by_checker, by_program

TOGETHER = 50
WAYS = {"by the program, checked by JavaScript": by_program, "by JavaScript, checked by the program": by_checker}


def differing(way: str, format_: str, first: int, stop: int) -> list[tuple[str, str]]:
    """Return the seasons of some seeds that the engines see otherwise, each with what differs."""
    return [(text, what) for text, what in WAYS[way](format_, range(first, stop)) if what is not None]


def main(seasons: int = 500, first: int = 100_000) -> int:
    """Compare so many seasons of each format, both ways, and write each that differs; returns the exit code."""
    wrong = 0
    with ProcessPoolExecutor(2) as workers:
        for way in WAYS:
            for format_ in FORMATS:
                began, stop = time.monotonic(), first + seasons
                asked = [
                    workers.submit(differing, way, format_, start, min(start + TOGETHER, stop))
                    for start in range(first, stop, TOGETHER)
                ]
                found = [one for each in asked for one in each.result()]
                for number, (text, what) in enumerate(found):
                    path = Path(f"differs-{format_}-{way[3]}{number}.json")
                    path.write_text(text, encoding="utf-8")
                    print(f"{path}: {what}")
                wrong += len(found)
                took = time.monotonic() - began
                print(f"{format_}: {seasons} seasons {way}: {len(found)} differ ({took:.0f} s)", flush=True)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
