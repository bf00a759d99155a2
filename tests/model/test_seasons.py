"""Seasons in every format in which everyone does what they like: nothing is lost, no one gets more than they may."""

import pytest

from bot.league.formats import ALL
from tests.examples import mostly_long
from tests.model import rights
from tests.model.doors import use_cases
from tests.model.playing import Plan, play
from tests.model.walk import TALLY

SEEDS = range(12)
"""What is always walked, each in one format; `python -m tests.model` walks on."""
RARE = (268, 82, 53, 113, 35, 51, 95, 13, 16, 21, 23, 37, 43, 59, 65)
"""Lives in which what is rare happens: a role can't be given, a post is deleted, a time is accepted."""
MORE = (*RARE, *(seed for seed in range(12, 400) if seed not in RARE))
"""Walked as long as something rare wasn't asked for: a change anywhere moves it to another seed."""


@pytest.mark.long
@pytest.mark.parametrize("format_", mostly_long(format_.key for format_ in ALL))
def test_a_league_holds_whatever_its_people_do(format_: str) -> None:
    play(Plan(format=format_, seed=SEEDS[0]))


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_leagues_hold_and_every_use_case_was_asked_for_and_most_carried_out() -> None:
    for seed in (*SEEDS, *MORE):
        if seed in SEEDS or _not_asked_for() or _too_many_refused():
            play(Plan(format=ALL[seed % len(ALL)].key, seed=seed))
    assert not _not_asked_for()
    assert not _too_many_refused()


def test_who_may_do_what_is_said_of_use_cases_that_are_there() -> None:
    named = (rights.ORGANISERS, rights.MODERATORS, rights.BOTH_PLAYERS, rights.THE_OTHER)
    assert {rights.CREATE, rights.REINSTATE}.union(*named) <= use_cases()


def _not_asked_for() -> frozenset[str]:
    return use_cases() - {name for name, _ in TALLY}


def _too_many_refused() -> frozenset[str]:
    """Return what was never carried out, if that is a fifth of all."""
    refused = use_cases() - {name for name, outcome in TALLY if outcome == "done"}
    return refused if 5 * len(refused) >= len(use_cases()) else frozenset()
