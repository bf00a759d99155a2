"""Whether lives find faults that were put into the product: `python -m tests.model.planted [--minutes 10] [NAME ...]`.

A name is `act-3` or `clock-1`, by the tables in `faults.py`. Each fault goes into a copy of the project, and there life
after life is lived until one fails.
"""

import argparse
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from tests.model.faults import FAULTS
from tests.planted import Fault, planted, tell

GRACE = 120
"""Seconds more after which a life that never ends is a failure."""


class Found(NamedTuple):
    """After how many seconds a fault was found, and how."""

    seconds: int
    how: str


def found(fault: Fault, minutes: float, begin: tuple[str, int] = ("ohs", 0)) -> Found | None:
    """Put a fault into a copy of the project and live there, from this life on; None where none shows it in time."""
    format_, seed = begin
    asked = [sys.executable, "-m", "tests.model", "--first", "--minutes", str(minutes)]
    asked += ["--from", format_, "--seed", str(seed)]
    began = time.monotonic()
    with planted(fault) as copy:
        try:
            done = subprocess.run(
                asked, cwd=copy, capture_output=True, text=True, check=False, timeout=minutes * 60 + GRACE
            )
        except subprocess.TimeoutExpired:
            return Found(round(time.monotonic() - began), "a life never ends")
    if done.returncode == 0:
        return None
    _, how, *_ = (*done.stdout.splitlines(), *done.stderr.splitlines()[-1:], "", "it can't be started")
    return Found(round(time.monotonic() - began), how)


def main() -> int:
    """Look for these faults, by default all, and print what came of each; 1 where one wasn't found."""
    parser = argparse.ArgumentParser(prog="python -m tests.model.planted", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    wanted = asked.names or list(FAULTS)
    with ThreadPoolExecutor(asked.at_once) as several:
        answers = several.map(lambda name: found(FAULTS[name], asked.minutes), wanted)
        return tell(FAULTS, wanted, (answer and f"{answer.seconds} s: {answer.how[:110]}" for answer in answers))


if __name__ == "__main__":
    sys.exit(main())
