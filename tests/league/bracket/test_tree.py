"""Brackets: slots and byes, who goes on, rounds changed by hand, and the walk that avoids rematches."""

from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.league.bracket.rematches import avoid_rematches
from bot.league.bracket.tree import Bracket, Duel, IsActive, after_round, as_played, duels, from_slots, third_place
from bot.league.season.model import Match, Name, Round, Stage
from tests.examples import examples
from tests.league.builders import double_loss, names, open_match, won


def everybody(name: Name) -> bool:
    return True


def without(*gone: str) -> IsActive:
    return lambda name: name not in gone


def players(bracket: Bracket, is_active: IsActive = everybody) -> list[tuple[str, str | None]]:
    return [(duel.upper, duel.lower) for duel in duels(bracket, is_active)]


def finals(number: int, *matches: Match, byes: Sequence[str] = ()) -> Round:
    return Round(number=number, stage=Stage.FINALS, byes=tuple(map(Name, byes)), matches=matches)


def after(bracket: Bracket, round_: Round, is_active: IsActive = everybody) -> Bracket:
    planned = duels(bracket, is_active)
    return after_round(bracket, as_played(bracket, planned, round_), round_)


def test_seed_s_meets_seed_p_plus_one_minus_s() -> None:
    assert players(from_slots(names(8))) == [("p01", "p08"), ("p02", "p07"), ("p03", "p06"), ("p04", "p05")]


def test_byes_go_to_the_top_seeds() -> None:
    assert players(from_slots(names(5))) == [("p01", None), ("p02", None), ("p03", None), ("p04", "p05")]


@pytest.mark.parametrize("count", range(1, 33))
def test_a_bracket_without_upsets_ends_in_seed_order(count: int) -> None:
    bracket, number = from_slots(names(count)), 5
    while not bracket.decided:
        planned = duels(bracket, everybody)
        matches = [won(duel.upper, duel.lower) for duel in planned if duel.lower is not None]
        bracket, number = after_round(bracket, planned, finals(number, *matches)), number + 1
    assert bracket.places == (names(count)[0],)
    assert sorted(bracket.lost, key=lambda name: -bracket.lost[name]) == sorted(
        names(count)[1:], key=lambda name: (-bracket.lost[name], name)
    )
    for place, name in enumerate(names(count)[1:], start=2):
        # Equal rounds share the better place: 2, 3, 5, 9, 17.
        assert bracket.out[name] == (1 << (place - 1).bit_length() - 1) + 1


def test_the_winner_plays_on_in_the_smaller_slot() -> None:
    bracket = after(from_slots(names(4)), finals(1, won("p04", "p01"), won("p02", "p03")))
    assert bracket.places == ("p04", "p02")
    assert players(bracket) == [("p02", "p04")], "the smaller first slot is listed first, wherever they stand"


def test_the_opponent_of_somebody_gone_has_a_bye() -> None:
    bracket = from_slots(names(4))
    assert duels(bracket, without("p01"))[1] == Duel(upper=Name("p04"), place=1, absent=Name("p01"))
    assert after(bracket, finals(1, won("p02", "p03"), byes=["p04"]), without("p01")).lost == {"p01": 1, "p03": 1}


def test_where_both_are_gone_the_next_opponent_has_a_bye() -> None:
    bracket = from_slots(names(4))
    assert players(bracket, without("p01", "p04")) == [("p02", "p03")]
    later = after(bracket, finals(1, won("p02", "p03")), without("p01", "p04"))
    assert later.places == (None, "p02")
    assert players(later) == [("p02", None)]


def test_a_double_loss_sends_nobody_on() -> None:
    later = after(from_slots(names(4)), finals(1, won("p01", "p04"), double_loss("p02", "p03")))
    assert later.places == ("p01", None)
    assert later.out == {"p04": 3, "p02": 3, "p03": 3}


def test_an_open_match_decides_nothing() -> None:
    later = after(from_slots(names(4)), finals(1, won("p01", "p04"), open_match("p02", "p03")))
    assert later.lost == {"p04": 1}
    assert later.out == {"p04": 3}


def test_a_match_changed_by_hand_stands_where_its_smaller_first_slot_stood() -> None:
    bracket = from_slots(names(8))
    swapped = finals(1, won("p08", "p07"), won("p02", "p01"), won("p03", "p06"), won("p04", "p05"))
    assert after(bracket, swapped).places == ("p02", "p08", "p03", "p04")


def test_by_hand_two_matches_never_share_a_place() -> None:
    bracket = from_slots(names(4))
    crossed = finals(1, won("p01", "p02"), won("p03", "p04"))
    assert after(bracket, crossed).places == ("p01", "p03")
    from_one_match = finals(1, won("p01", "p03"), won("p04", "p02"))
    assert after(bracket, from_one_match).places == ("p01", "p04")


def test_by_hand_a_bye_may_go_to_somebody_else() -> None:
    bracket = from_slots(names(3))
    assert after(bracket, finals(1, won("p03", "p01"), byes=["p02"])).places == ("p03", "p02")


def test_a_player_without_opponent_goes_on_whose_bye_the_round_does_not_name() -> None:
    assert after(from_slots(names(3)), finals(1, won("p02", "p03"))).places == ("p01", "p02")
    assert after(from_slots(names(4)), finals(1, won("p02", "p03"))).places == (None, "p02"), "a match is not a bye"


def test_by_hand_somebody_from_outside_is_listed_last() -> None:
    bracket = after(from_slots(names(4)), finals(1, won("guest", "p01"), won("p02", "p03")))
    assert bracket.places == ("guest", "p02")
    assert players(bracket) == [("p02", "guest")]
    assert bracket.lost == {"p01": 1, "p03": 1, "p04": 1}


def test_losing_semi_finalists_play_for_third_place() -> None:
    bracket = after(from_slots(names(4)), finals(1, won("p01", "p04"), won("p02", "p03")))
    (third,) = third_place(bracket, everybody)
    assert (third.upper, third.lower) == ("p03", "p04")
    final = finals(2, won("p01", "p02"), won("p04", "p03"))
    assert after(bracket, final).out == {"p02": 2, "p04": 3, "p03": 4}
    assert after(bracket, final).places == ("p01",)


def test_who_leaves_before_the_match_for_third_place_is_fourth() -> None:
    bracket = after(from_slots(names(4)), finals(1, won("p01", "p04"), won("p02", "p03")))
    (third,) = third_place(bracket, without("p03"))
    assert (third.upper, third.lower, third.absent) == ("p04", None, "p03")
    assert after(bracket, finals(2, won("p01", "p02"), byes=["p04"])).out == {"p02": 2, "p04": 3, "p03": 4}


@pytest.mark.parametrize("count", [2, 3, 8])
def test_without_two_losing_semi_finalists_nobody_plays_for_third_place(count: int) -> None:
    bracket = from_slots(names(count))
    if count == 3:
        bracket = after(bracket, finals(1, won("p02", "p03")))
    assert third_place(bracket, everybody) == ()


def test_slots_may_be_left_empty_anywhere() -> None:
    bracket = from_slots([Name("a"), None, Name("c"), Name("d")])
    assert players(bracket) == [("a", "d"), ("c", None)]


# -- the walk ----------------------------------------------------------------------------------------------------------


def walk(matches: str, rematches: str) -> str:
    pairs = matches.split()
    forbidden = {tuple(pair) for pair in rematches.split()}
    lowers = avoid_rematches(
        [Name(pair[0]) for pair in pairs], [Name(pair[1]) for pair in pairs], lambda a, b: (a, b) in forbidden
    )
    return " ".join(pair[0] + lower for pair, lower in zip(pairs, lowers, strict=True))


@pytest.mark.parametrize(
    ("rematches", "expected"),
    [
        ("", "1A 2B 3C 4D"),
        ("3C", "1A 2B 3D 4C"),  # the document: swap with the match directly below
        ("3C 4C", "1A 2C 3B 4D"),  # the document: else, at the bottom, with the one above
        ("3C 3D", "1A 2C 3B 4D"),
        ("3C 3D 2C", "1C 2B 3A 4D"),
        ("1A", "1B 2A 3C 4D"),
        ("1A 2A", "1C 2B 3A 4D"),
        ("1A 3C", "1B 2A 3D 4C"),
        ("4D", "1A 2B 3D 4C"),
        ("1A 2B", "1B 2A 3C 4D"),
        # 1A finds nobody to swap with; the assignment may move three.
        ("1A 1B 1C 4A", "1D 2B 3A 4C"),
        ("1A 1B 1C 1D", "1A 2B 3C 4D"),  # one rematch is the fewest: as it was
    ],
)
def test_the_walk_swaps_below_then_above(rematches: str, expected: str) -> None:
    assert walk("1A 2B 3C 4D", rematches) == expected


@settings(max_examples=examples(400))
@given(size=st.integers(0, 5), density=st.sampled_from([0.2, 0.4, 0.6, 0.8]), seed=st.integers(0, 2**32))
def test_the_walk_leaves_the_fewest_rematches(size: int, density: float, seed: int) -> None:
    random = Random(seed)
    uppers, lowers = names(size), [Name(f"L{number}") for number in range(size)]
    forbidden = {(upper, lower) for upper in uppers for lower in lowers if random.random() < density}
    answer = avoid_rematches(uppers, lowers, lambda a, b: (a, b) in forbidden)
    best = min(count(uppers, order, forbidden) for order in permutations(lowers))
    walked = swapped_once(uppers, lowers, forbidden)
    expected = by_force(uppers, lowers, forbidden, best) if count(uppers, walked, forbidden) else walked
    assert list(answer) == expected


def swapped_once(uppers: Sequence[Name], lowers: Sequence[Name], forbidden: set[tuple[Name, Name]]) -> list[Name]:
    """Walk the matches once from the top, each swapping with the first it can: those below, then those above."""
    order = list(lowers)
    for at, upper in enumerate(uppers):
        if (upper, order[at]) in forbidden:
            partners = [*range(at + 1, len(order)), *range(at - 1, -1, -1)]
            can = [p for p in partners if not {(upper, order[p]), (uppers[p], order[at])} & forbidden]
            for other in can[:1]:
                order[at], order[other] = order[other], order[at]
    return order


def test_two_finalists_who_both_leave_share_second_place() -> None:
    bracket = from_slots(names(2))
    later = after(bracket, finals(1), without("p01", "p02"))
    assert later.places == (None,)
    assert later.out == {"p01": 2, "p02": 2}


def test_two_players_put_in_by_hand_are_ordered_by_name() -> None:
    bracket = from_slots(names(4))
    assert sorted((Name("zoe"), Name("ann")), key=bracket.by_slot) == ["ann", "zoe"]
    played = as_played(bracket, duels(bracket, everybody), finals(1, won("zoe", "p01"), won("ann", "p02")))
    assert [duel.upper for duel in played] == ["p01", "p02"]


def count(uppers: Sequence[Name], order: Sequence[Name], forbidden: set[tuple[Name, Name]]) -> int:
    return sum(pair in forbidden for pair in zip(uppers, order, strict=True))


def by_force(
    uppers: Sequence[Name], lowers: Sequence[Name], forbidden: set[tuple[Name, Name]], best: int
) -> list[Name]:
    """Return the first assignment with the fewest rematches in the order each match tries."""

    def tried(order: Sequence[Name]) -> list[int]:
        size = len(lowers)
        wish = [[*range(at, size), *range(at - 1, -1, -1)] for at in range(size)]
        return [wish[at].index(lowers.index(name)) for at, name in enumerate(order)]

    fitting = [order for order in permutations(lowers) if count(uppers, order, forbidden) == best]
    return list(min(fitting, key=tried))
