"""Which rounds a season has at most, by name."""

import pytest

from bot.league.formats import by_key
from bot.league.summaries.season_length import season_length

REGULAR = ("Round 1", "Round 2", "Round 3", "Round 4")
FINALS = ("Quarter-finals", "Semi-finals", "Final")


@pytest.mark.parametrize(
    ("format", "given", "players", "rounds", "complete"),
    [
        ("ohs", {"cut": 8}, None, (*REGULAR, *FINALS), True),
        ("ohs", {"cut": 6}, None, (*REGULAR, "Play-in round", "Semi-finals", "Final"), True),
        ("ohs", {"cut": 8}, 5, (*REGULAR, "Play-in round", "Semi-finals", "Final"), True),
        ("ohs", {"cut": 0}, None, REGULAR, True),
        ("ohs", {}, None, REGULAR, False),
        ("ohs", {}, 8, (*REGULAR, *FINALS), True),
        ("keyforge-swiss", {}, None, ("Round 1",), False),
        ("lightseekers-swiss", {"cut": 0}, 8, REGULAR[:3], True),
        ("two-loss-out", {}, 16, ("Round 1",), False),
        ("single-elimination", {}, None, ("Round 1",), False),
        ("single-elimination", {}, 8, FINALS, True),
        ("round-robin", {}, None, ("Round 1",), False),
        ("round-robin", {"group_size": 5, "meetings": 2}, None, tuple(f"Round {n}" for n in range(1, 11)), False),
        (
            "round-robin",
            {"group_size": 4, "grouping": "given"},
            9,
            ("Round 1", "Round 2", "Round 3", "Play-in round", "Semi-finals", "Final"),
            True,
        ),
        ("single-elimination", {}, 5, ("Play-in round", "Semi-finals", "Final"), True),
    ],
)
def test_the_rounds_of_a_season(
    format: str, given: dict[str, int], players: int | None, rounds: tuple[str, ...], complete: bool
) -> None:
    format_ = by_key(format)
    found = season_length(format_, format_.read_settings(given), players)
    assert (found.rounds, found.complete) == (rounds, complete)
