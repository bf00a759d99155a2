"""Lives of the program without its imports: each is forked from a process that has imported everything."""

import gc
import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.forking import FORKING


def begun(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> BaseProcess:
    """Begin a life with these arguments of `python -m tests.wire.run_bot`; its log is what it writes to stderr."""
    process = FORKING.Process(target=_live, args=(arguments, dict(environment), log))
    process.start()
    return process


def _live(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
    from tests.wire import driven  # only here, because it changes the process that imports it

    gc.freeze()
    os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), sys.stderr.fileno())
    os.environ.update(environment)
    sys.exit(driven.run(*arguments))
