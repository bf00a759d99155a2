"""Try for a long time what tests try briefly: `python -m tests.soak [MODULE...]` exits 1 if anything did not hold.

Each module prints a table; its function `soak` returns whether everything held. Three are run only by their names:
`steps` kills the program at every step and `moments` 2,000 times at random, which takes many hours; `year` lets twenty
leagues play for a year.
"""

import importlib
import sys
from collections.abc import Sequence

MODULES = ("kills", "walks", "checkpoints", "verdicts")


def main(names: Sequence[str]) -> int:
    """Run the modules of these names, by default all, and return the exit code."""
    held = [importlib.import_module(f"tests.soak.{name}").soak() for name in names or MODULES]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
