"""What a cell means: byes in the words people write, and names that only look like one."""

import pytest

from bot.importers.cells import forfeit_of, says_bye
from tests.importers.test_tables import answered

BYES = [
    "bye", "BYE", "(bye)", "*bye*", "BYE 1", "bye2", "Bye Allocated", "Full Point Bye", "a bye", "Byes", "Spielfrei",
    "freilos", "Exempt", "no opponent", "-", "--", "\N{EM DASH}", "[BYE]",
]  # fmt: skip
NAMES = ["Ann", "Byes Knight", "Abye", "Bye Bye Birdie", "Null", "None", "Goodbye", "", "Freia", "A-B"]


@pytest.mark.parametrize("text", BYES)
def test_a_bye_is_known_by_any_common_word(text: str) -> None:
    assert says_bye(text)


@pytest.mark.parametrize("text", NAMES)
def test_a_name_is_no_bye(text: str) -> None:
    assert not says_bye(text)


@pytest.mark.parametrize("cell", ["1{}!", "+{}x", "1{}1"])
@pytest.mark.parametrize("between", [" ", "½", "\t"])
def test_one_long_cell_keeps_nobody_waiting(cell: str, between: str) -> None:
    """Worked out in the square of its length, this takes longer than a test may."""
    assert forfeit_of(cell.format(150_000 * between)) is None


def test_a_cell_that_says_a_thousand_times_who_won_is_a_problem() -> None:
    found, _ = answered(f"player,opponent,winner\nAnn,Ben,Ann\nCy,Di,Cy{1_500 * ' won'}")
    assert [problem.where for problem in found.problems] == ["Row 3"]
