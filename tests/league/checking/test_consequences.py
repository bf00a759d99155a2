"""What a corrected result means for rounds that were already paired on the old one."""

from dataclasses import replace
from random import Random

import pytest

from bot.league.checking import consequences
from bot.league.checking.verify import difference
from bot.league.formats import ALL, by_key
from bot.league.season.model import Kind, Name, Season, Stage
from tests.league.builders import by_chance, play_season, season, with_departure, with_round, won
from tests.league.turmoil import Turmoil


def dropped_in_round_1(*first: str) -> Season:
    """Return a two-loss-out season of three: a dropped in round 1 against b, c had the bye, then b met c."""
    start = with_round(season("two-loss-out", "abc"), won(*first), byes="c")
    return with_round(with_departure(start, "a", 1, after_pairing=True), won("b", "c"))


def test_a_correction_that_turns_a_round_into_a_finals_round_differs() -> None:
    before, after = dropped_in_round_1("b", "a"), dropped_in_round_1("a", "b")
    assert consequences.of_correction(before, after, 1, over=False).regular == (2,)
    assert consequences.rounds_to_mark(before, (2,)) == ()
    assert consequences.rounds_to_mark(after, (2,)) == (2,)


def test_a_correction_that_changes_no_pairing_leaves_later_rounds_alone() -> None:
    before = with_round(season("keyforge-swiss", "abcd", rounds=3, cut=0), won("a", "b"), won("c", "d"))
    after = consequences.corrected(before, 1, replace(won("a", "b"), winner=Name("b")))
    found = consequences.of_correction(before, after, 1, over=False)
    assert (found.regular, found.finals, found.end) == ((), (), None)
    assert "b: 3rd → 1st, now 1–0" in found.moves


def test_a_record_that_changes_is_told_with_the_rank_once_where_that_stays() -> None:
    before = with_round(season("keyforge-swiss", "ab", rounds=2, cut=0), won("a", "b"))
    before = with_round(before, won("a", "b"))
    after = consequences.corrected(before, 2, replace(won("a", "b"), kind=Kind.DOUBLE_LOSS, winner=None))
    moves = consequences.of_correction(before, after, 2, over=False).moves
    assert moves == ("a: 1st, now 1–1",)


def test_a_corrected_regular_result_leaves_finals_alone_that_the_same_players_enter() -> None:
    before = with_round(season("keyforge-swiss", "abcd", rounds=3, cut=2), won("a", "b"), won("c", "d"))
    before = with_round(with_round(before, won("a", "c"), won("b", "d")), won("a", "d"), won("b", "c"))
    before = with_round(before, won("a", "b"), stage=Stage.FINALS)
    after = consequences.corrected(before, 1, replace(won("a", "b"), winner=Name("b")))
    assert consequences.of_correction(before, after, 1, over=False).finals == ()


@pytest.mark.parametrize("key", [format_.key for format_ in ALL])
@pytest.mark.parametrize("seed", range(4))
def test_what_a_correction_upsets_is_what_each_round_by_itself_says(key: str, seed: int) -> None:
    random = Random(f"{key}{seed}")
    before = play_season(season(key, max(9, by_key(key).fewest_players)), by_chance(seed), Turmoil(seed)).season
    round_ = random.choice([one for one in before.rounds if any(match.winner for match in one.matches)])
    match = random.choice([match for match in round_.matches if match.winner])
    turned = replace(match, winner=match.opponent_of(match.winner or match.upper), games=None)
    after = consequences.corrected(before, round_.number, turned)
    found = consequences.of_correction(before, after, round_.number, over=False)
    late = tuple(one.number for one in before.rounds if one.number > round_.number)
    alone = [one.number for one in after.rounds if one.number in late and difference(after, one) is not None]
    assert {*alone} - {*found.regular, *found.finals} == set()
    assert consequences.rounds_to_mark(after, late) == tuple(alone)
