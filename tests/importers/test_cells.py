"""What a cell means: byes in the words people write, and names that only look like one."""

import pytest

from bot.importers.cells import says_bye

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
