"""Single elimination: seeded and drawn brackets, byes in round 1 only, third place, and who left."""

import re
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.errors import Invalid, PairingImpossible
from bot.league.formats import by_key
from bot.league.pairing.proposal import Champion
from bot.league.season.model import Entrant, Kind, Name, Season, Stage, Status
from tests.examples import examples
from tests.league.builders import (
    Played,
    as_sets,
    by_chance,
    drawn_word,
    first_by_name,
    names,
    open_match,
    play_season,
    proposed,
    season,
    until,
    with_departure,
    with_round,
    won,
)
from tests.league.turmoil import Turmoil

ELIMINATION = by_key("single-elimination")


field = partial(season, ELIMINATION, number=1)


def seeded(count: int, **given_: object) -> Season:
    """Return a seeded season in which a is seed 1, b seed 2, ..."""
    entrants = [
        Entrant(name=Name(letter), seed=seed) for seed, letter in enumerate("abcdefghijklmnop"[:count], start=1)
    ]
    return field(entrants[::-1], seeding="seeded", **given_)


def pairs_in_words(now: Season) -> str:
    return " ".join("".join(pair.players) for pair in proposed(now).pairs)


def byes(now: Season) -> str:
    return "".join(bye.name for bye in proposed(now).byes)


def after_duels(now: Season, *results: str) -> Season:
    """Play the proposed round; `ab`: a beat b; byes as proposed."""
    matches = tuple(won(result[0], result[1]) for result in results)
    return with_round(now, *matches, byes=tuple(byes(now)), stage=Stage.FINALS)


def places(now: Season) -> dict[str, int | None]:
    return {standing.name: standing.place for standing in ELIMINATION.standings(now)}


# -- seeded ------------------------------------------------------------------------------------------------------------


def test_the_best_seed_meets_the_worst() -> None:
    assert pairs_in_words(seeded(8)) == "ah bg cf de"


def test_byes_go_to_the_best_seeds_in_round_one_only() -> None:
    now = seeded(11)
    assert (byes(now), pairs_in_words(now)) == ("abcde", "fk gj hi")
    now = after_duels(now, "fk", "gj", "hi")
    assert (byes(now), pairs_in_words(now)) == ("", "ah bg cf de")


def test_the_winner_of_match_one_meets_the_winner_of_the_last() -> None:
    now = after_duels(seeded(8), "ha", "bg", "cf", "ed")
    assert pairs_in_words(now) == "eh bc"


def test_a_seeded_bracket_without_all_seeds_is_refused() -> None:
    some = [Entrant(name=Name("a"), seed=1), *"bcdef"]
    with pytest.raises(PairingImpossible, match="but these have none: b, c, d and 2 more; give everyone a seed"):
        ELIMINATION.next_round(field(some, seeding="seeded"))
    assert len(ELIMINATION.standings(field(some, seeding="seeded"))) == 6


# -- drawn -------------------------------------------------------------------------------------------------------------


def numbered(letters: str) -> list[str]:
    """Return matches and byes of a drawn first round in the order of their numbers, by the rule's words."""
    size = 1 << (len(letters) - 1).bit_length()
    free = drawn_word("bye", 1, letters)[: size - len(letters)]
    order = drawn_word("order", 1, "".join(letter for letter in letters if letter not in free))
    items = [*free, *(order[at : at + 2] for at in range(0, len(order), 2))]
    first = drawn_word("match", 1, letters).index
    return sorted(items, key=lambda item: min(map(first, item)))


@pytest.mark.parametrize("count", range(2, 17))
def test_byes_matches_and_their_numbers_are_drawn(count: int) -> None:
    letters = "abcdefghijklmnop"[:count]
    expected = numbered(letters)
    answer = proposed(field(letters))
    assert ["".join(pair.players) for pair in answer.pairs] == [item for item in expected if len(item) == 2]
    assert {bye.name for bye in answer.byes} == {item for item in expected if len(item) == 1}


def test_in_the_next_round_match_one_meets_the_last_number_byes_counted() -> None:
    letters = "abcdefghijk"
    items = numbered(letters)
    now = field(letters)
    now = after_duels(now, *("".join(pair.players) for pair in proposed(now).pairs))
    on = [item[0] for item in items]
    assert [set(pair.players) for pair in proposed(now).pairs] == [{on[at], on[7 - at]} for at in range(4)]


def test_the_draw_does_not_look_at_seeds() -> None:
    with_seeds = [Entrant(name=Name(letter), seed=seed) for seed, letter in enumerate("fedcba", start=1)]
    assert as_sets(proposed(field(with_seeds))) == as_sets(proposed(field("abcdef")))


# -- third place, places, standings ------------------------------------------------------------------------------------


def test_losing_semi_finalists_play_for_third_place_if_asked() -> None:
    now = after_duels(after_duels(seeded(8, third_place=True), "ah", "bg", "cf", "de"), "ad", "bc")
    assert pairs_in_words(now) == "ab cd"
    assert "third place" in proposed(now).pairs[1].reasons[0].sentence
    done = after_duels(now, "ba", "dc")
    assert ELIMINATION.next_round(done) == Champion(name=Name("b"))
    assert places(done) == {"b": 1, "a": 2, "d": 3, "c": 4, "e": 5, "f": 5, "g": 5, "h": 5}
    assert "".join(places(done)) == "badcefgh"


def test_without_a_third_place_match_both_are_third() -> None:
    done = after_duels(after_duels(seeded(4), "ad", "bc"), "ab")
    assert places(done) == {"a": 1, "b": 2, "c": 3, "d": 3}


def test_three_players_have_no_match_for_third_place() -> None:
    now = after_duels(seeded(3, third_place=True), "bc")
    assert pairs_in_words(now) == "ab"


def test_standings_go_by_round_reached_then_seed_and_count_the_bracket() -> None:
    now = after_duels(seeded(5), "de")
    found = ELIMINATION.standings(after_duels(now, "da", "bc"))
    assert [s.name for s in found] == ["b", "d", "a", "c", "e"]
    assert {s.name: (s.wins, s.losses, s.byes, s.points) for s in found} == {
        "a": (1, 1, 1, 1),
        "b": (2, 0, 1, 2),
        "c": (1, 1, 1, 1),
        "d": (2, 0, 0, 2),
        "e": (0, 1, 0, 0),
    }
    assert [s.status for s in found[:3]] == [Status.ACTIVE, Status.ACTIVE, Status.ELIMINATED]


# -- leaving -----------------------------------------------------------------------------------------------------------


def test_who_leaves_between_rounds_gives_the_next_opponent_a_bye_and_lost_in_that_round() -> None:
    now = with_departure(after_duels(seeded(8), "ah", "bg", "cf", "de"), "d", 2)
    assert (byes(now), pairs_in_words(now)) == ("a", "bc")
    assert places(now)["d"] == 3
    assert places(now)["e"] == 5


def test_when_both_of_a_match_are_gone_the_next_opponent_has_a_bye() -> None:
    now = after_duels(seeded(8), "ah", "bg", "cf", "de")
    for name in "ad":
        now = with_departure(now, name, 2)
    assert (byes(now), pairs_in_words(now)) == ("", "bc")
    now = after_duels(now, "cb")
    assert ELIMINATION.next_round(now) == Champion(name=Name("c"))


def test_the_champion_by_a_walkover_stands_above_the_better_seed_who_left() -> None:
    now = with_departure(after_duels(seeded(4), "ad", "bc"), "a", 2)
    table = ELIMINATION.standings(now)
    assert [(line.name, line.status, line.place) for line in table[:2]] == [
        ("b", Status.CHAMPION, 1),
        ("a", Status.DROPPED, 2),
    ]


def test_who_left_between_rounds_stands_below_those_still_in() -> None:
    now = with_departure(after_duels(seeded(8), "ah", "bg", "cf", "ed"), "a", 2)
    assert [line.name for line in ELIMINATION.standings(now)] == list("bceadfgh")


def test_who_is_through_has_reached_the_next_round_before_those_who_still_play_this_one() -> None:
    now = with_round(seeded(5), open_match("d", "e"), byes="abc", stage=Stage.FINALS)
    assert [line.name for line in ELIMINATION.standings(now)] == list("abcde")
    now = with_round(seeded(4), open_match("a", "d"), won("c", "b"), stage=Stage.FINALS)
    assert [line.name for line in ELIMINATION.standings(now)] == list("cadb")


def test_who_leaves_before_round_one_is_not_in_the_bracket() -> None:
    now = with_departure(seeded(5), "b", 1)
    assert pairs_in_words(now) == "ae cd"
    assert ELIMINATION.standings(now)[-1].name == "b"


def test_the_last_active_player_is_champion_and_one_alone_at_once() -> None:
    assert ELIMINATION.next_round(field("a")) == Champion(name=Name("a"))
    now = after_duels(seeded(4), "ad", "bc")
    assert ELIMINATION.next_round(with_departure(now, "a", 2)) == Champion(name=Name("b"))


# -- settings and laws -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_", "problem"),
    [
        ({"rejoin": "free"}, "rejoin: no one can come back into a bracket"),
        ({"late_entry": 2}, "late_entry: no one can join a bracket after round 1"),
        ({"cut": 4}, "no such setting"),
        ({"seeding": "rating"}, 'seeding: "rating" isn\'t possible; choose one of drawn, seeded'),
    ],
)
def test_impossible_settings_are_refused(given_: dict[str, object], problem: str) -> None:
    with pytest.raises(Invalid, match=problem):
        ELIMINATION.read_settings(given_)


def test_a_best_of_that_was_said_holds_for_the_bracket() -> None:
    read = ELIMINATION.read_settings({"best_of": 3})
    assert (read.finals_best_of, read.final_best_of) == (3, 3)
    read = ELIMINATION.read_settings({"best_of": 3, "final_best_of": 5})
    assert (read.finals_best_of, read.final_best_of) == (3, 5)
    assert ELIMINATION.read_settings({}).finals_best_of == 1


def test_seeding_is_never_chosen_by_itself() -> None:
    assert ELIMINATION.read_settings({}).seeding == "drawn"


@pytest.mark.parametrize("players", range(2, 65))
def test_the_bracket_takes_as_many_rounds_as_doubling_needs(players: int) -> None:
    played = play_season(field(players), first_by_name)
    assert len(played.season.rounds) == (players - 1).bit_length()
    assert {round_.stage for round_ in played.season.rounds} == {Stage.FINALS}
    assert all(not round_.byes for round_ in played.season.rounds[1:])
    assert played.champion == names(players)[0]


@pytest.mark.long
@given(st.integers(2, 40), st.booleans(), st.booleans(), st.integers(0, 10**6))
@settings(max_examples=examples(60), deadline=None)
def test_nobody_goes_out_who_has_not_lost_or_left(players: int, by_seed: bool, third: bool, seed: int) -> None:
    entrants = [Entrant(name=name, seed=number) for number, name in enumerate(names(players), start=1)]
    start = field(entrants, seeding="seeded" if by_seed else "drawn", third_place=third)
    played = play_season(start, by_chance(seed), Turmoil(seed))
    lost = {name for name in names(players) if has_lost(played, name)}
    gone = {departure.name for departure in played.season.departures}
    out = {s.name for s in ELIMINATION.standings(played.season) if s.status is not Status.CHAMPION}
    assert out <= lost | gone
    for round_ in played.season.rounds:
        before = until(played.season, round_.number)
        assert as_sets(proposed(before)) == as_sets(round_)


def has_lost(played: Played, name: Name) -> bool:
    matches = [match for round_ in played.season.rounds for match in round_.matches if name in match.players]
    return any(match.winner != name and match.kind is not Kind.OPEN for match in matches)


def test_a_round_changed_by_hand_is_taken_as_it_was_played() -> None:
    now = seeded(4)
    swapped = with_round(now, won("a", "c"), won("d", "b"), stage=Stage.FINALS, by_hand="they asked for it")
    assert pairs_in_words(swapped) == "ad"
    assert replace(swapped, rounds=()) == now


def test_a_drawn_bracket_says_how_it_was_drawn() -> None:
    answer = proposed(field("abc"))
    bye, pair = answer.byes[0], answer.pairs[0]
    said = [reason.sentence for reason in bye.reasons]
    assert said[1].startswith(f"Byes in round 1: 1 for 3 players, the smallest by draw 1/1/bye/NAME: {bye.name} ")
    assert said[2].startswith("It is number ")
    assert [f"1/1/order/{name}" for name in pair.players] == [*pair.reasons[1].draws]


def test_a_later_bye_is_not_told_as_one_of_the_first_round() -> None:
    now = field("abcde")
    now = after_duels(now, "".join(proposed(now).pairs[0].players))
    winner = now.rounds[0].matches[0].winner
    assert winner is not None
    bye = proposed(with_departure(now, winner, 2)).byes[0]
    assert bye.name in now.rounds[0].byes
    (reason,) = bye.reasons
    assert re.fullmatch(
        rf"Semi-final: {bye.name} \(slot \d\) has a bye, because {winner} left the season\.", reason.sentence
    )


def test_a_match_of_lightseekers_is_best_of_three_unless_something_else_is_said() -> None:
    def games(**given_: object) -> tuple[int, int]:
        read = ELIMINATION.read_settings(given_)
        return read.finals_best_of, read.final_best_of

    assert games() == (1, 1)
    assert games(game="lightseekers") == (3, 3)
    assert games(game="lightseekers", best_of=5) == (5, 5)
    assert games(game="lightseekers", finals_best_of=1) == (1, 3)
