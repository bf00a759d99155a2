"""Ties that matter: who the organiser is asked about, and who not."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from bot.league.formats import by_key
from bot.league.formats.swiss.organiser_ties import Tie, seats, ties_that_matter, whole_order
from bot.league.season.model import Name, Season, Stage
from tests.league.builders import drawn, season, with_decisions, with_departure, with_round, won


def level(format: str = "lightseekers-swiss", **settings: Any) -> Season:
    """Return a season in which the winners a, c, e are equal in everything, and so are b, d, f."""
    start = season(format, "abcdef", number=1, **{"rounds": 1, **settings})
    return with_round(start, *(replace(won(*pair), games=(2, 0)) for pair in ("ab", "cd", "ef")))


def by_tiebreak(letters: str) -> tuple[str, ...]:
    return tuple(drawn("tiebreak", 1, letters))


def ties(now: Season) -> tuple[Tie, ...]:
    return ties_that_matter(now, by_key(now.format).next_round(now))


@pytest.mark.parametrize(
    ("cut", "expected"),
    [
        (0, [(1, 0, "ace")]),
        (2, [(1, 2, "ace")]),
        (4, [(1, 4, "ace"), (4, 4, "bdf")]),
    ],
)
def test_equals_are_asked_about_who_can_enter_the_finals_or_win(cut: int, expected: list[tuple[int, int, str]]) -> None:
    found = ties(level(cut=cut))
    assert [(tie.first, tie.going_on, tie.names) for tie in found] == [
        (f, g, by_tiebreak(names)) for f, g, names in expected
    ]


def test_nobody_is_asked_before_the_last_round_or_once_the_finals_have_begun() -> None:
    assert ties(level(cut=2, rounds=2)) == ()
    now = level(cut=2)
    finalists = next(tie.names for tie in ties(now))[:2]
    begun = with_round(now, won(*finalists), stage=Stage.FINALS)
    assert ties(begun) == ()


def test_formats_that_leave_nothing_to_the_organiser_ask_nobody() -> None:
    assert ties(level("keyforge-swiss", cut=2)) == ()


def test_a_group_that_a_decision_orders_is_no_longer_tied_and_the_others_are() -> None:
    assert ties(with_decisions(level(cut=2), (1, "cae"))) == ()
    [left] = ties(with_decisions(level(cut=4), (1, "cae")))
    assert left.names == by_tiebreak("bdf")
    # Of some of a group it orders nobody.
    for named in ("c", "ca", "caeb"):
        assert ties(with_decisions(level(cut=2), (1, named))) == ties(level(cut=2))


def test_who_has_left_is_not_asked_about() -> None:
    [left] = ties(with_departure(level(cut=0), "a", 2))
    assert (left.first, left.names) == (1, by_tiebreak("ce"))


def test_the_three_of_a_bracket_are_asked_about_because_the_best_seed_has_a_bye() -> None:
    start = season("lightseekers-swiss", "abcdef", number=1, rounds=1, cut=3)
    scores = (("ab", (2, 0)), ("cd", (2, 0)), ("ef", (2, 1)))
    now = with_round(start, *(replace(won(*pair), games=games) for pair, games in scores))
    assert [tie.names for tie in ties(now)] == [by_tiebreak("ac")]


def test_the_two_of_a_final_meet_whoever_is_seeded_first() -> None:
    start = season("lightseekers-swiss", "abcdef", number=1, rounds=1, cut=2)
    scores = (("ab", (2, 0)), ("cd", (2, 0)), ("ef", (2, 1)))
    now = with_round(start, *(replace(won(*pair), games=games) for pair, games in scores))
    assert ties(now) == ()
    assert len(ties(replace(now, settings=by_key(now.format).read_settings({"rounds": 1, "cut": 0})))) == 1


def test_the_order_of_those_who_are_here_is_that_of_their_whole_group() -> None:
    now = with_departure(level(cut=0), "a", 2)
    assert whole_order(now, (Name("e"), Name("c"))) == ("e", "c", "a")
    assert ties(with_decisions(now, (1, "eca"))) == ()
    assert whole_order(now, (Name("f"), Name("b"), Name("d"))) == ("f", "b", "d")


def test_seats_go_by_their_own_draw() -> None:
    found = seats(level(), 1, (Name("a"), Name("c"), Name("e")))
    assert [text for _, text in found] == [f"1/1/seat/{name}" for name, _ in found]
    hashes = [sha256(text.encode()).hexdigest() for _, text in found]
    assert hashes == sorted(hashes)
