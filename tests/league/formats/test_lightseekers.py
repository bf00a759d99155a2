"""Lightseekers Swiss: best of three, byes among the fewest wins, three tie-breaks, then the organiser."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.checking.verify import verify
from bot.league.counting.history import History
from bot.league.errors import Invalid, PairingImpossible
from bot.league.formats import by_key
from bot.league.season.model import Kind, Name, Season, Stage, Status
from bot.league.summaries.round_news import news_of
from tests.examples import examples
from tests.league.builders import (
    after,
    by_chance,
    drawn_word,
    lines,
    play_season,
    proposed,
    result,
    season,
    until,
    with_decisions,
    with_departure,
    with_round,
    won,
)

LIGHTSEEKERS = by_key("lightseekers-swiss")


field = partial(season, LIGHTSEEKERS, number=1)


def order(now: Season) -> str:
    return "".join(standing.name for standing in LIGHTSEEKERS.standings(now))


def cross_table() -> Season:
    now = field("abcdefg", rounds=4)
    now = after(now, "ab0", "cd1", "ef", byes="g")
    now = after(now, "ac1", "ge0", "bd0", byes="f")
    return after(now, "ga1", "ce0", "bf1", byes="d")


def test_wins_over_those_who_win_break_ties_and_a_bye_beats_nobody() -> None:
    found = lines(cross_table())
    wins = {name: (line.wins, line.tiebreaks["beaten_opponents_wins"]) for name, line in found.items()}
    assert wins == {"a": (2, 4), "b": (2, 2), "c": (2, 2), "d": (1, 0), "e": (1, 1), "f": (1, 0), "g": (3, 3)}
    # b and c are level; c won five games, b four.
    assert order(cross_table())[:4] == "gacb"


def test_game_wins_come_before_the_share_of_games() -> None:
    # Both beat someone without a win; a won four games to three, b four to two.
    now = after(field("abcdef", rounds=5), "ac1", "bd1", "ef0")
    level = after(now, "ea1", "fb0", "cd0")
    found = lines(level)
    assert found["a"].tiebreaks["game_wins"] > found["b"].tiebreaks["game_wins"]
    assert found["a"].tiebreaks["game_win_percentage"] == Fraction(3, 6)
    assert found["b"].tiebreaks["game_win_percentage"] == Fraction(2, 5)


def test_the_share_of_games_is_exact_and_leaves_out_byes() -> None:
    now = with_round(field("abcde"), won("a", "b", kind=Kind.FORFEIT), result("cd1"), byes=("e",))
    found = lines(now)
    assert {name: line.tiebreaks["game_win_percentage"] for name, line in found.items()} == {
        "a": 1,
        "b": 0,
        "c": Fraction(2, 3),
        "d": Fraction(1, 3),
        "e": 0,
    }
    # A forfeit beats someone; its winner is level with c and e in wins, e's bye beat nobody either.
    assert found["a"].tiebreaks["beaten_opponents_wins"] == 0


@pytest.mark.parametrize(("best_of", "won_so"), [(1, 1), (3, 2), (5, 3), (7, 4)])
def test_a_win_by_forfeit_counts_as_the_fewest_games_that_win_the_match(best_of: int, won_so: int) -> None:
    now = season(LIGHTSEEKERS, "abcdef", number=1, best_of=best_of)
    forfeit = won("a", "b", kind=Kind.FORFEIT)
    told = replace(won("c", "d", kind=Kind.FORFEIT), games=(1, 0))
    now = with_round(now, forfeit, told, result("e=f"))
    games = {name: line.tiebreaks["game_wins"] for name, line in lines(now).items()}
    share = {name: line.tiebreaks["game_win_percentage"] for name, line in lines(now).items()}
    # What a file says of a forfeit's games counts as it is, and a double loss has none.
    assert games == {"a": won_so, "b": 0, "c": 1, "d": 0, "e": 0, "f": 0}
    assert share == {"a": 1, "b": 0, "c": 1, "d": 0, "e": 0, "f": 0}


def test_double_losses_beat_nobody() -> None:
    found = lines(after(field("abcdef"), "a=b", "cd", "ef"))
    assert (found["a"].wins, found["a"].losses, found["a"].tiebreaks["beaten_opponents_wins"]) == (0, 1, 0)


# -- the organiser's decision ------------------------------------------------------------------------------------------


def level_season() -> Season:
    """Return a season in which a, c, e and b, d, f are equal in everything but the draw."""
    return after(field("abcdef"), "ab0", "cd0", "ef0")


def test_until_somebody_decides_the_draw_does() -> None:
    assert order(level_season()) == drawn_word("tiebreak", 1, "ace") + drawn_word("tiebreak", 1, "bdf")


def test_a_decision_about_exactly_one_group_of_equals_stands_before_the_draw() -> None:
    winners, losers = drawn_word("tiebreak", 1, "ace"), drawn_word("tiebreak", 1, "bdf")
    assert order(with_decisions(level_season(), (1, winners[::-1]))) == winners[::-1] + losers
    both = with_decisions(level_season(), (1, losers[::-1]), (1, winners[::-1]))
    assert order(both) == winners[::-1] + losers[::-1]


@pytest.mark.parametrize("named", ["e", "ec", "ecab", "ecb", "ecabdf", ""])
def test_a_decision_about_any_other_players_counts_for_nothing(named: str) -> None:
    now = with_decisions(level_season(), (1, named))
    assert order(now) == order(level_season())
    assert LIGHTSEEKERS.counting_decisions(now) == frozenset()
    assert verify(now).notes == (
        f"decision after round 1 ({', '.join(named)}): counts for nothing, "
        "because these aren't all of one group of equals",
    )


def test_of_several_decisions_about_a_group_the_newest_counts_and_verify_names_the_others() -> None:
    now = with_decisions(level_season(), (1, "cea"), (1, "eac"), (0, "ace"), (1, "fbd"))
    assert order(now) == "eacfbd"
    assert LIGHTSEEKERS.counting_decisions(now) == {1, 3}
    assert verify(now).notes == tuple(
        f"decision after round {after_round} ({names}): counts for nothing, because a newer one is of the same players"
        for names, after_round in (("c, e, a", 1), ("a, c, e", 0))
    )


def test_a_decision_names_those_too_of_its_group_who_left() -> None:
    now = with_departure(level_season(), "a", 2)
    assert order(with_decisions(now, (1, "ec"))) == order(now)
    assert order(with_decisions(now, (1, "eca")))[:3] == "eca"


def test_a_decision_counts_no_more_once_a_corrected_result_makes_others_equal() -> None:
    now = with_decisions(level_season(), (1, "eca"))
    first, *rest = now.rounds[0].matches
    other = replace(now, rounds=(replace(now.rounds[0], matches=(replace(first, games=(2, 1)), *rest)),))
    assert LIGHTSEEKERS.counting_decisions(now) == {0}
    assert LIGHTSEEKERS.counting_decisions(other) == frozenset()


def test_a_newer_decision_takes_the_place_of_an_older_one_and_a_later_one_does_not_count_yet() -> None:
    winners = drawn_word("tiebreak", 1, "ace")
    old, new = winners[::-1], winners[1] + winners[2] + winners[0]
    assert order(with_decisions(level_season(), (0, old), (1, new)))[:3] == new
    assert order(with_decisions(level_season(), (1, new), (0, old)))[:3] == new
    assert order(with_decisions(level_season(), (1, old), (1, new)))[:3] == new
    assert order(with_decisions(level_season(), (2, old)))[:3] == winners
    assert order(with_decisions(level_season(), (0, old)))[:3] == old


def equals(now: Season) -> tuple[tuple[str, ...], ...]:
    format_ = by_key(now.format)
    return format_.equals(format_.before_finals(now))


def test_equals_are_those_an_organiser_may_order_decided_or_not() -> None:
    now = level_season()
    winners, losers = drawn_word("tiebreak", 1, "ace"), drawn_word("tiebreak", 1, "bdf")
    assert equals(now) == (tuple(winners), tuple(losers))
    chosen = winners[1] + winners[0] + winners[2]
    assert equals(with_decisions(now, (1, chosen)))[0] == tuple(chosen)
    assert all(len(equal) > 1 for equal in equals(cross_table()))
    assert ("a", "b") not in equals(cross_table())
    assert equals(season("keyforge-swiss", "abcd")) == ()


def test_a_decision_can_decide_the_cut() -> None:
    now = level_season()
    now = replace(now, settings=LIGHTSEEKERS.read_settings({"rounds": 1, "cut": 2}))
    winners = drawn_word("tiebreak", 1, "ace")
    assert set(proposed(now).pairs[0].players) == set(winners[:2])
    chosen = with_decisions(now, (1, winners[::-1]))
    assert proposed(chosen).pairs[0].players == (winners[2], winners[1])
    told = [cut.decided for one in (now, chosen) if (cut := news_of(LIGHTSEEKERS, one, 1).cut) and cut.decided]
    assert [(decision.what, decision.values[Name(winners[0])]) for decision in told][1:] == [("place decided", "3")]
    assert [decision.drawn for decision in told] == [True, False]


# -- pairing -----------------------------------------------------------------------------------------------------------


def test_the_first_bye_is_drawn_among_all() -> None:
    assert [bye.name for bye in proposed(field("abcde")).byes] == [drawn_word("bye", 1, "abcde")[0]]


def test_later_byes_are_drawn_among_the_fewest_wins_of_those_with_the_fewest_byes() -> None:
    now = after(field("abcdefg"), "ab", "cd", "ef", byes="g")
    assert [bye.name for bye in proposed(now).byes] == [drawn_word("bye", 2, "bdf")[0]]
    now = after(now, "ac", "eg", "bd", byes="f")
    # One win and no bye: b and c; none: d alone.
    assert [bye.name for bye in proposed(now).byes] == ["d"]


def test_groups_are_equal_wins_even_where_games_differ() -> None:
    now = after(field("abcdefgh"), "ab0", "cd1", "ef0", "gh1")
    top = drawn_word("order", 2, "aceg")
    assert ["".join(pair.players) for pair in proposed(now).pairs[:2]] == [top[:2], top[2:]]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_small_fields_are_told_to_play_single_elimination(players: int) -> None:
    with pytest.raises(PairingImpossible, match=rf"needs at least 5 players and has {players}; .*single-elimination"):
        LIGHTSEEKERS.next_round(field(players))


def test_a_field_that_shrinks_later_plays_on() -> None:
    now = after(field("abcde"), "ab", "cd", byes="e")
    for name in "ab":
        now = with_departure(now, name, 2)
    assert len(proposed(now).pairs) == 1


@given(st.integers(5, 40), st.integers())
@settings(max_examples=examples(30), deadline=None)
def test_nobody_meets_twice_nor_has_two_byes_in_the_rounds_of_the_table(players: int, seed: int) -> None:
    played = play_season(field(players), by_chance(seed))
    regular = [round_ for round_ in played.season.rounds if round_.stage is Stage.REGULAR]
    byes = [name for round_ in regular for name in round_.byes]
    assert len(byes) == len(set(byes)) == len(regular) * (players % 2)
    assert all(proposal.rematches == 0 for proposal in played.proposals)
    for round_ in regular[1:]:
        records = History(until(played.season, round_.number)).records
        for name in round_.byes:
            assert records[name].wins == min(r.wins for r in records.values() if r.byes == 0)


# -- settings ----------------------------------------------------------------------------------------------------------


def test_everything_is_best_of_three_unless_said() -> None:
    read = LIGHTSEEKERS.read_settings({})
    assert (read.best_of, read.finals_best_of, read.final_best_of) == (3, 3, 3)
    assert LIGHTSEEKERS.read_settings({"final_best_of": 5}).final_best_of == 5


def test_one_player_is_no_bracket() -> None:
    with pytest.raises(Invalid, match="cut: one player can't play a bracket; use 4, 8 or 16"):
        LIGHTSEEKERS.read_settings({"cut": 1})


def test_swiss_leads_into_single_elimination() -> None:
    played = play_season(field(20), by_chance(4))
    assert [len(round_.matches) for round_ in played.season.rounds[5:]] == [2, 1]
    final = played.season.rounds[-1]
    standings = LIGHTSEEKERS.standings(played.season)
    assert {s.name for s in standings if s.place in (1, 2)} == set(final.matches[0].players)
    assert sum(s.status is Status.CHAMPION for s in standings) == 1
