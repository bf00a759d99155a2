"""Two loss out: the document's numbers, pools, run-offs, ties at the line, and other numbers of losses."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.errors import Invalid
from bot.league.formats import by_key
from bot.league.formats.base import Champion, Proposal
from bot.league.history import History
from bot.league.model import Entrant, Kind, Match, Name, Season, Stage, Status
from tests.league.builders import (
    Played,
    Turmoil,
    as_sets,
    by_chance,
    double_loss,
    first_by_name,
    names,
    play_season,
    season,
    until,
    with_departure,
    with_round,
    won,
)

TWO_LOSS_OUT = by_key("two-loss-out")


def field(players: int | Sequence[str | Entrant], **given_: object) -> Season:
    return season(TWO_LOSS_OUT, players, number=1, **given_)


def proposed(now: Season) -> Proposal:
    answer = TWO_LOSS_OUT.next_round(now)
    assert isinstance(answer, Proposal)
    return answer


def after(now: Season, *results: str, byes: str = "") -> Season:
    """Return the season with one more round of results like `ab`: a beat b; `a=b`: both lost."""
    matches = (double_loss(r[0], r[2]) if "=" in r else won(r[0], r[1]) for r in results)
    return with_round(now, *matches, byes=tuple(byes))


def pairs(now: Season) -> set[frozenset[str]]:
    return {frozenset(pair.players) for pair in proposed(now).pairs}


def drawn(purpose: str, round_: int, letters: str) -> list[str]:
    """Return the letters in the order of a draw of season 1."""
    return sorted(letters, key=lambda name: sha256(f"1/{round_}/{purpose}/{name}".encode()).hexdigest())


def statuses(now: Season) -> dict[str, Status]:
    return {standing.name: standing.status for standing in TWO_LOSS_OUT.standings(now)}


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
    assert "the smallest draw among 5" in answer.byes[0].reasons[0].sentence()


def test_pools_meet_their_own_and_an_odd_one_is_paired_up_by_the_draw() -> None:
    now = after(field("abcdef", cut=2), "ab", "cd", "ef")
    answer = proposed(now)
    up = drawn("pair-up", 2, "bdf")
    met = {"b": "a", "d": "c", "f": "e"}
    assert frozenset(up[0]) < frozenset(name for pair in answer.pairs[:2] for name in pair.players)
    assert all(met[up[0]] not in pair.players for pair in answer.pairs if up[0] in pair.players)
    assert frozenset(answer.pairs[2].players) == frozenset(up[1:])
    sentences = [reason.sentence() for pair in answer.pairs for reason in pair.reasons]
    assert any(f"{up[0]} of One-Loss is paired up into Undefeated" in sentence for sentence in sentences)


def test_who_met_every_undefeated_is_passed_over_while_another_is_there() -> None:
    # After round 2 only a is undefeated; of those with one loss b and c have met him, d and e have not.
    now = after(after(field("abcdef", cut=1, losses=3), "ab", "cd", "ef"), "ac", "be", "df")
    order = drawn("pair-up", 3, "bcde")
    up = next(name for name in order if name in "de")
    answer = proposed(now)
    assert frozenset(("a", up)) == frozenset(answer.pairs[0].players)
    passed = [name for name in order[: order.index(up)] if name in "bc"]
    said = "".join(reason.sentence() for reason in answer.pairs[0].reasons)
    assert passed
    assert f"Passed over for Undefeated: {', '.join(passed)}, having met everybody there." in said


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


# -- ties at the line --------------------------------------------------------------------------------------------------


def tied(players: int, cut: int, seed: int) -> tuple[Played, list[int]]:
    """Play a season and return it with the numbers of its tie-break rounds."""
    played = play_season(field(players, cut=cut), by_chance(seed))
    return played, [round_.number for round_ in played.season.rounds if round_.stage is Stage.TIEBREAK]


def seasons_with_ties() -> list[tuple[Played, list[int]]]:
    found = [tied(players, cut, seed) for players, cut in ((9, 6), (8, 5), (14, 8), (12, 7)) for seed in range(25)]
    return [(played, numbers) for played, numbers in found if numbers]


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


@pytest.mark.parametrize("losses", [1, 2, 3, 4, 5])
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


def test_a_late_entrant_begins_with_a_loss_for_every_round_missed() -> None:
    late = Entrant(name=Name("z"), entered=2)
    now = after(field([*"abcdefgh", late], cut=2), "ab", "cd", "ef", "gh")
    assert statuses(now)["z"] is Status.ACTIVE
    z = next(s for s in TWO_LOSS_OUT.standings(now) if s.name == "z")
    assert (z.wins, z.losses) == (0, 1)


# -- settings ----------------------------------------------------------------------------------------------------------


def test_defaults_are_those_of_the_document() -> None:
    read = TWO_LOSS_OUT.read_settings({})
    assert (read.losses, read.best_of, read.finals_best_of, read.final_best_of) == (2, 1, 1, 3)
    assert (read.rejoin, read.late_entry) == ("never", 2)
    assert TWO_LOSS_OUT.read_settings({"losses": 1}).late_entry == 1


@pytest.mark.parametrize(
    ("given_", "problem"),
    [
        ({"losses": 0}, "losses: must be a whole number from 1 to 5"),
        ({"losses": 6}, "losses: must be"),
        ({"cut": 65}, "cut: must be"),
        ({"cut": -1}, "cut: must be"),
        ({"rejoin": "free"}, "rejoin: nobody comes back"),
        ({"rounds": 4}, "no such setting"),
        ({"best_of": 2}, "best_of: must be odd"),
    ],
)
def test_impossible_settings_are_refused(given_: dict[str, object], problem: str) -> None:
    with pytest.raises(Invalid, match=problem):
        TWO_LOSS_OUT.read_settings(given_)


def test_rules_tell_other_leagues_apart() -> None:
    three = " ".join(TWO_LOSS_OUT.rules(TWO_LOSS_OUT.read_settings({"losses": 3, "cut": 1})))
    assert "Three defeats and you are out" in three
    assert "until one is left" in three
    usual = " ".join(TWO_LOSS_OUT.rules(TWO_LOSS_OUT.read_settings({}), 128))
    assert "As soon as 4 or fewer are undefeated" in usual


# -- laws --------------------------------------------------------------------------------------------------------------


@given(players=st.integers(2, 32), losses=st.integers(1, 5), cut=st.integers(0, 12), seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
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
            assert all(records[name].losses >= losses for name in eliminated)


def test_matches_of_the_finals_count_in_no_table() -> None:
    played = play_season(field(8), first_by_name)
    champion = TWO_LOSS_OUT.standings(played.season)[0]
    assert (champion.wins, champion.losses) == (1, 0)
    assert played.champion in names(8)
    assert all(
        isinstance(match, Match) and match.kind is Kind.PLAYED for r in played.season.rounds for match in r.matches
    )
