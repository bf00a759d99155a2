"""Berger tables of 3 to 24 players, and what holds in tables of any size.

Up to 16 they are FIDE's own (Handbook, C.05, Annex 1). Those of 17 to 24 were recorded from pairing-core 0.4.1, which
makes each round from the boards of the one before, and are the same in caissify-pairings 0.5.0 and in the tables that
round-robin-pairs publishes.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.formats.round_robin.berger import Meeting, rounds_of, season_round, table_round

TABLES = json.loads((Path(__file__).parent / "berger_tables.json").read_text(encoding="utf-8"))


def listed(players: int) -> list[list[Meeting]]:
    """Return the rounds of a table as they are published, without who rests."""
    rounds = [
        [(int(upper), int(lower)) for upper, _, lower in (pair.partition("-") for pair in round_.split())]
        for round_ in TABLES[str(players + players % 2)]
    ]
    return [[pair for pair in round_ if max(pair) <= players] for round_ in rounds]


@pytest.mark.parametrize("players", range(3, 25))
def test_the_table_is_as_it_is_published(players: int) -> None:
    assert [[*table_round(players, number)] for number in range(1, rounds_of(players) + 1)] == listed(players)


@given(players=st.integers(2, 51), meetings=st.integers(1, 2))
def test_everyone_meets_everyone_and_is_upper_as_often_as_lower(players: int, meetings: int) -> None:
    rounds = [season_round(players, meetings, number) for number in range(1, meetings * rounds_of(players) + 1)]
    met = Counter(frozenset(pair) for round_ in rounds for pair in round_)
    everyone = {frozenset((a, b)) for a in range(1, players + 1) for b in range(1, a)}
    assert met == dict.fromkeys(everyone, meetings)
    for round_ in rounds:
        seated = [number for pair in round_ for number in pair]
        assert len(seated) == len({*seated}) == players - players % 2
    upper = Counter(upper for round_ in rounds for upper, _ in round_)
    most = meetings * (players - 1)
    off_by = 0 if meetings == 2 or players % 2 else 1
    assert all(abs(2 * upper[number] - most) <= off_by for number in range(1, players + 1))


def test_a_smaller_group_is_done_earlier() -> None:
    assert season_round(3, 1, 3)
    assert season_round(3, 1, 4) == ()
    assert season_round(3, 2, 4) == tuple((lower, upper) for upper, lower in season_round(3, 1, 1))
