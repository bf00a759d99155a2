"""One number decides a life: lived again, in another process, everything happens again in the same words."""

import os
import subprocess
import sys
from collections.abc import Sequence

import pytest

from bot.league.formats import ALL
from tests.measures import ROOT

LIVES = len(ALL) + 1
"""One of each format, and one more of the first."""


def _lived(hashes: int, *more: str) -> Sequence[str]:
    """Live some lives in a process of its own, in which sets come in another order, and return their traces."""
    told = subprocess.run(
        [sys.executable, "-m", "tests.model", "--seed", "0", "--lives", str(LIVES), "--trace", *more],
        env=os.environ | {"PYTHONHASHSEED": str(hashes)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-3000:]
    return told.stdout.split("LIFE ")[1:]


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_same_seed_gives_the_same_trace_byte_for_byte_whatever_was_lived_before() -> None:
    lives = _lived(1)
    assert all(trace.count("step ") > 40 for trace in lives)
    assert _lived(2, "--backwards")[::-1] == lives
    first, *_, other = (trace.splitlines() for trace in lives)
    assert first[1:] != other[1:], "another seed of the same format gives another life"
