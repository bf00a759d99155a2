"""What the rules tell people about who goes first, the variant, sitting out and substitutes."""

from typing import Any

import pytest

from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Format


def told(key: str, **chosen: Any) -> str:
    format_ = by_key(key)
    return "\n".join(rule.sentence for rule in format_.in_words(format_.read_settings(chosen)))


@pytest.mark.parametrize("format_", ALL, ids=lambda format_: format_.key)
def test_every_format_says_who_has_the_first_choice_where_the_season_has_dice_offs(format_: Format) -> None:
    assert "First choice" not in told(format_.key)
    assert "the draw gives one of you" in told(format_.key, dice_off="draw").lower()
    assert "smaller share of their matches so far" in told(format_.key, dice_off="equalizer")


def test_keyforge_says_that_the_loser_of_a_game_chooses_only_where_a_match_has_several() -> None:
    loser = "the loser of a game chooses who goes first in the next"
    assert loser in told("keyforge-swiss", best_of=3)
    assert loser in told("keyforge-swiss", finals_best_of=3)
    assert loser not in told("keyforge-swiss", finals_best_of=3, cut=0)
    assert loser in told("single-elimination", best_of=3, game="keyforge")
    assert loser not in told("lightseekers-swiss")


def test_a_variant_is_told_where_it_belongs_to_the_game() -> None:
    assert "Format: Basic Constructed." in told("lightseekers-swiss", variant="basic-constructed")
    assert "Variant: Sealed." in told("keyforge-swiss", variant="sealed")
    assert "Sealed" not in told("lightseekers-swiss", variant="sealed")


def test_people_read_what_sitting_out_costs_and_that_a_bracket_has_none() -> None:
    assert "counts as a loss" in told("ohs").split("/sit-out")[1]
    assert "towards the losses that put you out" in told("two-loss-out")
    assert "/sit-out" not in told("single-elimination")
    assert all("let another person take your place" in told(format_.key) for format_ in ALL)


@pytest.mark.parametrize(
    ("days", "least"),
    [(1, "half a day"), (2, "1 day"), (5, "2 and a half days"), (6, "3 days"), (7, "3 and a half days")],
)
def test_a_round_with_a_day_to_end_on_lasts_at_least_half_of_its_days(days: int, least: str) -> None:
    said = told("ohs", round_days=days, round_ends="sunday 20:00")
    assert f"A round ends on a Sunday at 20:00 (the league's time zone), at least {least} after it's posted." in said


def test_live_rounds_say_how_long_they_are_only_where_a_document_gives_it() -> None:
    assert "A round takes" in told("keyforge-swiss", pace="live")
    assert "None" not in told("ohs", pace="live")
    assert "A round takes" not in told("ohs", pace="live")


@pytest.mark.parametrize(("cut", "said"), [(0, False), (1, False), (4, True)])
def test_a_live_match_nobody_reports_is_the_moderators_in_the_finals_where_there_are_any(cut: int, said: bool) -> None:
    rules = told("two-loss-out", pace="live", overdue="double_loss", cut=cut)
    assert "15 minutes after time is a loss for both players" in rules
    assert ("in the finals it goes to the moderators" in rules) is said


def test_a_recorded_season_says_that_it_has_no_rules_of_its_own() -> None:
    assert told("record") == "The results of this season were recorded elsewhere; nothing was paired here."
