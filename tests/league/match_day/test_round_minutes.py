"""How long live rounds last: every number of the documents."""

from dataclasses import replace

import pytest

from bot.league.formats import by_key
from bot.league.match_day.round_minutes import round_minutes
from bot.league.season.choices import Game, Variant
from tests.league.builders import play_season, season


@pytest.mark.parametrize(
    ("variant", "single", "single_final", "best_of_three", "best_of_three_final"),
    [(Variant.ARCHON, 35, 50, 90, 120), (Variant.SEALED, 45, 60, 100, 125), (None, 35, 50, 90, 120)],
)
def test_keyforge_rounds_last_as_the_document_says(
    variant: Variant | None, single: int, single_final: int, best_of_three: int, best_of_three_final: int
) -> None:
    found = [
        round_minutes(Game.KEYFORGE, variant, best_of=best_of, final=final)
        for best_of in (1, 3)
        for final in (False, True)
    ]
    assert found == [single, single_final, best_of_three, best_of_three_final]


def test_lightseekers_matches_last_an_hour_and_other_games_are_not_documented() -> None:
    assert round_minutes(Game.LIGHTSEEKERS, None, best_of=3, final=True) == 60
    assert round_minutes(None, None, best_of=1, final=False) is None
    assert round_minutes(Game.KEYFORGE, Variant.ARCHON, best_of=5, final=False) is None


def test_a_live_round_lasts_as_long_as_its_longest_match() -> None:
    start = season("two-loss-out", 8, game="keyforge", variant="sealed", cut=4)
    played = play_season(start).season
    format_ = by_key("two-loss-out")
    minutes = [(round_.stage.value, format_.minutes(played, round_)) for round_ in played.rounds]
    # Only the final is best of three.
    assert minutes == [*[("regular", 45)] * (len(minutes) - 2), ("finals", 45), ("finals", 125)]
    assert format_.minutes(replace(played, settings=format_.read_settings({})), played.rounds[0]) is None
