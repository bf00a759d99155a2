"""One number decides a life: lived again, in another process, everything happens again in the same words."""

import os
import subprocess
import sys

import pytest

from bot.league.formats import ALL
from tests.measures import ROOT


def _lived(seed: int, hashes: int) -> str:
    """Live a life in a process of its own, in which sets come in another order, and return its trace."""
    told = subprocess.run(
        [sys.executable, "-m", "tests.model", "--seed", str(seed), "--trace"],
        env=os.environ | {"PYTHONHASHSEED": str(hashes)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-3000:]
    return told.stdout


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.parametrize("seed", range(len(ALL)))
def test_the_same_seed_gives_the_same_trace_byte_for_byte(seed: int) -> None:
    once = _lived(seed, 1)
    assert once.count("step ") > 40
    assert _lived(seed, 2) == once


@pytest.mark.long
def test_another_seed_gives_another_life() -> None:
    assert _lived(len(ALL), 1) != _lived(2 * len(ALL), 1)
