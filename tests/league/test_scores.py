"""Scores as people type them, and which a match can have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.errors import Invalid
from bot.league.match_score import (
    MOST_GAMES,
    Result,
    flipped,
    read_result,
    read_score,
    require_forfeit_score,
    require_score,
    result_words,
)
from bot.league.model import Kind


@pytest.mark.parametrize("typed", ["2-1", "2:1", " 2 - 1 ", "2\N{EN DASH}1", "02-1"])
def test_scores_as_people_type_them(typed: str) -> None:
    assert read_score(typed) == (2, 1)


@pytest.mark.parametrize("typed", ["", "2", "2-", "-2-1", "2-1-0", "two-one", "2.1", "2/1", "9999-0", "1e1-0"])
def test_what_is_no_score(typed: str) -> None:
    with pytest.raises(Invalid, match="like 2-1, your own first"):
        read_score(typed)


def test_results_in_words() -> None:
    assert read_result(" Won ") is Result.WON
    with pytest.raises(Invalid, match="won, lost and draw"):
        read_result("win")


@pytest.mark.parametrize(
    ("best_of", "result", "fitting"),
    [
        (1, Result.WON, {(1, 0)}),
        (3, Result.WON, {(2, 0), (2, 1)}),
        (3, Result.LOST, {(0, 2), (1, 2)}),
        (3, Result.DRAW, {(0, 0), (1, 1)}),
        (5, Result.WON, {(3, 0), (3, 1), (3, 2)}),
    ],
)
def test_what_fits_a_best_of_is_what_the_refusal_names(
    best_of: int, result: Result, fitting: set[tuple[int, int]]
) -> None:
    listed = ", ".join(f"{own}-{their}" for own, their in sorted(fitting))
    for games in [(own, their) for own in range(5) for their in range(5)]:
        if games in fitting:
            require_score(games, result, best_of=best_of)
        else:
            with pytest.raises(Invalid) as refused:
                require_score(games, result, best_of=best_of)
            assert str(refused.value).endswith(f"can be {listed}.")


@pytest.mark.parametrize("best_of", [3, 5, 7])
def test_an_unfinished_match_goes_to_who_is_ahead(best_of: int) -> None:
    require_score((1, 0), Result.WON, best_of=best_of, unfinished=True)
    with pytest.raises(Invalid, match="1-0"):
        require_score((0, 1), Result.WON, best_of=best_of, unfinished=True)


def test_a_mere_score_only_has_to_agree_with_the_result() -> None:
    require_score((12, 7), Result.WON, best_of=None)
    require_score((4, 4), Result.DRAW, best_of=None)
    for games, result in (((7, 12), Result.WON), ((12, 7), Result.LOST), ((2, 1), Result.DRAW), ((100, 1), Result.WON)):
        with pytest.raises(Invalid):
            require_score(games, result, best_of=None)


def test_who_gives_up_has_not_won() -> None:
    for games in ((0, 0), (0, 1), (1, 1), (2, 0), (2, 1)):
        require_forfeit_score(games, best_of=3)
    for games in ((0, 2), (1, 2), (3, 0), (2, 2)):
        with pytest.raises(Invalid, match="forfeit"):
            require_forfeit_score(games, best_of=3)


@given(
    st.tuples(st.integers(0, MOST_GAMES), st.integers(0, MOST_GAMES)),
    st.sampled_from(Result),
    st.sampled_from([None, 1, 3, 5, 7, 9]),
    st.booleans(),
)
def test_both_sides_read_a_score_alike(
    games: tuple[int, int], result: Result, best_of: int | None, unfinished: bool
) -> None:
    def fits(games: tuple[int, int], result: Result) -> bool:
        try:
            require_score(games, result, best_of=best_of, unfinished=unfinished)
        except Invalid:
            return False
        return True

    other = flipped(games)
    assert other is not None
    assert fits(games, result) == fits(other, result.seen_by_opponent)


@pytest.mark.parametrize(
    ("kind", "winner", "words"),
    [
        (Kind.PLAYED, "dok", "dok won 2-1"),
        (Kind.FORFEIT, "dok", "dok won 2-1 by forfeit of Zoë"),
        (Kind.ADJUDICATED, "dok", "dok won 2-1, decided by the moderators"),
        (Kind.PLAYED, None, "draw 2-1"),
        (Kind.DOUBLE_LOSS, None, "double loss"),
        (Kind.OPEN, None, "no result"),
    ],
)
def test_every_result_has_its_words(kind: Kind, winner: str | None, words: str) -> None:
    assert result_words(kind, winner=winner, loser="Zoë", games=(2, 1)) == words
