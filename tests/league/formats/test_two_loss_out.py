"""Two loss out: the document's numbers, pools, byes, pair-ups and settings."""

from collections import Counter
from dataclasses import replace
from functools import partial

import pytest

from bot.league.counting.history import History
from bot.league.errors import Invalid
from bot.league.formats import by_key
from bot.league.season.model import Entrant, Name, Season, Stage, Status
from tests.league.builders import (
    Played,
    after,
    by_chance,
    double_loss,
    drawn,
    lines,
    play_season,
    proposed,
    season,
    until,
    with_round,
    won,
)

TWO_LOSS_OUT = by_key("two-loss-out")
field = partial(season, TWO_LOSS_OUT, number=1)


def pairs(now: Season) -> set[frozenset[str]]:
    return {frozenset(pair.players) for pair in proposed(now).pairs}


def statuses(now: Season) -> dict[str, Status]:
    return {name: line.status for name, line in lines(now).items()}


def regular(played: Played) -> list[int]:
    return [round_.number for round_ in played.season.rounds if round_.stage is Stage.REGULAR]


# -- the document's own numbers ----------------------------------------------------------------------------------------


def test_128_players_leave_four_undefeated_after_five_rounds_and_five_with_one_loss_after_seven() -> None:
    played = play_season(field(128), by_chance(1))
    path: list[tuple[int, int]] = []
    for number in regular(played):
        records = History(played.season, before=number + 1).records.values()
        losses = Counter(record.losses for record in records)
        path.append((losses[0], losses[1]))
    assert path == [(64, 64), (32, 64), (16, 48), (8, 32), (4, 20), (4, 10), (4, 5)]
    finals = [round_ for round_ in played.season.rounds if round_.stage is Stage.FINALS]
    assert [len(round_.matches) for round_ in finals] == [4, 2, 1]
    assert TWO_LOSS_OUT.best_of(played.season, finals[-1], finals[-1].matches[0]) == 3
    assert TWO_LOSS_OUT.best_of(played.season, finals[0], finals[0].matches[0]) == 1


def test_64_players_take_six_rounds() -> None:
    assert regular(play_season(field(64), by_chance(2))) == [1, 2, 3, 4, 5, 6]


def test_the_undefeated_are_in_as_soon_as_they_are_half_the_cut() -> None:
    played = play_season(field(32), by_chance(3))
    # 32: 16, 8, 4 undefeated; 4 are half of 8.
    after_two, after_three = until(played.season, 3), until(played.season, 4)
    assert Status.QUALIFIED not in statuses(after_two).values()
    undefeated = {name for name, record in History(after_three).records.items() if record.losses == 0}
    assert {name for name, status in statuses(after_three).items() if status is Status.QUALIFIED} == undefeated
    seated = {name for pair in proposed(after_three).pairs for name in pair.players}
    assert not seated & undefeated


def test_the_finals_seed_the_undefeated_first_then_by_strength_of_schedule() -> None:
    played = play_season(field(32), by_chance(3))
    first = next(round_ for round_ in played.season.rounds if round_.stage is Stage.FINALS)
    before = until(played.season, first.number)
    schedule = {s.name: s.tiebreaks["strength_of_schedule"] for s in TWO_LOSS_OUT.standings(before)}
    losses = {name: record.losses for name, record in History(before).records.items()}
    seeds = [m.upper for m in first.matches] + [m.lower for m in reversed(first.matches)]
    assert [losses[name] for name in seeds] == [0] * 4 + [1] * 4
    for four in (seeds[:4], seeds[4:]):
        assert [schedule[name] for name in four] == sorted((schedule[name] for name in four), reverse=True)


# -- pools, byes and pair-ups ------------------------------------------------------------------------------------------


def test_round_one_is_the_draw_with_a_drawn_bye() -> None:
    answer = proposed(field("abcde"))
    bye = drawn("bye", 1, "abcde")[0]
    order = drawn("order", 1, "abcde".replace(bye, ""))
    assert [found.name for found in answer.byes] == [bye]
    assert [list(pair.players) for pair in answer.pairs] == [order[:2], order[2:]]
    assert (
        "the smallest draw of the 5 of the unbeaten group, the lowest with anyone who has had no bye"
        in answer.byes[0].reasons[0].sentence
    )


def test_pools_meet_their_own_and_an_odd_one_is_paired_up_by_the_draw() -> None:
    now = after(field("abcdef", cut=2), "ab", "cd", "ef")
    answer = proposed(now)
    up = drawn("pair-up", 2, "bdf")
    met = {"b": "a", "d": "c", "f": "e"}
    assert frozenset(up[0]) < frozenset(name for pair in answer.pairs[:2] for name in pair.players)
    assert all(met[up[0]] not in pair.players for pair in answer.pairs if up[0] in pair.players)
    assert frozenset(answer.pairs[2].players) == frozenset(up[1:])
    sentences = [reason.sentence for pair in answer.pairs for reason in pair.reasons]
    assert any(f"{up[0]} of One-Loss is paired up into Undefeated" in sentence for sentence in sentences)


def test_who_met_every_undefeated_is_passed_over_while_another_is_there() -> None:
    # After round 2 only a is undefeated; of those with one loss b and e have met a, c and d have not.
    now = after(after(field("abcdef", cut=1, losses=3), "ab", "cd", "ef"), "ae", "bc", "df")
    order = drawn("pair-up", 3, "bcde")
    up = next(name for name in order if name in "cd")
    answer = proposed(now)
    assert frozenset(("a", up)) == frozenset(answer.pairs[0].players)
    passed = [name for name in order[: order.index(up)] if name in "be"]
    said = "".join(reason.sentence for reason in answer.pairs[0].reasons)
    assert passed
    assert f"Skipped for Undefeated: {', '.join(passed)}, who have met everyone there." in said


def test_everybody_having_met_them_the_smallest_draw_goes_up() -> None:
    now = field("abcd", cut=1, losses=5)
    for results in (("ab", "cd"), ("ac", "bd"), ("ad", "bc")):
        now = after(now, *results)
    # a 0, b 1, c 2, d 3 losses: every pool is odd and has one.
    assert {frozenset("ab"), frozenset("cd")} == pairs(now)
    assert proposed(now).rematches == 2


def test_a_one_loss_player_without_a_bye_has_it_before_an_undefeated() -> None:
    now = after(field("abcde", cut=1), "ab", "cd", byes="e")
    bye = drawn("bye", 2, "bd")[0]
    assert [found.name for found in proposed(now).byes] == [bye]


def test_an_undefeated_without_a_bye_has_it_when_all_one_loss_players_had_one() -> None:
    now = after(field("abc", cut=1), "ab", byes="c")
    now = after(now, "ac", byes="b")
    # a 2-0, b and c one loss and one bye each.
    assert [found.name for found in proposed(now).byes] == ["a"]


def test_with_a_bye_each_anybody_may_have_the_second() -> None:
    now = after(field("abc", cut=1, losses=5), "ab", byes="c")
    now = after(after(now, "ac", byes="b"), "bc", byes="a")
    assert [found.name for found in proposed(now).byes] == drawn("bye", 4, "abc")[:1]


def test_a_bye_goes_to_the_lowest_pool_that_has_somebody_without_one() -> None:
    now = after(field("abcde", cut=1, losses=3), "ab", "cd", byes="e")
    now = after(now, "ac", "eb", byes="d")
    # b has two losses; a and e none; c and d one, d with a bye.
    assert [found.name for found in proposed(now).byes] == ["b"]


# -- settings ----------------------------------------------------------------------------------------------------------


def test_defaults_are_those_of_the_document() -> None:
    read = TWO_LOSS_OUT.read_settings({})
    assert (read.losses, read.best_of, read.finals_best_of, read.final_best_of) == (2, 1, 1, 3)
    assert (read.rejoin, read.late_entry) == ("never", 2)
    assert TWO_LOSS_OUT.read_settings({"losses": 1}).late_entry == 1


@pytest.mark.parametrize(
    ("given_", "problem"),
    [
        ({"losses": 0}, "losses: 0 isn't possible; give a whole number from 1 to 5"),
        ({"losses": 6}, "losses: 6 isn't possible"),
        ({"cut": 65}, "cut: 65 isn't possible"),
        ({"cut": -1}, "cut: -1 isn't possible"),
        ({"rejoin": "free"}, "rejoin: no one can come back"),
        ({"rounds": 4}, "no such setting"),
        ({"best_of": 2}, "best_of: 2 isn't possible; give 1, 3, 5, 7 or 9"),
    ],
)
def test_impossible_settings_are_refused(given_: dict[str, object], problem: str) -> None:
    with pytest.raises(Invalid, match=problem):
        TWO_LOSS_OUT.read_settings(given_)


def told(settings: dict[str, object], entrants: int | None = None) -> str:
    return " ".join(rule.sentence for rule in TWO_LOSS_OUT.in_words(TWO_LOSS_OUT.read_settings(settings), entrants))


def test_rules_tell_other_leagues_apart() -> None:
    three = told({"losses": 3, "cut": 1})
    assert "Three losses and you're out" in three
    assert "Until one player is left" in three
    assert "a tie-break round" not in three
    usual = told({}, 128)
    assert "Once 4 or fewer players are undefeated" in usual
    assert "a tie-break round for the last place" in usual


@pytest.mark.parametrize("key", ["two-loss-out", "single-elimination"])
def test_the_general_default_of_rejoin_is_read_and_still_nobody_comes_back(key: str) -> None:
    assert by_key(key).read_settings({"rejoin": "ask"}).rejoin == "never"


def test_where_all_had_a_bye_the_next_goes_to_one_of_the_fewest() -> None:
    # In round 3 the smallest draw of all has had two byes, the others one.
    twice, *others = drawn("bye", 3, "abc")
    now = after(field("abc"), byes="abc")
    now = after(now, f"{others[0]}{others[1]}", byes=twice)
    assert [bye.name for bye in proposed(now).byes] == [others[0]]


def test_a_late_player_counts_when_it_is_found_out_whether_a_run_off_follows() -> None:
    """The one who comes makes six of five with one loss, for three places: twice as many play on."""
    now = with_round(field("abcdefgh", cut=6), won("a", "b"), won("c", "d"), won("e", "f"), double_loss("g", "h"))
    assert proposed(now).stage is Stage.FINALS
    late = replace(now, entrants=(*now.entrants, Entrant(name=Name("z"), entered=2)))
    due = proposed(late)
    assert due.stage is Stage.REGULAR
    assert "z" in {name for pair in due.pairs for name in pair.players}
    rules = [rule.text for rule in TWO_LOSS_OUT.in_words(now.settings, 8)]
    assert any("A player who joins late counts when it's worked out" in text for text in rules)


def test_rules_say_that_byes_and_pair_ups_give_way_too_as_the_document_says_of_two_losses() -> None:
    two, three = (
        " ".join(rule.text for rule in TWO_LOSS_OUT.in_words(field(8, losses=losses).settings)) for losses in (2, 3)
    )
    assert "if another pairing, bye or pair-up avoids it" in two
    assert "in your pool if that can be avoided" in three
