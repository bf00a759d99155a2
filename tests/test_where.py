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
        (("calendar", "hour"), "bot/services/times/calendars.py: A_MATCH"),
        (("checker", "large"), "bot/site/checker/page.js"),
    ],
)
def test_a_question_names_the_file_that_decides_it(words: tuple[str, ...], found: str) -> None:
    assert found in answer(*words)


def test_other_forms_of_a_word_are_found_where_the_word_itself_is_not() -> None:
    assert "reminded" in answer("reminder", "half time")
    assert "cogs/posting/refusals.py" in answer("tries", "refusals")


def test_where_no_row_has_all_words_the_files_do_in_which_they_stand_nearest() -> None:
    lines = answer("crowd", "bytes").splitlines()
    assert lines[0] == "Files that have all words, nearest to each other first:"
    assert lines[2] == "  file: bot/site/checker/page.js:7"


def test_of_three_words_two_are_enough_where_nothing_has_them_all() -> None:
    assert "bot/site/folder.py: remove_others" in answer("pages", "off", "zzz")


def test_where_no_file_has_all_words_each_is_counted() -> None:
    assert answer("calendar", "zzz") == ""
    assert alone("zzz") == "0 rows have 'zzz', but none has all words. Leave one out, or try another."
    assert alone("calendar") != alone("zzz")


def test_of_many_rows_a_few_are_shown() -> None:
    assert "more: give one more word)" in answer("season")
