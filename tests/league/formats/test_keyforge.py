"""KeyForge Swiss: rounds, cut, byes, points, tie-breaks, replacement and the document's match order."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.counting.meetings import meetings_before
from bot.league.errors import Invalid
from bot.league.formats import by_key
from bot.league.formats.swiss import default_cut, default_rounds
from bot.league.pairing.proposal import Proposal, Qualified
from bot.league.season.model import Entrant, Kind, Match, Name, Season, Stage, Status
from tests.examples import examples
from tests.league.builders import (
    after,
    as_round,
    as_sets,
    by_chance,
    drawn,
    first_by_name,
    lines,
    names,
    play_season,
    proposed,
    season,
    until,
    with_departure,
    with_round,
    won,
)
from tests.league.turmoil import Turmoil

KEYFORGE = by_key("keyforge-swiss")


field = partial(season, KEYFORGE, number=1)


@pytest.mark.parametrize(
    ("entrants", "rounds", "cut"),
    [
        *[(entrants, 3, 0) for entrants in (5, 8)],
        *[(entrants, 4, 4) for entrants in (9, 16)],
        *[(entrants, 5, 4) for entrants in (17, 32)],
        *[(entrants, 6, 8) for entrants in (33, 64)],
        *[(entrants, 7, 8) for entrants in (65, 128)],
        *[(entrants, 8, 16) for entrants in (129, 256)],
        *[(entrants, 9, 16) for entrants in (257, 512)],
        (513, 10, 16),
        (1025, 11, 16),
        (4, 2, 0),
        (3, 2, 0),
        (2, 1, 0),
    ],
)
def test_the_table_gives_rounds_and_cut(entrants: int, rounds: int, cut: int) -> None:
    assert (default_rounds(entrants), default_cut(entrants)) == (rounds, cut)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 8, 9, 16, 17, 33, 64])
def test_a_season_has_the_rounds_and_the_cut_of_the_table(players: int) -> None:
    played = play_season(field(players), by_chance(players))
    stages = [round_.stage for round_ in played.season.rounds]
    assert stages.count(Stage.REGULAR) == default_rounds(players)
    cut = default_cut(players)
    assert stages.count(Stage.FINALS) == max(cut - 1, 0).bit_length()
    assert isinstance(played.end, Qualified) == (cut == 0)


def test_the_setting_stands_before_the_table_and_a_large_cut_shrinks_to_the_field() -> None:
    played = play_season(field(6, rounds=2, cut=8), first_by_name)
    assert [round_.stage.value for round_ in played.season.rounds] == ["regular"] * 2 + ["finals"] * 3
    assert len(played.season.rounds[2].byes) == 2


def test_the_table_counts_those_who_were_there_at_the_start() -> None:
    late = [*names(8), Entrant(name=Name("late"), entered=2)]
    played = play_season(field(late), by_chance(1))
    assert len(played.season.rounds) == 3
    gone = with_departure(field(9), "p01", 1)
    assert [round_.stage for round_ in play_season(gone, by_chance(1)).season.rounds] == [Stage.REGULAR] * 3


def test_round_one_is_the_draw_with_a_drawn_bye() -> None:
    answer = proposed(field("abcde"))
    bye = drawn("bye", 1, "abcde")[0]
    order = drawn("order", 1, "abcde".replace(bye, ""))
    assert [found.name for found in answer.byes] == [bye]
    assert [list(pair.players) for pair in answer.pairs] == [order[:2], order[2:]]


def test_later_byes_go_to_the_lowest_in_the_standings_without_one() -> None:
    now = after(field("abcde"), "ab", "cd", byes="e")
    lowest = [s.name for s in KEYFORGE.standings(now) if s.name != "e"][-1]
    answer = proposed(now)
    assert [found.name for found in answer.byes] == [lowest]
    assert (
        answer.byes[0]
        .reasons[0]
        .sentence.startswith(
            f"{lowest} has the bye: the fewest byes, then the lowest in the standings, by byes, then points, "
        )
    )


def test_when_all_had_a_bye_the_lowest_has_a_second() -> None:
    now = after(field("abc", rounds=9), "ab", byes="c")
    now = after(after(now, "ac", byes="b"), "bc", byes="a")
    lowest = KEYFORGE.standings(now)[-1].name
    assert [found.name for found in proposed(now).byes] == [lowest]


def test_players_meet_others_with_as_many_points_and_the_odd_one_floats() -> None:
    now = after(field("abcdef"), "ab", "cd", "ef")
    top, bottom = drawn("order", 2, "ace"), drawn("order", 2, "bdf")
    answer = proposed(now)
    assert list(answer.pairs[0].players) == top[:2]
    assert top[2] in answer.pairs[1].players
    beaten = {"a": "b", "c": "d", "e": "f"}[top[2]]
    assert set(answer.pairs[1].players) == {top[2], next(name for name in bottom if name != beaten)}
    assert any("floats down" in reason.sentence for reason in answer.pairs[1].reasons)


def test_meetings_of_other_seasons_do_not_count() -> None:
    plain, remembered = field("ab"), season(KEYFORGE, "ab", number=2, past={1: [("a", "b")]})
    assert proposed(plain).rematches == proposed(remembered).rematches == 0


def test_more_rounds_than_opponents_repeat_as_little_as_possible() -> None:
    played = play_season(field(4, rounds=6, cut=0), by_chance(1))
    assert [proposal.rematches for proposal in played.proposals] == [0, 0, 0, 2, 2, 2]


def test_standings_go_by_points_then_both_strengths_of_schedule_then_the_draw() -> None:
    now = field("abcdefg", rounds=4)
    for results, bye in ((("ab", "cd", "ef"), "g"), (("ac", "ge", "bd"), "f"), (("ga", "ce", "bf"), "d")):
        now = after(now, *results, byes=bye)
    standings = KEYFORGE.standings(now)
    assert [s.name for s in standings] == ["g", "a", "c", "b", "e", "d", "f"]
    assert dict(standings[1].tiebreaks) == {
        "strength_of_schedule": Fraction(7, 9),
        "extended_strength_of_schedule": Fraction(25, 54),
    }
    keys = [(s.points, *s.tiebreaks.values()) for s in standings]
    assert keys == sorted(keys, reverse=True)


def test_equal_to_the_end_the_draw_of_the_last_finished_round_decides() -> None:
    now = after(field("abcd"), "ab", "cd")
    assert [s.name for s in KEYFORGE.standings(now)] == drawn("tiebreak", 1, "ac") + drawn("tiebreak", 1, "bd")
    waiting = with_round(now, Match(upper=Name("a"), lower=Name("c")), Match(upper=Name("b"), lower=Name("d")))
    assert [s.name for s in KEYFORGE.standings(waiting)] == [s.name for s in KEYFORGE.standings(now)]


def test_another_scale_of_points_and_draws_are_counted() -> None:
    scale = {"win": 3, "draw": 1, "loss": 0, "bye": 2}
    now = field("abcde", points=scale, draws=True)
    now = with_round(now, Match(upper=Name("a"), lower=Name("b"), kind=Kind.PLAYED), won("c", "d"), byes=("e",))
    assert {name: line.points for name, line in lines(now).items()} == {"a": 1, "b": 1, "c": 3, "d": 0, "e": 2}
    assert (lines(now)["a"].draws, lines(now)["a"].wins, lines(now)["a"].losses) == (1, 0, 0)
    assert lines(now)["a"].tiebreaks["strength_of_schedule"] == 1


def test_points_an_organiser_awarded_stand_before_the_scale() -> None:
    awarded = replace(won("a", "b"), points=(0, 1))
    now = with_round(field("ab", rounds=2), awarded)
    assert {name: line.points for name, line in lines(now).items()} == {"a": 0, "b": 1}


def test_missed_rounds_of_one_who_came_back_are_losses() -> None:
    now = after(after(field("abcd", rounds=4), "ab", "cd"), "ac")
    now = with_departure(now, "d", 2, rejoined=3)
    assert (lines(now)["d"].losses, lines(now)["d"].status) == (2, Status.ACTIVE)
    assert "d" in {name for pair in proposed(now).pairs for name in pair.players}


# -- the cut -----------------------------------------------------------------------------------------------------------


def eight_in_the_cut() -> Season:
    """Return 16 players after their Swiss rounds; eight go on."""
    played = play_season(field(16, cut=8), first_by_name)
    return until(played.season, 5)


def finalists(now: Season) -> list[str]:
    """Return who is in the first round of the finals, by seed."""
    answer = proposed(now)
    assert answer.stage is Stage.FINALS
    return [pair.upper for pair in answer.pairs] + [pair.lower for pair in reversed(answer.pairs)]


def test_the_best_meets_the_worst_in_match_one_and_its_winner_the_winner_of_the_last() -> None:
    now = eight_in_the_cut()
    seeds = [s.name for s in KEYFORGE.standings(now)[:8]]
    assert finalists(now) == seeds
    first = proposed(now)
    upset = [first.pairs[0].lower, *(pair.upper for pair in first.pairs[1:])]
    matches = tuple(won(name, loser(pair.players, name)) for name, pair in zip(upset, first.pairs, strict=True))
    second = proposed(with_round(now, *matches, stage=Stage.FINALS))
    # Match 1 was won by seed 8; it still comes first, against the winner of match 4.
    assert [set(pair.players) for pair in second.pairs] == [{seeds[7], seeds[3]}, {seeds[1], seeds[2]}]


def loser(players: tuple[Name, Name], winner: Name) -> Name:
    return players[0] if players[1] == winner else players[1]


def test_a_qualified_player_who_drops_is_replaced_by_the_first_one_out() -> None:
    now = eight_in_the_cut()
    order = [s.name for s in KEYFORGE.standings(now)]
    gone = with_departure(now, order[5], 5)
    assert finalists(gone) == [*order[:5], *order[6:9]]
    assert lines(gone)[order[8]].status is Status.QUALIFIED


def test_without_replacement_their_opponent_has_a_bye() -> None:
    now = eight_in_the_cut()
    order = [s.name for s in KEYFORGE.standings(now)]
    kept = replace(now, settings=replace(now.settings, replace=False))
    gone = with_departure(kept, order[5], 5)
    answer = proposed(gone)
    assert [bye.name for bye in answer.byes] == [order[2]]
    assert f"{order[5]} left the season" in answer.byes[0].reasons[1].sentence
    seated = {name for pair in answer.pairs for name in pair.players}
    assert seated == {*order[:8]} - {order[2], order[5]}


def test_once_the_finals_have_a_result_nobody_is_added() -> None:
    now = eight_in_the_cut()
    order = [s.name for s in KEYFORGE.standings(now)]
    first = as_round(proposed(now))
    results = tuple(replace(m, kind=Kind.PLAYED, winner=m.upper) for m in first.matches)
    on = with_departure(replace(now, rounds=(*now.rounds, replace(first, matches=results))), order[0], 6)
    answer = proposed(on)
    assert {bye.name for bye in answer.byes} == {order[3]}
    assert {*answer.pairs[0].players} == {order[1], order[2]}
    assert (lines(on)[order[0]].place, lines(on)[order[0]].status) == (3, Status.DROPPED)


def test_a_cut_of_none_ends_with_the_standings() -> None:
    played = play_season(field(6), by_chance(2))
    assert isinstance(played.end, Qualified)
    assert list(played.end.names) == [s.name for s in KEYFORGE.standings(played.season)]
    assert KEYFORGE.standings(played.season)[0].status is Status.CHAMPION


# -- settings and laws -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [1, 3, 5, 6, 7, 12, 24])
def test_a_cut_that_is_no_bracket_is_refused(cut: int) -> None:
    with pytest.raises(Invalid, match=f"cut: {cut} players don't fill a bracket; use 4, 8, 16 or 32"):
        KEYFORGE.read_settings({"cut": cut})


def test_no_rounds_and_even_matches_are_refused() -> None:
    with pytest.raises(Invalid, match="rounds: 0 isn't possible; give a whole number from 1"):
        KEYFORGE.read_settings({"rounds": 0})
    with pytest.raises(Invalid, match="best_of: 2 isn't possible"):
        KEYFORGE.read_settings({"best_of": 2})


def told(settings: dict[str, object], entrants: int | None = None) -> str:
    return " ".join(rule.sentence for rule in KEYFORGE.in_words(KEYFORGE.read_settings(settings), entrants))


def test_who_goes_first_is_said_where_matches_have_several_games() -> None:
    said = [
        " ".join(rule.sentence for rule in KEYFORGE.in_words(KEYFORGE.read_settings({"final_best_of": games})))
        for games in (1, 3)
    ]
    assert ["the loser of a game chooses" in rules for rules in said] == [False, True]


def test_rules_name_the_season_s_numbers() -> None:
    scale = {"win": 3, "draw": 1, "bye": 3}
    said = " ".join(
        rule.sentence for rule in KEYFORGE.in_words(KEYFORGE.read_settings({"points": scale, "draws": True}), 20)
    )
    assert "Rounds: 5. Everyone plays all of them." in said
    assert "The best 4 go on" in said
    assert "Win 3, draw 1, loss 0, bye 3." in said


@pytest.mark.long
@given(
    players=st.integers(2, 24), rounds=st.integers(1, 8), cut=st.sampled_from((None, 0, 2, 4, 8)), seed=st.integers()
)
@settings(max_examples=examples(60), deadline=None)
def test_laws_hold_whatever_the_rounds_and_the_cut(players: int, rounds: int, cut: int | None, seed: int) -> None:
    played = play_season(field(players, rounds=rounds, cut=cut), by_chance(seed), Turmoil(seed))
    regular = [round_ for round_ in played.season.rounds if round_.stage is Stage.REGULAR]
    assert len(regular) <= rounds
    for proposal, round_ in zip(played.proposals, played.season.rounds, strict=True):
        before = until(played.season, round_.number)
        assert as_sets(proposed(before)) == as_sets(round_)
        if round_.stage is Stage.REGULAR and proposal.rematches:
            assert_no_pairing_without_rematch(before, proposal)


def assert_no_pairing_without_rematch(before: Season, proposal: Proposal) -> None:
    """Check by trying everything that a rematch had to be: only the list of everybody may hold one."""
    met = meetings_before(before, 99, stages=(Stage.REGULAR,))
    players = [name for pair in proposal.pairs for name in pair.players]
    if len(players) > 12:
        return

    def possible(left: list[Name]) -> bool:
        return not left or any(
            met.between(left[0], other) is None and possible([name for name in left[1:] if name != other])
            for other in left[1:]
        )

    assert not possible(players)
