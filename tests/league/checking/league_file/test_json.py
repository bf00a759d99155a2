"""JSON from strangers: every fault of the text itself is one clear line."""

import pytest

from bot.league.checking.league_file.json import LARGEST
from bot.league.checking.league_file.reading import read
from bot.league.errors import InvalidFile
from bot.league.season.node import one_line, quoted

FAULTS = [
    (b"", "", "is empty"),
    (b" \n", "", "is empty"),
    (b"{", "line 1, column 2", "not JSON"),
    (b'{\n"a": 1,\n5}', "line 3, column 1", "not JSON"),
    (b"[] []", "line 1, column 4", "not JSON"),
    (b'{"a": "\n"}', "line 1, column 8", "not JSON"),
    (b"\xef\xbb\xbf{}", "line 1", "byte order mark"),
    ('{"a":1}'.encode("utf-16"), "line 1", "not UTF-8"),
    (b'{"a":1,\n"b":"\xff"}', "line 2", "not UTF-8"),
    (b'{"a":"\xed\xa0\x80"}', "line 1", "not UTF-8"),
    (b"[" * 100_000 + b"]" * 100_000, "", "nested too deeply"),
    (b'{"a":' * 100_000, "", "nested too deeply"),
    (b'{"season": NaN}', "", "NaN is not a number"),
    (b'{"season": -Infinity}', "", "-Infinity is not a number"),
    (b'{"season": 1e999}', "", "too large"),
    (b'{"season": ' + b"9" * 5000 + b"}", "", "thousands of digits"),
    (b'{"a": 1, "a": 2}', "", 'the field "a" appears twice'),
    (b"null", "", "isn't a league file"),
    (b"[]", "", "isn't a league file"),
    (b'"fairpair"', "", "isn't a league file"),
    (b"{}", "", "isn't a league file"),
]


@pytest.mark.parametrize(("data", "place", "words"), FAULTS, ids=[words for _, _, words in FAULTS])
def test_a_fault_of_the_text_is_named(data: bytes, place: str, words: str) -> None:
    with pytest.raises(InvalidFile) as refused:
        read(data)
    assert (refused.value.place, words in refused.value.problem) == (place, True)
    assert len(str(refused.value)) < 200


def test_a_huge_file_is_not_even_parsed() -> None:
    with pytest.raises(InvalidFile, match="larger than 64 MB"):
        read(b" " * (LARGEST + 1))


def test_half_a_character_is_refused() -> None:
    with pytest.raises(InvalidFile, match="half a character"):
        read(b'{"fairpair":1,"league":"\\ud800","season":1,"format":"ohs","players":[]}')


def test_values_are_shown_short_and_on_one_line() -> None:
    assert quoted("a\nb\x1b\u202e\u2028") == '"a\\nb\\u001b\\u202e\\u2028"'
    assert len(quoted("x" * 1000)) == 60
    assert (quoted([1]), quoted({}), quoted(None)) == ("a list", "an object", "null")
    assert one_line("a\r\nb\x00") == "a b\\u0000"
