"""How a round robin of so many players would look, as organisers read it before the start."""

from typing import Any

import pytest

from bot.league.formats.round_robin import RoundRobin
from bot.league.formats.shared.groups import Shape

FORMAT = RoundRobin()


def shape(players: int, *given: int, **settings: Any) -> Shape | None:
    return FORMAT.shape(FORMAT.read_settings(settings), players, given)


@pytest.mark.parametrize(
    ("players", "given", "settings", "words"),
    [
        (10, (), {"meetings": 2}, "1 group of 10, 18 rounds"),
        (14, (), {"group_size": 5}, "3 groups of 5 and 4, 5 rounds"),
        (12, (), {"group_size": 4}, "3 groups of 4, 3 rounds"),
        (9, (4, 3), {"grouping": "given"}, "2 groups of 5 and 4, 5 rounds"),
        (10, (5, 3, 2), {"grouping": "given"}, "3 groups of 5, 3 and 2, 5 rounds"),
        (2, (), {}, "1 group of 2, 1 round"),
    ],
)
def test_groups_and_rounds_in_words(players: int, given: tuple[int, ...], settings: dict[str, Any], words: str) -> None:
    found = shape(players, *given, **settings)
    assert found is not None
    assert found.words == words
    assert not found.wrong


def test_nothing_is_known_of_groups_that_are_to_be_given() -> None:
    assert shape(10, grouping="given", group_size=5) is None


@pytest.mark.parametrize(
    ("players", "given", "settings", "wrong"),
    [
        (52, (), {}, "This takes 51 rounds, and 50 are the most."),
        (30, (), {"meetings": 2}, "or let players meet once"),
        (4, (3, 1), {"grouping": "given"}, "Group B has one player"),
        (8, (), {"through": 1}, "The first of one group doesn't make finals."),
    ],
)
def test_what_is_wrong_comes_with_what_to_do(
    players: int, given: tuple[int, ...], settings: dict[str, Any], wrong: str
) -> None:
    found = shape(players, *given, **settings)
    assert found is not None
    assert wrong in found.wrong
    assert found.too_long is (players > 25)


def test_the_longest_season_is_possible() -> None:
    found = shape(50)
    assert found is not None
    assert (found.rounds, found.wrong) == (49, "")
    twice = shape(26, meetings=2)
    assert twice is not None
    assert (twice.rounds, twice.wrong) == (50, "")


def test_two_of_many_groups_are_more_than_the_finals_take() -> None:
    many, few = shape(228, group_size=6, through=2), shape(192, group_size=6, through=2)
    assert many is not None
    assert few is not None
    assert many.notice == (
        "2 of each of 38 groups are 76 players, and the finals have room for 64: the best 64 of them go on."
    )
    assert not few.notice


def test_points_are_typed_without_byes() -> None:
    points = FORMAT.setting("points")
    assert points.typed("3-1-0") == {"win": 3, "draw": 1, "loss": 0}
    scale = FORMAT.read_settings({"points": {"win": 3, "draw": 1, "loss": 0}}).points
    assert points.text(scale) == "3-1-0"
    assert FORMAT.setting_line("points", scale) == "Points: win 3, draw 1, loss 0"
