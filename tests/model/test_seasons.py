"""Seasons in every format in which everyone does what they like: nothing is lost, no one gets more than they may.

One number decides a life: lived again, in another process, everything happens again in the same words.
"""

import functools
import os
import subprocess
import sys
from collections.abc import Sequence

import pytest

from bot.league.formats import ALL
from tests.measures import ROOT
from tests.model import rights
from tests.model.doors import use_cases
from tests.model.playing import Plan, play
from tests.model.trace import Trace
from tests.model.walk import TALLY

pytestmark = pytest.mark.together

SEEDS = range(12)
"""What is always walked, each in one format; `python -m tests.model` walks on."""
RARE = (82, 239, 275, 286, 121, 122, 252, 205, 240, 37)
"""Lives in which what is rare happens: a role can't be given, a post is deleted, a time is accepted."""
MORE = (*RARE, *(seed for seed in range(12, 400) if seed not in RARE))
"""Walked as long as something rare wasn't asked for: a change anywhere moves it to another seed."""
TWICE = len(ALL) + 1
"""So many of the seeds are lived in another process too: one of each format, and one more of the first."""


@functools.cache
def lived(seed: int) -> str:
    """Live a life, once for all tests here, and return its trace as the program prints it."""
    plan, trace = Plan(format=ALL[seed % len(ALL)].key, seed=seed), Trace()
    trace.wanted = seed < TWICE
    play(plan, trace)
    return "".join(f"{line}\n" for line in (plan, *trace))


def test_a_league_holds_whatever_its_people_do() -> None:
    lived(SEEDS[0])


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_leagues_hold_and_every_use_case_was_asked_for_and_most_carried_out() -> None:
    for seed in (*SEEDS, *MORE):
        if seed in SEEDS or _not_asked_for() or _too_many_refused():
            lived(seed)
    assert not _not_asked_for()
    assert not _too_many_refused()


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_same_seed_gives_the_same_trace_byte_for_byte_whatever_was_lived_before() -> None:
    lives = [lived(seed) for seed in SEEDS[:TWICE]]
    assert all(trace.count("step ") > 40 for trace in lives)
    assert _lived_backwards()[::-1] == lives
    first, *_, other = (trace.splitlines() for trace in lives)
    assert first[1:] != other[1:], "another seed of the same format gives another life"


def _lived_backwards() -> Sequence[str]:
    """Live those lives in another process, in which sets come in an order of their own, and return their traces."""
    told = subprocess.run(
        [sys.executable, "-m", "tests.model", "--seed", "0", "--lives", str(TWICE), "--trace", "--backwards"],
        env=os.environ | {"PYTHONHASHSEED": "2"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-3000:]
    return told.stdout.split("LIFE ")[1:]


def test_who_may_do_what_is_said_of_use_cases_that_are_there() -> None:
    named = (rights.ORGANISERS, rights.MODERATORS, rights.BOTH_PLAYERS, rights.THE_OTHER)
    assert {rights.CREATE, rights.REINSTATE}.union(*named) <= use_cases()


def _not_asked_for() -> frozenset[str]:
    return use_cases() - {name for name, _ in TALLY}


def _too_many_refused() -> frozenset[str]:
    """Return what was never carried out, if that is a fifth of all."""
    refused = use_cases() - {name for name, outcome in TALLY if outcome == "done"}
    return refused if 5 * len(refused) >= len(use_cases()) else frozenset()
