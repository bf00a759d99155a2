"""`python -m tests.where` answers "where is ...?" by the words someone would choose."""

import pytest

from tests.where import alone, answer

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("problem asked", "cancelled"), "done by: bot/services/seasons/lifecycle.py: cancel"),
        (("tie", "silence"), "bot/services/ties/open_ties.py"),
        (("ban", "forgotten"), "storage/tables/people/bans.py: forget_person"),
        (("pages", "off"), "bot/site/folder.py: remove_others"),
    ],
)
def test_a_question_names_the_file_that_decides_it(words: tuple[str, ...], found: str) -> None:
    assert found in answer(*words)


def test_other_forms_of_a_word_are_found_where_the_word_itself_is_not() -> None:
    assert "reminded" in answer("reminder", "half time")


def test_where_no_row_has_all_words_each_is_counted() -> None:
    assert answer("calendar", "font") == ""
    assert alone("zzz") == "0 rows have 'zzz', but none has all words. Leave one out, or try another."
    assert alone("calendar") != alone("zzz")


def test_of_many_rows_a_few_are_shown() -> None:
    assert "more: give one more word)" in answer("season")
