"""The names of finals matches: each once, numbered by the better slot, the same before and after the results."""

from dataclasses import replace
from typing import Any

import pytest

from bot.league.formats import by_key
from bot.league.season.model import Entrant, Name, Season, Stage
from tests.examples import mostly_long
from tests.league.builders import play_season, season, with_departure, won


def bracket(size: int, **settings: Any) -> Season:
    """Return a single elimination of this many seeded players before its first round."""
    people = [Entrant(name=Name(f"p{seed:02}"), seed=seed) for seed in range(1, size + 1)]
    return season("single-elimination", people, **{"seeding": "seeded", **settings})


def to_the_end(start: Season, *, upset: bool = False) -> Season:
    """Return the season with every round played: the smaller name wins, or the larger."""
    return play_season(start, lambda one, other, _: max(one, other) if upset else min(one, other)).season


def finals(of: Season) -> list[tuple[str, tuple[str, ...]]]:
    """Return the names of the rounds of the finals, each with those of its matches."""
    named = by_key(of.format).round_names(of)
    return [
        (names.round, names.matches)
        for names, round_ in zip(named, of.rounds, strict=True)
        if round_.stage is Stage.FINALS
    ]


@pytest.mark.parametrize("upset", [False, True])
@pytest.mark.parametrize("seeding", ["seeded", "drawn"])
@pytest.mark.parametrize("size", mostly_long(range(2, 65), quick=16))
def test_every_name_in_a_bracket_is_there_once(size: int, seeding: str, upset: bool) -> None:
    over = to_the_end(bracket(size, seeding=seeding, third_place=True), upset=upset)
    named = finals(over)
    matches = [name for _, names in named for name in names]
    assert len({*matches}) == len(matches)
    assert len({name for name, _ in named}) == len(named)
    assert named[-1][0] == "Final"
    assert "Final" in named[-1][1]
    assert ("Third place" in matches) == (size > 3)
    assert any("Play-in" in name for name in matches) == (size & (size - 1) != 0)


def test_ten_players_have_play_ins_then_quarter_finals_numbered_by_the_better_slot() -> None:
    over = to_the_end(bracket(10, third_place=True))
    assert finals(over) == [
        ("Play-in round", ("Play-in 1", "Play-in 2")),
        ("Quarter-finals", ("Quarter-final 1", "Quarter-final 2", "Quarter-final 3", "Quarter-final 4")),
        ("Semi-finals", ("Semi-final 1", "Semi-final 2")),
        ("Final", ("Final", "Third place")),
    ]
    assert [one.players for one in over.rounds[0].matches] == [("p07", "p10"), ("p08", "p09")]


def test_a_large_bracket_counts_the_matches_of_its_early_rounds() -> None:
    over = to_the_end(bracket(32))
    named = finals(over)
    assert [name for name, _ in named] == ["Round of 32", "Round of 16", "Quarter-finals", "Semi-finals", "Final"]
    assert named[1][1][2] == "Round of 16, match 3"


@pytest.mark.parametrize("key", ["ohs", "two-loss-out", "keyforge-swiss", "lightseekers-swiss"])
def test_finals_after_a_regular_stage_are_called_the_same_in_every_format(key: str) -> None:
    over = to_the_end(season(key, 11, cut=4), upset=True)
    regular = [round_ for round_ in over.rounds if round_.stage is not Stage.FINALS]
    named = finals(over)
    assert [name for name, _ in named] == ["Semi-finals", "Final"]
    assert sorted(named[0][1]) == ["Semi-final 1", "Semi-final 2"]
    of = f" of {len(regular)}" if key != "two-loss-out" else ""
    assert by_key(key).round_names(over)[0].round == f"Round 1{of}"


def test_a_bye_because_a_player_left_keeps_the_numbers_of_the_other_matches() -> None:
    start = bracket(8)
    first = play_season(start).season.rounds[0]
    after = play_season(with_departure(replace(start, rounds=(first,)), "p01", 2)).season
    assert finals(after)[1] == ("Semi-finals", ("Semi-final 2",))


def test_opponents_swapped_by_hand_play_the_matches_their_better_slots_say() -> None:
    start = bracket(8)
    first = play_season(start).season.rounds[0]
    pairs = (("p02", "p08"), ("p01", "p07"), ("p03", "p06"), ("p04", "p05"))
    swapped = replace(first, matches=tuple(won(*pair) for pair in pairs), by_hand="swapped")
    assert finals(replace(start, rounds=(swapped,)))[0][1] == tuple(f"Quarter-final {n}" for n in (2, 1, 3, 4))


def test_a_recorded_season_only_numbers_its_finals() -> None:
    over = to_the_end(bracket(4))
    recorded = replace(over, format="record", settings=by_key("record").read_settings({}))
    assert [names.round for names in by_key("record").round_names(recorded)] == ["Finals, round 1", "Finals, round 2"]
