"""When time is called: the documents' examples, every clause, and the minutes of a live round."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.errors import Invalid
from bot.league.formats import by_key
from bot.league.match_day.time_called import (
    LAST_TURNS,
    KeyForgeTable,
    keyforge,
    lightseekers,
    read_potential,
    round_minutes,
)
from bot.league.season.choices import Game, Variant
from bot.league.season.model import Name
from tests.league.builders import play_season, season

ERIC, TRAVIS = Name("Eric"), Name("Travis")
BOTH = (ERIC, TRAVIS)
EXAMPLE = KeyForgeTable(players=BOTH, keys=(1, 2), aember=(9, 3), potential=(8, 7), first_player=TRAVIS)
EQUAL = KeyForgeTable(players=BOTH, keys=(1, 1), aember=(2, 2), potential=(3, 3), first_player=TRAVIS)


def test_the_example_of_the_document_goes_to_eric_by_potential_aember() -> None:
    ruling = keyforge(EXAMPLE)
    assert ruling.winner == ERIC
    assert ruling.sentences == (
        LAST_TURNS,
        "6 or more æmber forge one key for 6, whatever cards say: Eric forges a key. "
        "Now Eric: 2 keys, 3 æmber; Travis: 2 keys, 3 æmber.",
        "Equal in keys: 2 each.",
        "Equal in æmber left: 3 each.",
        "Eric has more potential æmber: 8 to 7.",
    )
    assert ruling.games == (1, 0)


def test_most_keys_decide_first() -> None:
    ruling = keyforge(replace(EXAMPLE, keys=(0, 2), potential=None))
    assert (ruling.winner, ruling.sentences[-1]) == (TRAVIS, "Travis has more keys: 2 to 1.")


def test_only_one_key_is_forged_however_much_aember_there_is() -> None:
    ruling = keyforge(replace(EXAMPLE, keys=(0, 1), aember=(18, 0)))
    assert "Now Eric: 1 key, 12 æmber; Travis: 1 key, 0 æmber" in ruling.sentences[1]
    assert (ruling.winner, ruling.sentences[-1]) == (ERIC, "Eric has more æmber left: 12 to 0.")


def test_six_aember_are_enough_and_five_are_not() -> None:
    assert "Now Eric: 2 keys, 0 æmber; Travis: 1 key, 5" in keyforge(replace(EQUAL, aember=(6, 5))).sentences[1]
    assert "Eric and Travis forge one key each" in keyforge(replace(EQUAL, aember=(6, 6))).sentences[1]


def test_nobody_forging_is_said() -> None:
    assert "no one forges a key" in keyforge(EQUAL).sentences[1]


def test_the_first_player_wins_what_is_equal_to_the_end() -> None:
    for first in BOTH:
        ruling = keyforge(replace(EQUAL, first_player=first))
        assert (ruling.winner, ruling.sentences[-1]) == (first, f"Still equal: {first} went first and wins.")


def test_who_went_first_is_asked_for_only_when_it_decides() -> None:
    with pytest.raises(Invalid, match="say who went first"):
        keyforge(replace(EQUAL, first_player=None))
    assert keyforge(replace(EXAMPLE, first_player=None)).winner == ERIC


def test_potential_aember_is_asked_for_only_when_it_decides() -> None:
    with pytest.raises(Invalid, match="potential æmber decides"):
        keyforge(replace(EQUAL, potential=None))
    assert keyforge(replace(EQUAL, aember=(3, 2), potential=None)).winner == ERIC


def test_the_leader_of_a_best_of_three_wins_it_with_any_table() -> None:
    ruling = keyforge(replace(EXAMPLE, games=(0, 1)))
    assert (ruling.winner, ruling.games) == (TRAVIS, (0, 1))
    assert ruling.sentences == ("Travis leads 1-0 in games and wins the match.",)


def test_equal_games_go_through_the_steps_and_count_the_game() -> None:
    assert keyforge(replace(EXAMPLE, games=(1, 1))).games == (2, 1)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"keys": (3, 0)}, "already won"),
        ({"keys": (-1, 0)}, "Give 0 to 2 keys"),
        ({"aember": (-1, 0)}, "Æmber: give a number from 0"),
        ({"aember": (0, 1000)}, "Æmber: give a number from 0"),
        ({"potential": (-1, 0)}, "Potential æmber: give"),
        ({"games": (-1, 0)}, "Games: give"),
        ({"first_player": Name("Ann")}, "Eric or Travis"),
    ],
)
def test_tables_that_cannot_be_are_refused(changed: dict[str, object], problem: str) -> None:
    with pytest.raises(Invalid, match=problem):
        keyforge(replace(EXAMPLE, **changed))


numbers = st.tuples(st.integers(0, 30), st.integers(0, 30))


@given(keys=st.tuples(st.integers(0, 2), st.integers(0, 2)), aember=numbers, potential=numbers, first=st.booleans())
def test_one_player_always_wins_in_whatever_order_the_players_are_listed(
    keys: tuple[int, int], aember: tuple[int, int], potential: tuple[int, int], first: bool
) -> None:
    table = KeyForgeTable(
        players=BOTH, keys=keys, aember=aember, potential=potential, first_player=ERIC if first else TRAVIS
    )
    mirrored = replace(table, players=(TRAVIS, ERIC), keys=keys[::-1], aember=aember[::-1], potential=potential[::-1])
    assert keyforge(table).winner == keyforge(mirrored).winner
    assert keyforge(table).winner in BOTH


@pytest.mark.parametrize(
    ("games", "during_game", "winner", "sudden_death"),
    [
        ((0, 0), True, None, 1),
        ((1, 0), False, ERIC, None),
        ((0, 1), False, TRAVIS, None),
        ((1, 0), True, None, 2),
        ((1, 1), False, None, 3),
        ((1, 1), True, None, 3),
        ((2, 0), False, ERIC, None),
        ((1, 2), False, TRAVIS, None),
    ],
)
def test_lightseekers_goes_by_how_far_the_match_is(
    games: tuple[int, int], during_game: bool, winner: Name | None, sudden_death: int | None
) -> None:
    ruling = lightseekers(BOTH, games, during_game=during_game)
    assert ruling.winner == winner
    assert (sudden_death is not None) == (f"game {sudden_death} " in ruling.sentences[-1])


def test_the_first_games_sudden_death_decides_the_match() -> None:
    ruling = lightseekers(BOTH, (0, 0), during_game=True, health=(3, 9))
    assert (ruling.winner, ruling.games) == (TRAVIS, (0, 1))


def test_the_second_games_sudden_death_ends_the_match_or_leads_to_another_at_once() -> None:
    over = lightseekers(BOTH, (1, 0), during_game=True, health=(9, 3))
    assert (over.winner, over.games) == (ERIC, (2, 0))
    level = lightseekers(BOTH, (1, 0), during_game=True, health=(3, 9))
    assert (level.winner, level.games) == (None, (1, 1))
    assert "game 3 begins at once as a sudden death" in level.sentences[-1]
    last = lightseekers(BOTH, level.games, during_game=False, health=(3, 9))
    assert (last.winner, last.games) == (TRAVIS, (1, 2))


def test_a_game_going_on_is_finished_as_a_sudden_death() -> None:
    ruling = lightseekers(BOTH, (0, 0), during_game=True)
    assert "goes on as a sudden death" in ruling.sentences[0]
    assert "three more turns, the current one included" in ruling.sentences[0]
    assert "until health changes" in ruling.sentences[0]


@pytest.mark.parametrize(
    ("games", "during_game", "health", "problem"),
    [
        ((3, 0), False, None, "best of 3"),
        ((2, 2), False, None, "best of 3"),
        ((-1, 0), True, None, "best of 3"),
        ((0, 0), True, (5, 5), "play on until either health changes"),
        ((0, 0), True, (1000, 5), "Health: give"),
        ((1, 0), False, (9, 3), "no sudden death"),
        ((2, 0), True, (9, 3), "no sudden death"),
    ],
)
def test_matches_that_cannot_be_are_refused(
    games: tuple[int, int], during_game: bool, health: tuple[int, int] | None, problem: str
) -> None:
    with pytest.raises(Invalid, match=problem):
        lightseekers(BOTH, games, during_game=during_game, health=health)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("8-7", (8, 7)),
        ("8 7", (8, 7)),
        ("Brobnar 4+4, Mars 6+1", (8, 7)),
        ("4 + 4 – 6+1", (8, 7)),
        ("brobnar 8 / mars 7", (8, 7)),
    ],
)
def test_potential_aember_can_be_typed_with_its_house_and_parts(typed: str, expected: tuple[int, int]) -> None:
    assert read_potential(typed) == expected


@pytest.mark.parametrize("typed", ["8", "4+4", "Mars", "8-7-6", "-1 7", "1000-2", "4+4+4-3"])
def test_potential_aember_that_is_not_two_numbers_is_asked_for_again(typed: str) -> None:
    with pytest.raises(Invalid, match="type yours first"):
        read_potential(typed)


@pytest.mark.parametrize(
    ("variant", "single", "single_final", "best_of_three", "best_of_three_final"),
    [(Variant.ARCHON, 35, 50, 90, 120), (Variant.SEALED, 45, 60, 100, 125), (None, 35, 50, 90, 120)],
)
def test_keyforge_rounds_last_as_the_document_says(
    variant: Variant | None, single: int, single_final: int, best_of_three: int, best_of_three_final: int
) -> None:
    found = [
        round_minutes(Game.KEYFORGE, variant, best_of=best_of, final=final)
        for best_of in (1, 3)
        for final in (False, True)
    ]
    assert found == [single, single_final, best_of_three, best_of_three_final]


def test_lightseekers_matches_last_an_hour_and_other_games_are_not_documented() -> None:
    assert round_minutes(Game.LIGHTSEEKERS, None, best_of=3, final=True) == 60
    assert round_minutes(None, None, best_of=1, final=False) is None
    assert round_minutes(Game.KEYFORGE, Variant.ARCHON, best_of=5, final=False) is None


def test_a_live_round_lasts_as_long_as_its_longest_match() -> None:
    start = season("two-loss-out", 8, game="keyforge", variant="sealed", cut=4)
    played = play_season(start).season
    format_ = by_key("two-loss-out")
    minutes = [(round_.stage.value, format_.minutes(played, round_)) for round_ in played.rounds]
    # Only the final is best of three.
    assert minutes == [*[("regular", 45)] * (len(minutes) - 2), ("finals", 45), ("finals", 125)]
    assert format_.minutes(replace(played, settings=format_.read_settings({})), played.rounds[0]) is None
