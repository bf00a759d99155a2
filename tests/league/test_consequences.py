"""What a corrected result means for rounds that were already paired on the old one."""

from dataclasses import replace

from bot.league import consequences
from bot.league.model import Name, Season
from tests.league.builders import season, with_departure, with_round, won


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
    assert "b: rank 3 to 1, now 1-0" in found.moves
