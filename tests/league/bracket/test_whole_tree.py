"""The whole tree of a bracket: complete from its first round on, and every future side says where it comes from."""

from dataclasses import replace

import pytest

from bot.league.bracket.match_names import THIRD_PLACE
from bot.league.bracket.whole_tree import TreeMatch
from bot.league.checking.by_hand import FORGOTTEN
from bot.league.formats import by_key
from bot.league.season.model import Name, Season, Stage
from bot.pictures.tree import State, in_bracket
from tests.league.bracket.test_match_names import bracket, to_the_end
from tests.league.builders import open_match, season, until, with_departure


def tree(of: Season) -> tuple[TreeMatch, ...]:
    return by_key(of.format).tree(of)


def after(over: Season, number: int) -> Season:
    return replace(over, rounds=over.rounds[:number])


@pytest.mark.parametrize("upset", [False, True])
@pytest.mark.parametrize("seeding", ["seeded", "drawn"])
@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 17, 31, 32, 33, 64])
def test_the_tree_is_whole_after_every_round(size: int, seeding: str, upset: bool) -> None:
    over = to_the_end(bracket(size, seeding=seeding, third_place=True), upset=upset)
    names = [name for one in by_key(over.format).round_names(over) for name in one.matches]
    for number in range(1, len(over.rounds) + 1):
        found = tree(after(over, number))
        assert sorted(one.name for one in found) == sorted(names)
        assert [one for one in found if one.match] == [one for one in found if one.round <= number]
        for one in found:
            before = {other.name for other in found if other.round == one.round - 1}
            assert all(slot.source in before for slot in one.slots if slot.source)
            assert all(slot.name or slot.source for slot in one.slots)
            assert all(slot.name for slot in one.slots) or one.round > number


def test_sides_to_come_name_the_match_whose_winner_plays_there() -> None:
    found = {one.name: one for one in tree(after(to_the_end(bracket(10, third_place=True)), 1))}
    assert [slot.name for slot in found["Quarter-final 1"].slots] == ["p01", "p08"]
    assert [slot.source for slot in found["Quarter-final 1"].slots] == [None, "Play-in 2"]
    assert [slot.source for slot in found["Semi-final 1"].slots] == ["Quarter-final 1", "Quarter-final 4"]
    assert [slot.source for slot in found[THIRD_PLACE].slots] == ["Semi-final 1", "Semi-final 2"]


@pytest.mark.parametrize("upset", [False, True])
@pytest.mark.parametrize("size", [4, 8, 10])
def test_each_side_of_the_match_for_third_place_lost_the_semi_final_it_comes_from(size: int, upset: bool) -> None:
    over = to_the_end(bracket(size, third_place=True), upset=upset)
    for number in (len(over.rounds) - 1, len(over.rounds)):
        found = {one.name: one for one in tree(after(over, number))}
        for slot in found[THIRD_PLACE].slots:
            assert slot.source is not None
            semi = found[slot.source]
            assert semi.match is not None
            assert slot.name == semi.match.opponent_of(semi.match.winner or semi.match.upper)


@pytest.mark.parametrize("decided", [0, 1])
def test_the_loser_of_one_semi_final_waits_for_the_loser_of_the_other(decided: int) -> None:
    over = to_the_end(bracket(4, third_place=True))
    semis = over.rounds[0]
    matches = [one if at == decided else open_match(*one.players) for at, one in enumerate(semis.matches)]
    now = replace(over, rounds=(replace(semis, matches=tuple(matches)),))
    third = next(one for one in tree(now) if one.name == THIRD_PLACE)
    assert [slot.name for slot in third.slots] == [["p04", None], [None, "p03"]][decided]
    assert [slot.source for slot in third.slots] == ["Semi-final 1", "Semi-final 2"]


def test_a_player_who_left_is_named_where_their_opponent_has_a_bye() -> None:
    eight = after(to_the_end(bracket(8)), 1)
    over = to_the_end(with_departure(eight, "p01", 2))
    semi = next(one for one in tree(over) if one.name == "Semi-final 1")
    assert (semi.upper.name, semi.lower.name, semi.match, semi.absent) == ("p04", None, None, "p01")


@pytest.mark.parametrize("size", [4, 8])
@pytest.mark.parametrize("left", [0, 1])
def test_who_lost_a_semi_final_is_third_without_a_match_where_the_other_left(size: int, left: int) -> None:
    semis = after(to_the_end(bracket(size, third_place=True)), size.bit_length() - 2)
    losers = [slot.name for slot in next(one for one in tree(semis) if one.name == THIRD_PLACE).slots]
    gone, stays = losers[left], losers[1 - left]
    assert gone is not None
    over = to_the_end(with_departure(semis, gone, len(semis.rounds) + 1))
    third = next(one for one in tree(over) if one.name == THIRD_PLACE)
    assert (third.upper.name, third.lower.name, third.match, third.absent) == (stays, None, None, gone)
    shown = in_bracket(third, {}, {})
    assert (shown.state, shown.winner, shown.note) == (State.BYE, stays, f"{gone} left")


def test_there_is_no_match_for_third_place_where_both_left() -> None:
    semis = after(to_the_end(bracket(8, third_place=True)), 2)
    losers = [slot.name for slot in next(one for one in tree(semis) if one.name == THIRD_PLACE).slots]
    for gone in losers:
        assert gone is not None
        semis = with_departure(semis, gone, 3)
    assert [one.name for one in tree(to_the_end(semis)) if one.round == 3] == ["Final"]


@pytest.mark.parametrize("key", ["ohs", "two-loss-out", "keyforge-swiss", "lightseekers-swiss"])
def test_finals_of_a_staged_season_have_their_tree_and_seeds(key: str) -> None:
    over = to_the_end(season(key, 16, cut=8), upset=True)
    assert len([one for one in tree(over) if one.match]) == 7
    first = next(round_.number for round_ in over.rounds if round_.stage is Stage.FINALS)
    assert tree(until(over, first)) == ()
    assert sorted(by_key(key).seeds(over).values()) == list(range(1, 9))


@pytest.mark.parametrize("size", [5, 6, 7, 9, 11, 13])
def test_every_match_has_a_name_of_its_own_where_a_name_that_was_drawn_is_forgotten(size: int) -> None:
    after_one = after(to_the_end(bracket(size, seeding="drawn")), 1)
    for entrant in after_one.entrants:
        found = tree(forgotten(after_one, entrant.name))
        names = [match.name for match in found]
        assert len({*names}) == len(names)
        sources = [slot.source for match in found for slot in match.slots if slot.source]
        assert len({*sources}) == len(sources)


def forgotten(of: Season, gone: Name) -> Season:
    """Return a season in which a player is called by a number, as after forgetting them."""

    def called(name: Name) -> Name:
        return Name("Player 1") if name == gone else name

    rounds = tuple(
        replace(
            round_,
            byes=tuple(map(called, round_.byes)),
            matches=tuple(
                replace(one, upper=called(one.upper), lower=called(one.lower), winner=one.winner and called(one.winner))
                for one in round_.matches
            ),
            by_hand=FORGOTTEN,
        )
        for round_ in of.rounds
    )
    entrants = tuple(replace(one, name=called(one.name)) for one in of.entrants)
    return replace(of, rounds=rounds, entrants=entrants, forgotten=True)
