"""Scores as people type them, and which a match can have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.league.errors import Invalid
from bot.league.season.match_score import (
    DASH,
    MOST_GAMES,
    Result,
    Scoreline,
    is_possible,
    possible_scores,
    read_result,
    read_score,
    read_scoreline,
    require_agreeing,
    require_possible,
    result_words,
)
from bot.league.season.model import Kind


@pytest.mark.parametrize("typed", ["2-1", "2:1", "2/1", " 2 - 1 ", "2\N{EN DASH}1", "02-1"])
def test_scores_as_people_type_them(typed: str) -> None:
    assert read_score(typed) == (2, 1)


@pytest.mark.parametrize("typed", ["", "2", "2-", "-2-1", "2-1-0", "two-one", "2.1", "9999-0", "1e1-0"])
def test_what_is_no_score(typed: str) -> None:
    with pytest.raises(Invalid, match="like 2-1, yours first"):
        read_score(typed)


def test_results_in_words() -> None:
    assert read_result(" Won ") is Result.WON
    with pytest.raises(Invalid, match="won, lost or draw"):
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
    listed = " or ".join(f"{own}-{their}" for own, their in sorted(fitting))
    for games in [(own, their) for own in range(5) for their in range(5)]:
        if games in fitting:
            require_possible(games, kind=Kind.PLAYED, result=result, best_of=best_of, finished=True)
        else:
            with pytest.raises(Invalid) as refused:
                require_possible(games, kind=Kind.PLAYED, result=result, best_of=best_of, finished=True)
            assert str(refused.value).endswith(f" {listed}.")


def test_scores_to_choose_from_begin_with_the_most_games_and_the_clearest_win() -> None:
    assert possible_scores(Result.WON, 3) == ((2, 0), (2, 1), (1, 0))
    assert possible_scores(Result.LOST, 5, finished=True) == ((2, 3), (1, 3), (0, 3))


def test_a_match_of_one_game_is_one_to_nothing_and_nothing_else() -> None:
    with pytest.raises(Invalid, match=r"3-0 isn't possible: a match here is one game, so its score is 1-0\."):
        require_possible((3, 0), kind=Kind.PLAYED, result=Result.WON, best_of=1)
    with pytest.raises(Invalid, match=r"a match here is one game, so its score is 0-1\."):
        require_possible((1, 2), kind=Kind.PLAYED, result=Result.LOST, best_of=1)


@pytest.mark.parametrize("best_of", [3, 5, 7])
def test_an_unfinished_match_goes_to_the_player_ahead(best_of: int) -> None:
    require_possible((1, 0), kind=Kind.PLAYED, result=Result.WON, best_of=best_of)
    with pytest.raises(Invalid, match="1-0"):
        require_possible((0, 1), kind=Kind.PLAYED, result=Result.WON, best_of=best_of)


def test_games_only_have_to_agree_with_the_result_where_nobody_said_how_many_there_are() -> None:
    require_possible((12, 7), kind=Kind.PLAYED, result=Result.WON, best_of=None, finished=True)
    require_possible((4, 4), kind=Kind.PLAYED, result=Result.DRAW, best_of=None)
    require_possible((0, 99), kind=Kind.FORFEIT, result=Result.WON, best_of=None)
    for games, result in (((7, 12), Result.WON), ((12, 7), Result.LOST), ((2, 1), Result.DRAW), ((100, 1), Result.WON)):
        with pytest.raises(Invalid):
            require_possible(games, kind=Kind.PLAYED, result=result, best_of=None)
    with pytest.raises(Invalid, match="2-1 isn't possible: after a draw both have the same number, at most"):
        require_possible((2, 1), kind=Kind.PLAYED, result=Result.DRAW, best_of=None)


@pytest.mark.parametrize("kind", [Kind.FORFEIT, Kind.ADJUDICATED])
def test_nobody_who_gives_up_or_is_ruled_against_had_won(kind: Kind) -> None:
    for games in ((0, 0), (0, 1), (1, 1), (2, 0), (2, 1)):
        require_possible(games, kind=kind, result=Result.WON, best_of=3)
    for games in ((0, 2), (1, 2), (3, 0), (2, 2)):
        with pytest.raises(Invalid, match="a win is 0-0 or 0-1 or 1-0 or 1-1 or 2-0 or 2-1"):
            require_possible(games, kind=kind, result=Result.WON, best_of=3)


def test_both_can_lose_whichever_of_them_had_won_enough_games() -> None:
    for games in ((0, 0), (1, 1), (2, 0), (0, 2), (1, 2)):
        require_possible(games, kind=Kind.DOUBLE_LOSS, result=None, best_of=3)
    with pytest.raises(Invalid, match="a double loss is"):
        require_possible((2, 2), kind=Kind.DOUBLE_LOSS, result=None, best_of=3)


@given(
    st.tuples(st.integers(0, MOST_GAMES + 1), st.integers(0, MOST_GAMES + 1)),
    st.sampled_from([Kind.PLAYED, Kind.FORFEIT, Kind.ADJUDICATED]),
    st.sampled_from(Result),
    st.sampled_from([None, 1, 3, 5, 7, 9]),
    st.booleans(),
)
def test_both_sides_read_a_score_alike(
    games: tuple[int, int], kind: Kind, result: Result, best_of: int | None, finished: bool
) -> None:
    mine = is_possible(games, kind=kind, result=result, best_of=best_of, finished=finished)
    other = (games[1], games[0])
    theirs = is_possible(other, kind=kind, result=result.seen_by_opponent, best_of=best_of, finished=finished)
    assert mine == theirs


@pytest.mark.parametrize(
    ("kind", "winner", "words"),
    [
        (Kind.PLAYED, "dok", f"dok won 2{DASH}1"),
        (Kind.FORFEIT, "dok", f"dok won 2{DASH}1 by forfeit"),
        (Kind.ADJUDICATED, "dok", f"dok won 2{DASH}1"),
        (Kind.PLAYED, None, f"draw 2{DASH}1"),
        (Kind.DOUBLE_LOSS, None, "double loss"),
        (Kind.OPEN, None, "no result"),
    ],
)
def test_every_result_has_its_words(kind: Kind, winner: str | None, words: str) -> None:
    assert result_words(kind, winner=winner, scoreline=Scoreline((2, 1))) == words


@pytest.mark.parametrize(
    ("typed", "best_of", "expected"),
    [
        ("87-62", 1, Scoreline(None, (87, 62))),
        ("87:62", 3, Scoreline(None, (87, 62))),
        (" 2-1 87-62 ", 3, Scoreline((2, 1), (87, 62))),
        ("2-1, 87-62", 3, Scoreline((2, 1), (87, 62))),
        ("2-1 (87\N{EN DASH}62)", 3, Scoreline((2, 1), (87, 62))),
        ("2-0 2-1", 3, Scoreline((2, 0), (2, 1))),
        ("1-0", 1, Scoreline(None, (1, 0))),
        ("0-0", 3, Scoreline(None, (0, 0))),
        ("9999-0", 1, Scoreline(None, (9_999, 0))),
        ("1-0 87-62", 1, Scoreline((1, 0), (87, 62))),
    ],
)
def test_a_score_is_typed_alone_or_after_the_games(typed: str, best_of: int, expected: Scoreline) -> None:
    assert read_scoreline(typed, scores=True, best_of=best_of, needed=True) == expected


@pytest.mark.parametrize(
    ("typed", "best_of", "words"),
    [
        ("", 1, "has a score: add it like 87-62, yours first"),
        (None, 3, "Games go before it, like 2-1 87-62"),
        ("2-1", 3, "Is 2-1 the games or the score?"),
        ("1-1", 3, "Is 1-1 the games or the score?"),
        ("87", 1, "'87' isn't a score. Type it like 87-62, yours first"),
        ("87-62 2-1 3-0", 3, "isn't a score"),
        ("1,024-998", 1, "isn't a score"),
        ("10000-1", 1, "each number is at most 9,999"),
        ("-1-3", 1, "isn't a score"),
    ],
)
def test_a_score_that_can_not_be_read_is_asked_for_again(typed: str | None, best_of: int, words: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_scoreline(typed, scores=True, best_of=best_of, needed=True)
    assert words in str(refused.value)


def test_without_scores_only_games_are_typed() -> None:
    assert read_scoreline("2-1", scores=False, best_of=3) == Scoreline((2, 1))
    assert read_scoreline(" ", scores=False, best_of=3, needed=True) == Scoreline()
    for typed in ("2-1 87-62", "2-1, 87-62", "1200-900"):
        with pytest.raises(Invalid, match="have games only: type them like 2-1, yours first"):
            read_scoreline(typed, scores=False, best_of=3)
    with pytest.raises(Invalid, match="the winner's first"):
        read_scoreline("2-1 87-62", scores=False, best_of=3, first="the winner's")


SCORES = st.tuples(st.integers(0, 9_999), st.integers(0, 9_999))


@given(st.sampled_from(Kind), st.sampled_from([*Result, None]), SCORES)
def test_the_winners_score_is_never_the_lower_one(kind: Kind, result: Result | None, score: tuple[int, int]) -> None:
    own, other = score
    fits = {Result.WON: own >= other, Result.LOST: own <= other}.get(result or Result.DRAW, own == other)
    if fits or kind is not Kind.PLAYED:
        require_agreeing(score, kind=kind, result=result)
    else:
        with pytest.raises(Invalid, match=f"A score of {own}-{other} isn't possible"):
            require_agreeing(score, kind=kind, result=result)
