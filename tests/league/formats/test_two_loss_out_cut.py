"""Two loss out: run-offs, the cut, ties at its line, and other numbers of losses."""

from collections import Counter
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.counting.history import History
from bot.league.formats import by_key
from bot.league.pairing.proposal import Champion, Proposal
from bot.league.season.model import Entrant, Kind, Match, Name, Season, Stage, Status
from tests.examples import examples, mostly_long
from tests.league.builders import (
    Played,
    after,
    as_sets,
    by_chance,
    double_loss,
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

TWO_LOSS_OUT = by_key("two-loss-out")
field = partial(season, TWO_LOSS_OUT, number=1)


def pairs(now: Season) -> set[frozenset[str]]:
    return {frozenset(pair.players) for pair in proposed(now).pairs}


def statuses(now: Season) -> dict[str, Status]:
    return {name: line.status for name, line in lines(now).items()}


def regular(played: Played) -> list[int]:
    return [round_.number for round_ in played.season.rounds if round_.stage is Stage.REGULAR]


# -- the cut -----------------------------------------------------------------------------------------------------------


def test_run_offs_go_on_at_exactly_double_the_places_and_stop_below() -> None:
    # Cut 4: two undefeated are half of it; two places are left.
    now = after(after(field("abcdefgh", cut=4), "ab", "cd", "ef", "gh"), "ac", "eg", "bd", "fh")
    # Undefeated a, e; one loss b c f g: exactly double of 2.
    assert proposed(now).stage is Stage.REGULAR
    assert {name for pair in proposed(now).pairs for name in pair.players} == set("bcfg")
    now = after(now, "bf", "cg")
    assert proposed(now).stage is Stage.FINALS


def test_places_are_counted_anew_without_those_who_left() -> None:
    now = after(after(field("abcdefgh", cut=4), "ab", "cd", "ef", "gh"), "ac", "eg", "bd", "fh")
    # With e gone three places are left for four: no run-off.
    gone = with_departure(now, "e", 3)
    assert proposed(gone).stage is not Stage.REGULAR


def test_without_replacement_only_who_left_a_settled_cut_keeps_their_place() -> None:
    # Five undefeated are more than half the cut of 8: another round is due, so g never was in the cut.
    nine = after(field("abcdefghi", replace=False), "ab", "cd", "ef", "gh", byes="i")
    answer = proposed(with_departure(nine, "g", 2))
    assert answer.stage is Stage.FINALS
    assert not answer.byes
    assert {name for pair in answer.pairs for name in pair.players} == set("abcdefhi")
    # Of eight everybody is in the cut after round 1: the player due to meet g has a bye.
    eight = after(field("abcdefgh", replace=False), "ab", "cd", "ef", "gh")
    answer = proposed(with_departure(eight, "g", 2))
    (planned,) = [pair for pair in proposed(eight).pairs if "g" in pair.players]
    assert (len(answer.pairs), {bye.name for bye in answer.byes}) == (3, {*planned.players} - {"g"})


def test_a_field_as_small_as_the_cut_plays_one_round_and_then_the_bracket() -> None:
    played = play_season(field(8), by_chance(1))
    assert [round_.stage.value for round_ in played.season.rounds] == ["regular", "finals", "finals", "finals"]


def test_a_pool_smaller_than_the_cut_makes_a_smaller_bracket_with_byes_for_the_best() -> None:
    now = after(field("abcdefgh"), "a=b", "cd", "e=f", "gh")
    for name in ("a", "b", "e"):
        now = with_departure(now, name, 2)
    answer = proposed(now)
    assert answer.stage is Stage.FINALS
    assert len(answer.pairs) == 1
    assert {bye.name for bye in answer.byes} < {"c", "g", "d", "h", "f"}
    assert {"c", "g"} < {bye.name for bye in answer.byes}


def test_strength_of_schedule_stays_as_it_was_after_the_last_run_off() -> None:
    played = play_season(field(40), by_chance(5))
    shown = {
        number: {s.name: s.tiebreaks for s in TWO_LOSS_OUT.standings(until(played.season, number))}
        for number in range(regular(played)[-1] + 1, len(played.season.rounds) + 2)
    }
    assert len(shown) >= 3
    assert len({str(sorted(table.items())) for table in shown.values()}) == 1


def test_standings_list_those_in_the_finals_first_then_by_losses_wins_and_schedule() -> None:
    standings = TWO_LOSS_OUT.standings(play_season(field(40), by_chance(5)).season)
    assert {s.status for s in standings[:8]} == {Status.CHAMPION, Status.ELIMINATED}
    assert sorted(s.place or 99 for s in standings[:9]) == [1, 2, 3, 3, 5, 5, 5, 5, 99]
    for part in (standings[:8], standings[8:]):
        keys = [(-s.losses, s.wins, s.tiebreaks["strength_of_schedule"]) for s in part]
        assert keys == sorted(keys, reverse=True)
    assert all(s.tiebreaks["strength_of_schedule"] == s.tiebreaks["owr"] + s.tiebreaks["oowr"] for s in standings)


def test_until_the_cut_stands_players_who_are_in_come_before_those_who_left() -> None:
    for name in "abcdefgh":
        assert [*lines(with_departure(field("abcdefgh", cut=4), name, 1))][-1] == name


# -- ties at the line --------------------------------------------------------------------------------------------------


def tied(players: int, cut: int, losses: int, seed: int) -> tuple[Played, list[int]]:
    """Play a season and return it with the numbers of its tie-break rounds."""
    played = play_season(field(players, cut=cut, losses=losses), by_chance(seed))
    return played, [round_.number for round_ in played.season.rounds if round_.stage is Stage.TIEBREAK]


@cache
def seasons_with_ties() -> list[tuple[Played, list[int]]]:
    fields = ((9, 6, 2), (8, 5, 2), (14, 8, 2), (12, 7, 2), (14, 5, 1))
    found = [tied(*numbers, seed) for numbers in fields for seed in range(25)]
    return [(played, numbers) for played, numbers in found if numbers]


@pytest.mark.long
def test_equal_players_at_the_line_play_for_it_and_winners_are_in() -> None:
    found = seasons_with_ties()
    assert {len(numbers) for _, numbers in found} == {1, 2}
    for played, numbers in found:
        cut = played.season.settings.cut
        before = until(played.season, numbers[0])
        lines = {s.name: s for s in TWO_LOSS_OUT.standings(before)}
        first = played.season.rounds[numbers[0] - 1]
        equal = {name for match in first.matches for name in match.players} | set(first.byes)
        assert len({(lines[name].losses, lines[name].tiebreaks["strength_of_schedule"]) for name in equal}) == 1
        finals = played.season.rounds[numbers[-1]]
        finalists = {name for match in finals.matches for name in match.players} | set(finals.byes)
        assert len(finalists) == cut
        places = len(finalists & equal)
        assert 0 < places < len(equal)
        ahead = {match.winner for match in first.matches} | set(first.byes)
        assert ahead <= finalists or finalists & equal <= ahead


@pytest.mark.long
def test_standings_rank_who_won_a_tie_break_above_who_lost_it() -> None:
    for played, numbers in seasons_with_ties():
        first = played.season.rounds[numbers[0] - 1]
        behind = {name for match in first.matches for name in match.players if name != match.winner}
        equal = {name for match in first.matches for name in match.players} | set(first.byes)
        for number in range(numbers[0] + 1, len(played.season.rounds) + 2):
            order = [s.name for s in TWO_LOSS_OUT.standings(until(played.season, number)) if s.name in equal]
            assert set(order[-len(behind) :]) == behind


@pytest.mark.long
def test_the_tie_break_round_is_the_draw_and_its_bye_goes_to_the_fewest() -> None:
    for played, numbers in seasons_with_ties():
        for number in numbers:
            before, round_ = until(played.season, number), played.season.rounds[number - 1]
            equal = [name for match in round_.matches for name in match.players] + [*round_.byes]
            had = Counter(name for earlier in before.rounds for name in earlier.byes)
            if round_.byes:
                fewest = min(had[name] for name in equal)
                among = [name for name in equal if had[name] == fewest]
                assert (
                    list(round_.byes)
                    == sorted(among, key=lambda n: sha256(f"1/{number}/bye/{n}".encode()).digest())[:1]
                )
            order = sorted(
                (name for name in equal if name not in round_.byes),
                key=lambda n: sha256(f"1/{number}/order/{n}".encode()).digest(),
            )
            assert [name for match in round_.matches for name in match.players] == order


def test_the_second_tie_break_is_among_those_still_equal_and_there_is_no_third() -> None:
    twice = [(played, numbers) for played, numbers in seasons_with_ties() if len(numbers) == 2]
    assert twice
    for played, (one, two) in twice:
        assert two == one + 1
        first, second = (played.season.rounds[number - 1] for number in (one, two))
        ahead = {match.winner for match in first.matches} | set(first.byes)
        behind = {name for match in first.matches for name in match.players if name != match.winner}
        again = {name for match in second.matches for name in match.players} | set(second.byes)
        assert again in (ahead, behind)
        assert played.season.rounds[two].stage is Stage.FINALS


def test_two_tie_break_rounds_in_a_row_can_both_be_odd() -> None:
    byes = [
        [len(played.season.rounds[number - 1].byes) for number in numbers] for played, numbers in seasons_with_ties()
    ]
    assert [1, 1] in byes


def tied_twice(everyone: tuple[Name, ...]) -> tuple[Proposal, Proposal]:
    """Return two tie-break rounds in a row: of five players for two places, then of its two winners and its bye."""
    # Two players with byes lose in round 2: those who beat them are above five players equal for two places.
    now = after(field(everyone, losses=1, cut=4), *zip(everyone[:12], everyone[14:], strict=True), byes=everyone[12:14])
    now = after(now, *zip(everyone[:7], everyone[13:6:-1], strict=True))
    first = proposed(now)
    byes = [bye.name for bye in first.byes]
    return first, proposed(with_round(now, *(won(*p.players) for p in first.pairs), byes=byes, stage=Stage.TIEBREAK))


def test_the_bye_of_an_earlier_tie_break_round_counts_for_the_next_one() -> None:
    everyone, smallest = names(26), 0
    for shift in range(26):
        first, second = tied_twice((*everyone[shift:], *everyone[:shift]))
        winners, bye = [pair.upper for pair in first.pairs], first.byes[0].name
        assert {*winners, bye} == {*second.pairs[0].players, second.byes[0].name}
        assert second.byes[0].name == drawn("bye", 4, winners)[0]
        smallest += drawn("bye", 4, [*winners, bye])[0] == bye
    assert smallest


def test_after_two_tie_break_rounds_the_draw_decides() -> None:
    played, (_, two) = next((p, n) for p, n in seasons_with_ties() if len(n) == 2)
    before = until(played.season, two + 1)
    lost = replace(before.rounds[-1], matches=tuple(double_loss(*m.players) for m in before.rounds[-1].matches))
    level = replace(before, rounds=(*before.rounds[:-1], lost))
    assert proposed(level).stage is Stage.FINALS


def test_tie_break_rounds_change_no_losses_and_no_schedule() -> None:
    played, numbers = seasons_with_ties()[0]
    before, later = (
        {s.name: (s.wins, s.losses, s.byes, s.tiebreaks) for s in TWO_LOSS_OUT.standings(until(played.season, number))}
        for number in (numbers[0], numbers[-1] + 1)
    )
    assert before == later


# -- other numbers of losses, other cuts -------------------------------------------------------------------------------


@pytest.mark.parametrize("losses", mostly_long([2, 1, 3, 4, 5], quick=2))
@pytest.mark.parametrize("cut", [0, 1, 2, 3, 8, 64])
def test_every_number_of_losses_and_every_cut_ends_with_a_champion(losses: int, cut: int) -> None:
    for players in (2, 3, 5, 8, 13, 31):
        played = play_season(field(players, losses=losses, cut=cut), by_chance(players))
        standings = TWO_LOSS_OUT.standings(played.season)
        assert [s.name for s in standings if s.status is Status.CHAMPION] == [played.champion]
        if cut <= 1:
            assert all(round_.stage is Stage.REGULAR for round_ in played.season.rounds)
            assert all(s.losses >= losses for s in standings if s.name != played.champion)


def test_one_loss_and_the_last_one_standing_is_elimination_by_the_draw() -> None:
    played = play_season(field(16, losses=1, cut=1), first_by_name)
    assert [len(round_.matches) for round_ in played.season.rounds] == [8, 4, 2, 1]
    assert played.champion == "p01"


def test_with_one_loss_nobody_qualifies_early() -> None:
    now = after(field("abcdefgh", losses=1, cut=4), "ab", "cd", "ef", "gh")
    assert Status.QUALIFIED not in statuses(field(16, losses=1, cut=4)).values()
    # Four are left for four places: the bracket.
    assert proposed(now).stage is Stage.FINALS
    assert statuses(now)["a"] is Status.QUALIFIED


def test_nobody_is_eliminated_before_the_last_loss() -> None:
    played = play_season(field(21, losses=3, cut=1), by_chance(4))
    for number in range(1, len(played.season.rounds) + 1):
        before = until(played.season, number)
        alive = {name for name, record in History(before).records.items() if record.losses < 3}
        seated = {name for pair in proposed(before).pairs for name in pair.players}
        assert seated | {bye.name for bye in proposed(before).byes} == alive


def test_a_round_that_leaves_nobody_is_played_again_by_the_two_with_the_best_schedules() -> None:
    now = after(field("abcd", cut=1, losses=1), "a=b", "c=d")
    answer = proposed(now)
    assert len(answer.pairs) == 1
    assert set(answer.pairs[0].players) == set(drawn("tiebreak", 1, "abcd")[:2])
    again = answer.pairs[0].players
    assert TWO_LOSS_OUT.next_round(after(now, again[0] + again[1])) == Champion(name=again[0])
    # Both lose once more: the same two play again.
    assert pairs(after(now, f"{again[0]}={again[1]}")) == {frozenset(again)}


def test_a_round_that_leaves_nobody_is_played_again_even_where_both_would_be_in_the_finals() -> None:
    now = after(after(field("abcd", cut=2), "a=b", "c=d"), "a=c", "b=d")
    answer = proposed(now)
    assert (answer.stage, len(answer.pairs)) == (Stage.REGULAR, 1)
    upper, lower = answer.pairs[0].players
    assert {name for name, status in statuses(now).items() if status is Status.ACTIVE} == {upper, lower}
    assert TWO_LOSS_OUT.next_round(after(now, lower + upper)) == Champion(name=lower)


def test_the_better_schedule_plays_again() -> None:
    # b and c lost to winners, d and e to a beaten one: after the double losses b and c have met the better ones.
    now = after(field("abcd", cut=1), "ab", "cd")
    now = after(now, "a=c", "b=d")
    # a, c: 1-1; b: 0-2 and d: 0-2 are out; a and c go on.
    assert pairs(now) == {frozenset("ac")}
    assert set(proposed(after(now, "a=c")).pairs[0].players) == {"a", "c"}


def test_of_a_round_that_leaves_nobody_the_only_one_still_here_is_champion() -> None:
    now = with_departure(after(field("ab", cut=1, losses=1), "a=b"), "a", 2)
    assert TWO_LOSS_OUT.next_round(now) == Champion(name=Name("b"))
    assert TWO_LOSS_OUT.next_round(with_departure(now, "b", 2)) == Champion(name=None)


def test_a_round_is_not_played_again_because_the_one_still_in_left_after_it() -> None:
    now = after(after(field("abcd", cut=2), "ab", "cd"), "ac", "bd")
    assert statuses(now)["a"] is Status.QUALIFIED
    now = with_departure(after(now, "b=c"), "a", 4)
    assert TWO_LOSS_OUT.next_round(now) == Champion(name=None)
    assert {statuses(now)[name] for name in "bc"} == {Status.ELIMINATED}


def test_a_late_entrant_begins_with_a_loss_for_every_round_missed() -> None:
    late = Entrant(name=Name("z"), entered=2)
    now = after(field([*"abcdefgh", late], cut=2), "ab", "cd", "ef", "gh")
    assert statuses(now)["z"] is Status.ACTIVE
    z = next(s for s in TWO_LOSS_OUT.standings(now) if s.name == "z")
    assert (z.wins, z.losses) == (0, 1)


def test_who_comes_later_is_active_before_the_first_round_though_one_player_is_left_for_it() -> None:
    now = with_departure(field(["a", "b", Entrant(name=Name("z"), entered=2)]), "b", 1)
    assert TWO_LOSS_OUT.next_round(now) == Champion(name=Name("a"))
    assert statuses(now)["z"] is Status.ACTIVE


# -- laws --------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@given(players=st.integers(2, 32), losses=st.integers(1, 5), cut=st.integers(0, 12), seed=st.integers(0, 10**6))
@settings(max_examples=examples(60), deadline=None)
def test_laws_hold_whatever_the_losses_and_the_cut(players: int, losses: int, cut: int, seed: int) -> None:
    played = play_season(field(players, losses=losses, cut=cut), by_chance(seed), Turmoil(seed))
    standings = TWO_LOSS_OUT.standings(played.season)
    assert sorted(s.rank for s in standings) == list(range(1, len(standings) + 1))
    for round_ in played.season.rounds:
        before = until(played.season, round_.number)
        assert as_sets(proposed(before)) == as_sets(round_)
        eliminated = {name for name, status in statuses(before).items() if status is Status.ELIMINATED}
        records = History(before).records
        if round_.stage is Stage.REGULAR:
            assert all(records[Name(name)].losses >= losses for name in eliminated)


def test_matches_of_the_finals_count_in_no_table() -> None:
    played = play_season(field(8), first_by_name)
    champion = TWO_LOSS_OUT.standings(played.season)[0]
    assert (champion.wins, champion.losses) == (1, 0)
    assert played.champion in names(8)
    assert all(
        isinstance(match, Match) and match.kind is Kind.PLAYED for r in played.season.rounds for match in r.matches
    )


def test_no_number_of_wins_is_enough_for_an_early_place_while_someone_is_still_to_come() -> None:
    now = with_round(field(32), *(won(f"p{n:02}", f"p{n + 16:02}") for n in range(1, 17)))
    assert {one.wins for one in TWO_LOSS_OUT.enough(TWO_LOSS_OUT.before_finals(now)).values()} == {2}
    late = replace(now, entrants=(*now.entrants, Entrant(name=Name("late"), entered=4)))
    assert TWO_LOSS_OUT.enough(TWO_LOSS_OUT.before_finals(late)) == {}
