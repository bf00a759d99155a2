"""A few random leagues in divisions, in both engines; `python -m tests.checker.leagues` tries many."""

import pytest

from bot.league.formats.shared.groups import LadderPlace
from bot.league.summaries.divisions import why_here, would_go
from tests.checker import leagues


@pytest.mark.long
def test_random_leagues_are_the_same_in_both_engines_and_what_players_are_told_is_so() -> None:
    assert leagues.differences(range(2)) == []


def test_a_sentence_that_is_not_so_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def down(place: LadderPlace, division: int, divisions: int, *, season: int) -> str:
        return why_here(place, division, divisions, season=season).replace("up to", "down to")

    def second(place: LadderPlace) -> str:
        return would_go(place).replace("1st", "2nd")

    monkeypatch.setattr(leagues, "why_here", down)
    monkeypatch.setattr(leagues, "would_go", second)
    wrong = leagues.differences(range(2))
    assert any("at its end" in line for line in wrong)
    assert any("down to division 1" in line for line in wrong)
