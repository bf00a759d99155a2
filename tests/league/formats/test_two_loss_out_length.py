"""Two loss out: about how many rounds there are, as players are told before the start."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.formats import by_key
from bot.league.formats.two_loss_out.words import about_rounds
from bot.league.season.model import Stage
from tests.league.builders import play_season, season

TWO_LOSS_OUT = by_key("two-loss-out")


@settings(deadline=None)
@given(players=st.integers(2, 24), losses=st.integers(1, 3), cut=st.integers(0, 16))
def test_the_number_told_is_that_of_a_season_the_better_always_win_or_one_off(
    players: int, losses: int, cut: int
) -> None:
    played = play_season(season(TWO_LOSS_OUT, players, number=1, losses=losses, cut=cut)).season.rounds
    regular = sum(round_.stage is Stage.REGULAR for round_ in played)
    assert abs(about_rounds(players, losses=losses, cut=cut) - regular) <= 1


@given(players=st.integers(0, 5000), losses=st.integers(1, 9), cut=st.integers(0, 100))
def test_every_field_ends(players: int, losses: int, cut: int) -> None:
    assert 0 <= about_rounds(players, losses=losses, cut=cut) <= 200


@pytest.mark.parametrize(
    ("entrants", "chosen", "told"),
    [
        (
            None,
            {},
            "With 8 players: 1 round, then all 8 play the finals, where one loss is enough. "
            "With 16: about 3 rounds, then the best 8.",
        ),
        (8, {}, "With 8 players: 1 round, then all 8 play the finals, where one loss is enough."),
        (
            None,
            {"max_players": 20},
            "With 20 players: about 3 rounds, then the best 8 play the finals, where one loss is enough.",
        ),
        (40, {"max_players": 64, "cut": 1}, "With 40 players: about 9 rounds, until one player is left."),
    ],
)
def test_players_are_told_about_how_many_rounds_there_are(
    entrants: int | None, chosen: dict[str, int], told: str
) -> None:
    rules = TWO_LOSS_OUT.read_settings(chosen)
    assert told in TWO_LOSS_OUT.in_short(rules, entrants)
    (rounds,) = [rule.text for rule in TWO_LOSS_OUT.in_words(rules, entrants) if rule.headword == "Rounds"]
    assert told in rounds
