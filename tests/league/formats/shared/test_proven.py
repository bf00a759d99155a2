"""What is proven of a season to come, function by function; `test_outlook.py` holds all of it against every ending."""

from bot.league.counting.history import History
from bot.league.formats.shared.proven import Proven, Reach, by_places, is_everyone_here, still_to_share, to_come
from bot.league.season.model import Name
from tests.league.builders import open_match, season, with_departure, with_round, won

A, B, C = Name("a"), Name("b"), Name("c")


def test_who_can_only_be_equalled_is_neither_sure_nor_out_because_a_tie_break_can_decide() -> None:
    level = {A: Reach(2, 2), B: Reach(1, 2), C: Reach(0, 1)}
    assert by_places(level, 1) == Proven(out=frozenset((C,)))
    assert by_places(level, 2) == Proven(sure=frozenset((A,)))
    assert by_places({**level, B: Reach(1, 1)}, 1) == Proven(sure=frozenset((A,)), out=frozenset((B, C)))


def test_drawn_matches_count_for_what_is_to_share_where_they_give_more_than_a_win() -> None:
    points = {"win": 3, "draw": 2, "loss": 0, "bye": 3}
    for draws, most in ((True, 4), (False, 3)):
        now = with_round(season("keyforge-swiss", "abcd", draws=draws, points=points), won("a", "b"), won("c", "d"))
        share = still_to_share(History(now), 3, 4, 0)
        # Two rounds of two matches, where a bye for someone would give 3 too.
        assert (share.most, share.left, share.win, share.beaten) == (most, 2 * 2 * most, 3, 0)


def test_an_open_match_is_a_result_to_come() -> None:
    now = with_round(season("keyforge-swiss", "abcd"), won("a", "b"), open_match("c", "d"))
    assert to_come(History(now), 3) == {"a": 2, "b": 2, "c": 3, "d": 3}


def test_who_left_between_rounds_can_still_have_a_place_only_where_no_one_is_replaced() -> None:
    for replace in (True, False):
        now = with_round(season("ohs", "abcd", cut=2, replace=replace), won("a", "b"), won("c", "d"))
        assert is_everyone_here(History(now))
        assert is_everyone_here(History(with_departure(now, "a", 2))) is replace
        assert not is_everyone_here(History(with_departure(now, "a", 1, after_pairing=True, rejoined=3)))
