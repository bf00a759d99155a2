"""What the rules tell people, in whole and in short, as the settings of their season are."""

from typing import Any

import pytest

from bot.league.formats import ALL, by_key
from bot.league.formats.shared.base import Format
from bot.league.formats.shared.words import ordinal
from bot.league.season.settings import SETTINGS


def told(key: str, entrants: int | None = None, **chosen: Any) -> str:
    format_ = by_key(key)
    return "\n".join(rule.sentence for rule in format_.in_words(format_.read_settings(chosen), entrants))


def short(key: str, entrants: int | None = None, **chosen: Any) -> str:
    format_ = by_key(key)
    return "\n".join(format_.for_players(format_.read_settings(chosen), entrants))


def in_short(key: str, **chosen: Any) -> str:
    format_ = by_key(key)
    return "\n".join(format_.in_short(format_.read_settings(chosen)))


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


def test_a_place_is_called_as_people_say_it() -> None:
    called = "1st 2nd 3rd 4th 10th 11th 12th 13th 20th 21st 22nd 103rd 111th 112th 123rd"
    assert [ordinal(int(word[:-2])) for word in called.split()] == called.split()


@pytest.mark.parametrize(
    ("games", "said"),
    [
        ((1, 1, 1), "Matches: Each match is a single game."),
        ((3, 3, 3), "Matches: Each match is best of 3."),
        ((1, 3, 3), "Matches: Each match is a single game; in the finals it is best of 3."),
        ((3, 3, 5), "Matches: Each match is best of 3; the final is best of 5."),
        ((1, 3, 5), "Matches: Each match is a single game; in the finals it is best of 3; the final is best of 5."),
    ],
)
def test_how_many_games_a_match_has_is_said_once_and_what_differs_in_the_finals(
    games: tuple[int, int, int], said: str
) -> None:
    first, later, last = games
    chosen: dict[str, Any] = {"best_of": first, "finals_best_of": later, "final_best_of": last}
    assert said in told("ohs", **chosen).splitlines()
    assert said.partition(";")[0].rstrip(".") + "." in told("ohs", cut=0, **chosen).splitlines()


def test_finals_in_short_tell_of_the_final_only_what_differs() -> None:
    assert "The best 8 play the finals: a single game, lose and you're out." in short("ohs", cut=8)
    longer = short("ohs", cut=8, finals_best_of=3, final_best_of=5)
    assert "The best 8 play the finals: best of 3, the final best of 5; lose and you're out." in longer
    assert "Win at least half of your matches and you're in the finals (at least the best 4 are)." in short("ohs")


@pytest.mark.parametrize(
    ("players", "cut", "everyone"), [(4, None, True), (5, None, False), (5, 8, True), (9, 8, False)]
)
def test_where_the_finals_have_room_for_everyone_that_is_said(players: int, cut: int | None, everyone: bool) -> None:
    told_so = f"With {players} players everyone is in the finals: a single game, lose and you're out."
    assert (told_so in short("ohs", players, cut=cut)) is everyone
    assert (told_so in short("ohs", max_players=players, cut=cut)) is everyone, "as the panel says before sign-ups"


@pytest.mark.parametrize("cut", [0, 1])
def test_a_season_without_finals_tells_of_none(cut: int) -> None:
    """A cut of one was told as finals of "the best 1"."""
    rules = told("ohs", cut=cut)
    assert "Cut: None. The first in the standings wins the season." in rules
    assert "bracket" not in rules
    assert "A qualified player" not in rules
    assert "There are no finals: the first in the standings wins." in short("ohs", cut=cut)


def test_ohs_tells_who_plays_its_finals_and_among_whom_its_byes_are_drawn() -> None:
    assert "Win at least half of your matches and you go on to the finals." in told("ohs")
    assert "The best 8 go on to the finals." in told("ohs", cut=8)
    assert "The best 5 go on to the finals." in told("ohs", 5, cut=8)
    assert "Byes: Drawn among the players with the fewest byes." in told("ohs")
    assert "Byes: Drawn among the players with the fewest byes and, of those, the most losses." in told(
        "ohs", bye_among="lowest"
    )


def test_ohs_has_four_rounds_where_no_number_is_given() -> None:
    assert told("ohs", rounds=None).startswith("Rounds: 4. You meet someone of your tier")
    assert short("ohs", rounds=None).startswith("You play four rounds")


def test_a_qualified_player_who_leaves_is_replaced_or_their_opponent_has_a_bye() -> None:
    assert "the next player goes in last" in told("ohs")
    assert "aren't replaced: their opponent has a bye" in told("ohs", replace=False)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"rejoin": "never"}, "Players who dropped out can't come back this season."),
        ({"rejoin": "ask"}, "can come back until the last regular round is paired, if an organiser agrees."),
        ({"rejoin": "free"}, "can come back until the last regular round is paired. Each round"),
        ({"late_entry": 1}, "No one can join after round 1 is paired."),
        ({"late_entry": 3}, "New players can join until round 3 is paired"),
        ({"no_show": "drop"}, "give your opponent the match and drop you from the season."),
        ({"no_show": "forfeit"}, "give your opponent the match. You can concede"),
        ({"salt": "0123456789abcdef"}, "of the text SEASON/ROUND/PURPOSE/0123456789abcdef/NAME, smallest first"),
        ({}, "of the text SEASON/ROUND/PURPOSE/NAME, smallest first"),
    ],
)
def test_the_rules_say_how_people_come_and_go_in_this_season(chosen: dict[str, Any], said: str) -> None:
    assert said in told("ohs", **chosen)


@pytest.mark.parametrize(
    ("chosen", "said", "late"),
    [
        ({}, "goes to the moderators, who decide.", "by the deadline? The moderators decide."),
        ({"overdue": "extend"}, "the round gets 7 days more.", "by the deadline? The round gets longer."),
        (
            {"overdue": "double_loss"},
            "at the deadline is a loss for both players; in the finals it goes to the moderators. A",
            "by the deadline? Both players lose; in the finals the moderators decide.",
        ),
        ({"overdue": "double_loss", "cut": 0}, "at the deadline is a loss for both players. A", "? Both players lose."),
        ({"pace": "live"}, "15 minutes after time goes to the moderators.", "in time? The moderators decide."),
        (
            {"pace": "live", "overdue": "extend"},
            "15 minutes after time goes to the moderators.",
            "in time? The moderators decide.",
        ),
        (
            {"pace": "live", "overdue": "double_loss"},
            "15 minutes after time is a loss for both players",
            "in time? Both players lose; in the finals the moderators decide.",
        ),
    ],
)
def test_what_a_match_without_a_report_costs_is_said_in_whole_and_in_short(
    chosen: dict[str, Any], said: str, late: str
) -> None:
    assert said in told("ohs", **chosen)
    assert late in short("ohs", **chosen)


@pytest.mark.parametrize("pace", ["days", "live"])
def test_no_one_is_told_that_both_lose_a_match_of_a_bracket(pace: str) -> None:
    chosen: dict[str, Any] = {"pace": pace, "overdue": "double_loss"}
    assert "for both players" not in told("single-elimination", **chosen)
    assert "goes to the moderators" in told("single-elimination", **chosen)
    assert "The moderators decide." in short("single-elimination", **chosen)


def test_a_draw_needs_the_opponent_too_where_there_are_draws() -> None:
    assert "A win or a draw needs your opponent" in told("keyforge-swiss", draws=True)
    assert "\nA win needs your opponent" in told("keyforge-swiss")


@pytest.mark.parametrize("format_", ALL, ids=lambda format_: format_.key)
def test_settings_that_are_told_in_short_are_not_listed_once_more(format_: Format) -> None:
    usual = format_.in_short(format_.read_settings({}))
    assert format_.for_players(format_.read_settings({})) == usual
    given = format_.read_settings({"round_days": 3, "confirm_hours": 5, "best_of": 5, "advance": "manual"})
    assert format_.for_players(given) == (*format_.in_short(given), SETTINGS["advance"].line(given.advance))


def test_swiss_tells_its_rounds_once_they_are_known_and_until_then_how_many_a_field_needs() -> None:
    assert "Everyone plays four rounds, one match a week" in in_short("keyforge-swiss", rounds=4)
    assert "Everyone plays every round: 3 rounds with 8 players, 4 with 16, one match a week" in in_short(
        "keyforge-swiss"
    )
    assert "Rounds: 4. Everyone plays all of them." in told("keyforge-swiss", rounds=4)
    assert "Rounds: 3 for 5 to 8 players, and one more each time the field doubles." in told("keyforge-swiss")


def test_swiss_tells_how_its_bracket_goes_only_where_there_is_one() -> None:
    bracket = "Match 1 of the finals is the best seed against the worst"
    assert bracket in told("lightseekers-swiss", cut=4)
    assert bracket not in told("lightseekers-swiss", cut=0)


def test_points_of_a_draw_are_told_only_where_a_match_can_be_drawn() -> None:
    assert "Points: Win 1, draw 0, loss 0, bye 1." in told("keyforge-swiss", draws=True)
    assert "Points: Win 1, loss 0, bye 1." in told("keyforge-swiss")


def test_single_elimination_tells_how_its_bracket_is_filled_and_its_rounds_once_they_are_known() -> None:
    assert "The bracket is filled by seed." in in_short("single-elimination", seeding="seeded")
    assert "The bracket is drawn, and anyone can check the draw." in in_short("single-elimination")
    format_ = by_key("single-elimination")
    rules = [format_.in_words(format_.read_settings({}), entrants)[0].sentence for entrants in (None, 8, 9)]
    assert rules == [f"Rounds: {many}Lose a match and you're out." for many in ("", "3. ", "4. ")]


def test_two_loss_out_tells_which_losses_put_you_out_and_how_long_players_play_on() -> None:
    assert in_short("two-loss-out").startswith("Two losses before the finals and you're out.")
    assert in_short("two-loss-out", cut=1).startswith("Two losses and you're out.")
    assert "The others play on while they are at least twice as many" in told("two-loss-out")
    assert "Players play on while they are at least twice as many" in told("two-loss-out", losses=1)
