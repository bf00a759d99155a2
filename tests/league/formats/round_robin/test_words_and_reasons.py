"""What people read of a round robin: its rules, and why they meet."""

from dataclasses import replace
from typing import Any

import pytest

from bot.league.formats.round_robin import RoundRobin
from bot.league.formats.round_robin.filling import group_name
from bot.league.pairing.in_short import told_to
from bot.league.season.choices import Grouping
from bot.league.season.model import Name
from tests.league.builders import play_season, proposed, season, until


def told(entrants: int | None = None, **chosen: Any) -> str:
    settings = RoundRobin().read_settings(chosen)
    return "\n".join(rule.sentence for rule in RoundRobin().in_words(settings, entrants))


def short(entrants: int | None = None, **chosen: Any) -> str:
    return "\n".join(RoundRobin().in_short(RoundRobin().read_settings(chosen), entrants))


def test_one_group_without_finals() -> None:
    said = told(8)
    assert "Rounds: 7. You meet everyone once." in said
    assert "Cut: None. The first in the standings wins the season." in said
    assert "Points: Win 1, loss 0." in said
    assert "Tie-breaks: Their own matches, the opponents beaten, the draw." in said
    assert "can't come back" in said
    assert "Across groups" not in said


def test_ties_name_scores_or_games_only_where_matches_have_them() -> None:
    scored, several = {"scores": True}, {"best_of": 3, "finals_best_of": 3, "final_best_of": 3}
    assert "Ties: their own matches, the opponents beaten, then the draw." in short(8)
    assert "Ties: their own matches, score difference, own score, the" in short(8, **scored)
    assert "Ties: their own matches, game difference, games won, the" in short(8, **several)
    assert "Ties: the draw." in short(8, tiebreaks=["difference", "scored"])
    assert "then points per match, then the draw." in told(11, group_size=4)
    assert "then score difference per match, then the draw." in told(11, group_size=4, **scored)
    assert "then game difference per match, then the draw." in told(11, group_size=4, **several)


def test_the_rules_in_short_say_what_happens_to_who_has_not_begun_and_not_only_after_how_many_days() -> None:
    settings = RoundRobin().read_settings({"schedule": "open", "first_match_days": 5})
    told_in_short = RoundRobin().for_players(settings)
    assert "No result and no agreed time after 5 days? You're asked once, and that costs you nothing." in told_in_short
    assert not [line for line in told_in_short if "First match" in line]


def test_several_groups_with_finals() -> None:
    said = told(11, group_size=4, grouping="rating", meetings=2, draws=True)
    assert "Rounds: 6. You meet everyone of your group twice." in said
    assert "dealt by rating. A group has at most 4 players." in said
    assert "Cut: The first 2 of each group go on to single elimination." in said
    assert "no one meets a player of their own group" in said
    assert "Across groups the place in the group comes first" in said
    assert "Points: Win 3, draw 1, loss 0." in said


def test_divisions_say_who_goes_up_and_down() -> None:
    said = told(grouping="divisions", group_size=8, moves=1, cut=4)
    assert "You meet everyone of your division once." in said
    assert "Cut: The best 4 of division 1 go on" in said
    assert "the last 1 of a division go down" not in said
    assert "the last of a division goes down and the first of the next goes up" in said
    assert "no one changes" in told(grouping="divisions", group_size=8, moves=0)


def test_the_panel_says_that_divisions_have_no_finals_unless_they_are_chosen() -> None:
    assert "There are no finals" in short(grouping="divisions", group_size=9)
    for key in ("through", "cut"):
        assert RoundRobin().setting_line(key, None).endswith(", or none with one group or divisions")


def test_what_is_asked_first() -> None:
    assert short(8).splitlines()[:2] == [
        "You meet everyone: one match a week (a single game).",
        "There are no finals: the first in the standings wins.",
    ]
    said = short(12, group_size=4, schedule="open").splitlines()
    assert said[0] == "You meet everyone of your group: in any order, until one deadline (a single game)."
    assert said[1] == "The first 2 of each group play the finals: a single game, lose and you're out."
    assert "The best 4 play the finals" in short(12, cut=4)


@pytest.mark.parametrize(("number", "name"), [(1, "group A"), (26, "group Z"), (27, "group AA"), (53, "group BA")])
def test_groups_have_letters_and_divisions_numbers(number: int, name: str) -> None:
    assert group_name(number, Grouping.DRAWN) == name
    assert group_name(number, Grouping.DIVISIONS) == f"division {number}"


def test_each_player_reads_why_they_meet() -> None:
    start = season("round-robin", 8, group_size=4)
    pair = proposed(start).pairs[0]
    table = next(reason for reason in pair.reasons if reason.short)
    assert table.sentence.startswith("Round 1 of group A: the table says 1 meets 4.")
    a, b = pair.players
    assert told_to(table.short, pair.players, a) == (
        f"Round 1 of group A: the table says 1 meets 4. Your number is 1, {b}'s number is 4, by the draw."
    )
    assert told_to(table.short, pair.players, None) == (
        f"Round 1 of group A: the table says 1 meets 4. {a}'s number is 1, {b}'s number is 4, by the draw."
    )
    sentences = [reason.sentence for reason in pair.reasons]
    assert sentences[0].startswith("The 2 groups are filled by draw 7/1/order/NAME: ")
    assert sentences[-1].startswith("Numbers in group A by draw 7/1/order/NAME: ")
    assert {Name(a), Name(b)} <= {*RoundRobin().groups(RoundRobin().before_finals(start))[0]}


def test_divisions_are_explained_step_by_step() -> None:
    start = season("round-robin", 7, group_size=4, grouping="divisions")
    names = [entrant.name for entrant in start.entrants]
    ladder = (*reversed(names[2:6]), Name("who has gone"))
    first, second, third = (reason.sentence for reason in proposed(replace(start, ladder=ladder)).pairs[0].reasons[:3])
    listed = ", ".join(ladder[:4])
    assert first == f"First come the players who are in the ladder of an earlier season, in this order: {listed}."
    assert second.startswith("Everyone else comes after them, by ranking, best first")
    assert all(name in second for name in (names[0], names[1], names[6]))
    assert third == "Of this order, division 1 takes the first 4, division 2 the next 3."
    alone = proposed(start).pairs[0].reasons[0].sentence
    assert alone.startswith("There was no ladder, so the order is by ranking, best first")


def test_a_second_meeting_says_so() -> None:
    now = play_season(season("round-robin", 3, meetings=2)).season
    first, fourth = proposed(until(now, 1)).pairs[0], proposed(until(now, 4)).pairs[0]
    again = "They meet a second time, with upper and lower exchanged."
    assert again in fourth.reasons[0].sentence
    assert again not in first.reasons[0].sentence
    assert fourth.players == first.players[::-1]


def test_a_player_who_rests_reads_why() -> None:
    now = until(play_season(season("round-robin", 7, group_size=4)).season, 2)
    groups = RoundRobin().calendar(now)[1]
    resting = next(group for group in groups if group.resting is not None)
    assert resting.resting is not None
    why = RoundRobin().why_resting(now, 2, resting.resting)
    table = next(reason for reason in why if reason.short)
    assert told_to(table.short, [resting.resting], resting.resting) == (
        "Round 2 of group B: the table says 3 meets 4, and no one has number 4. Your number is 3, by the draw. "
        "A player who rests has no match in the round: that is no win and no loss."
    )
    assert why[-1].sentence.startswith("Numbers in group B by draw 7/1/order/NAME: ")
    assert RoundRobin().why_resting(now, 2, resting.pairs[0][0]) == ()
    assert RoundRobin().why_resting(now, 3, resting.resting) == ()


def test_those_who_change_places_in_the_finals_read_why() -> None:
    """A cut of four with two of a group beside each other, as the order of everyone has them."""
    for number in range(40):
        played = play_season(season("round-robin", 8, number=number + 1, group_size=4))
        finals = next(one for one in played.proposals if one.stage == "finals")
        why = "\n".join(reason.sentence for pair in finals.pairs for reason in pair.reasons)
        if "takes the place of" in why:
            assert "are both of group" in why
            return
    raise AssertionError("no one changed places")


def test_seeds_across_groups_explain_themselves() -> None:
    """Eleven in three groups: the best two winners have byes, the third meets the last second."""
    finals = next(
        one for one in play_season(season("round-robin", 11, group_size=4)).proposals if one.stage == "finals"
    )
    pair, bye = finals.pairs[0], finals.byes[0]
    short = "".join(told_to(reason.short, pair.players, pair.upper) for reason in pair.reasons[:1])
    assert short == (
        f"Seed 3, the 3rd best winner of 3 groups: you. Seed 6, the 3rd best second of 3 groups: {pair.lower}."
    )
    assert told_to(bye.reasons[0].short, [bye.name], bye.name) == "Seed 1, the best winner of 3 groups: you."
    of_one = next(one for one in play_season(season("round-robin", 6, cut=4)).proposals if one.stage == "finals")
    assert of_one.pairs[0].reasons[0].short == ()
