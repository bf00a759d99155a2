"""Measure what must stay fast: `python -m tests.benchmarks [MODULE...]` exits 1 if anything is over its limit.

A further benchmark is a row in `ROWS` of the module of its subject.
"""

import importlib
import sys
from collections.abc import Sequence

from tests.benchmarks.figures import Row

MODULES = (
    "pairing",
    "seasons",
    "profiles",
    "files",
    "checking",
    "pictures",
    "posts",
    "evenings",
    "writes",
    "holds",
    "texts",
    "commands",
    "pages",
)
ATTEMPTS = 3
"""Another program may keep the machine busy for a while: only what is slow every time is slow."""


def report(row: Row) -> bool:
    """Print a row, measured again while it's over its limit, and return whether it's within it."""
    figure = row()
    for _ in range(ATTEMPTS - 1):
        if figure.good:
            break
        figure = row()
    print(figure, flush=True)
    return figure.good


def main(names: Sequence[str]) -> int:
    """Measure the modules of these names, by default all, and return the exit code."""
    modules = [importlib.import_module(f"tests.benchmarks.{name}") for name in names or MODULES]
    results = [report(row) for module in modules for row in module.ROWS]
    for module in modules:
        for line in getattr(module, "beside", list)():  # what others' libraries take for the same
            print(line, flush=True)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
