"""Files that somebody changed, and texts that are no JSON: both engines judge them alike, each in its own words."""

import subprocess
import time
import timeit
from collections.abc import Iterator

import pytest

from bot.random_seasons.season import texts
from tests.benchmarks.yardsticks import hashing
from tests.checker.engines import CHECK, NODE
from tests.checker.tampered import CHANGES, REFUSED, by_program, judged_otherwise, tampered
from tests.examples import mostly_long
from tests.planted import ROOT


@pytest.mark.long
def test_changed_files_are_judged_alike() -> None:
    assert list(judged_otherwise(25)) == []


@pytest.mark.long
@pytest.mark.timeout(600)
def test_many_changed_files_are_judged_alike() -> None:
    assert list(judged_otherwise(1_500)) == []


@pytest.mark.long
def test_the_changes_are_of_every_outcome() -> None:
    """Files that only one outcome ever happens to would say little."""
    codes = [by_program(text.encode())[0] for _, text in tampered(100)]
    assert {0, 1, 2} == {*codes}
    assert min(codes.count(code) for code in (0, 1, 2)) > 10


def texts_that_are_broken() -> Iterator[tuple[str, bytes]]:
    whole = list(texts("ohs", 3))[-1]
    season = '"season": 2'
    assert season in whole

    def number(written: str) -> bytes:
        return whole.replace(season, f'"season": {written}', 1).encode()

    def league(written: str, how: str = "utf-8") -> bytes:
        return whole.replace('"league": "', f'"league": "{written}', 1).encode(how, "surrogatepass")

    def before(written: str) -> bytes:
        return whole.replace(season, written + season, 1).encode()

    for written in (
        "NaN",
        "Infinity",
        "-Infinity",
        "2.0",
        "2e0",
        "1e400",
        "-1e400",
        "1e-400",
        "02",
        "+2",
        "0x2",
        "2.",
        ".5",
    ):
        yield written, number(written)
    for written in ("1e", "--2", "True", "None", "undefined", "'2'", '"2"', "9007199254740993", "2,", "2 2", ""):
        yield f"a season of {written}", number(written)
    yield "400 digits", number("1" + "0" * 400)
    yield "a million digits", number("1" * 1_000_000)
    yield "a decimal of a million digits", number("0." + "1" * 1_000_000)
    yield "an exponent of a million digits", number("1e" + "1" * 1_000_000)
    yield "a doubled key", before('"season": 2, ')
    yield "a doubled key with another value", before('"season": 3, ')
    yield "a doubled key, written otherwise", before('"se\\u0061son": 3, ')
    yield "a doubled key inside", whole.replace('"name": ', '"name": "X", "name": ', 1).encode()
    yield "a comment", before("/* hello */ ")
    yield "a comment of a line", b"// hello\n" + whole.encode()
    yield "single quotes", whole.replace('"', "'").encode()
    yield "a comma too many", whole.replace("}]", "},]", 1).encode()
    yield "a key without quotes", whole.replace('"league":', "league:", 1).encode()
    yield "a key that is a number", whole.replace('"league":', "1:", 1).encode()
    yield "a key without a colon", whole.replace('"league":', '"league"', 1).encode()
    for name, sign in (("nul", "\0"), ("line feed", "\n"), ("tab", "\t"), ("unit separator", "\x1f")):
        yield f"a bare {name}", league(sign)
    yield "an escape with no meaning", league("\\x41")
    yield "half an escape", league("\\u12")
    yield "a lone high surrogate", league("\\ud800")
    yield "a lone low surrogate", league("\\udc00x")
    yield "two high surrogates", league("\\ud800\\ud800")
    yield "a surrogate in bytes", league("\ud800")
    yield "Latin-1", league("é", "latin-1")
    yield "overlong bytes", league("?").replace(b"?", b"\xc0\xaf", 1)
    yield "UTF-16", whole.encode("utf-16")
    yield "UTF-16 without a mark", whole.encode("utf-16-le")
    yield "a byte order mark", b"\xef\xbb\xbf" + whole.encode()
    yield "a no-break space before it", "\u00a0".encode() + whole.encode()
    yield "a form feed before it", b"\x0c" + whole.encode()
    yield "empty", b""
    yield "only spaces", b" \n\t "
    yield "text after the end", whole.encode() + b" x"
    yield "two files in one", (whole + whole).encode()
    yield "half a file", whole[: len(whole) // 2].encode()
    yield "without its last sign", whole[:-1].encode()
    yield "100,000 lists deep", b"[" * 100_000
    yield "100,000 objects deep", b'{"a":' * 100_000
    yield "a field 100,000 lists deep", before('"x": ' + "[" * 100_000 + "]" * 100_000 + ", ")
    yield "9 MB", league("x" * 9_000_000)
    yield "9 MB of digits", number("1" * 9_000_000)
    yield "9 MB of quotes", b'"' * 9_000_000
    yield "9 MB of backslashes", league("\\" * 9_000_000)
    for value in ("[]", "null", "1", '"x"', "true", "[" + whole + "]"):
        yield f"no object: {value[:8]}", value.encode()
    for key in ("__proto__", "constructor", "toString", "Season", ""):
        yield f"a field {key}", before(f'"{key}": 1, ')


BROKEN = dict(texts_that_are_broken())
MOST = 100
"""A broken text takes no more than so many times what hashing 10,000 draws takes here at that moment."""


@pytest.mark.parametrize("name", mostly_long(BROKEN, quick=12))
def test_a_broken_text_is_refused_by_both_in_one_line(name: str) -> None:
    least = timeit.timeit(hashing(), timer=time.process_time, number=1)
    began = time.process_time()
    code, said = by_program(BROKEN[name])
    took = time.process_time() - began
    assert (code, said.count("\n")) == (REFUSED, 0)
    assert said
    assert took < MOST * least
    done = subprocess.run(
        [NODE, CHECK, "verify", "-"], input=BROKEN[name], capture_output=True, check=False, timeout=20
    )
    complaint = done.stderr.decode()
    assert (done.returncode, done.stdout, complaint.count("\n")) == (2, b"", 1), complaint[:300]
    assert len(complaint) < 400


def test_the_page_on_checking_says_how_many_ways_and_texts_there_are() -> None:
    page = (ROOT / "docs" / "checking.md").read_text(encoding="utf-8")
    assert f"in one of {len(CHANGES)} ways" in page
    assert f"both engines {len(BROKEN)} texts" in page
