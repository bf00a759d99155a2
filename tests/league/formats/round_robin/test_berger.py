"""Berger tables: FIDE's own (Handbook, C.05, Annex 1, 3 to 16 players), and what holds in tables of any size."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.formats.round_robin.berger import rounds_of, season_round, table_round

FIDE = json.loads((Path(__file__).parent / "berger_tables.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("players", range(3, 17))
def test_the_table_is_that_of_fide(players: int) -> None:
    published = FIDE[str(players + players % 2)]
    for number, listed in enumerate(published, start=1):
        pairs = [tuple(map(int, pair.split("-"))) for pair in listed.split()]
        assert [*table_round(players, number)] == [pair for pair in pairs if max(pair) <= players]
    assert rounds_of(players) == len(published)


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
