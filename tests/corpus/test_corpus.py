"""The corpus: both engines answer as it says, everything rare is in it, and its check notices another answer."""

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bot.league.checking.fingerprints import fingerprints
from bot.league.checking.league_file.reading import read
from bot.league.checking.verify import verify
from tests.checker.engines import FORMATS, NODE, of_program, same
from tests.corpus.__main__ import FILE, OF_EACH, RARE, without_sentences
from tests.examples import examples

LINES: list[dict[str, Any]] = [json.loads(line) for line in gzip.decompress(FILE.read_bytes()).decode().splitlines()]


def checked(path: Path = FILE) -> tuple[int, list[str]]:
    """Return the exit code of the check without Python, and what it says."""
    asked = [NODE, Path(__file__).with_name("check.js"), path]
    done = subprocess.run(asked, capture_output=True, text=True, encoding="utf-8", check=False)
    assert not done.stderr
    return done.returncode, done.stdout.splitlines()


@pytest.mark.long
def test_javascript_alone_answers_as_the_corpus_says() -> None:
    assert checked() == (0, [f"{len(LINES)} league files, 0 with another answer"])


@pytest.mark.long
def test_the_program_answers_as_the_corpus_says() -> None:
    for line in LINES[: examples(len(LINES))]:
        season = read(json.dumps(line["file"]).encode())
        answers = of_program(season)
        found = answers | {"fingerprints": list(fingerprints(season)), "verify": verify(season).agrees}
        found["pair"] = without_sentences(answers["pair"])
        assert same(json.loads(json.dumps(found)), line["answers"]), line["id"]


def test_it_has_as_many_of_each_format_and_something_of_all_that_is_rare() -> None:
    formats = [line["file"]["format"] for line in LINES]
    assert {format_: formats.count(format_) for format_ in FORMATS} == dict.fromkeys(FORMATS, OF_EACH)
    there = {name for line in LINES for name in line["has"]}
    assert {*RARE, "no pairing possible", "no champion", "rematch", "equal at the cut"} == there


@pytest.mark.long
def test_another_answer_is_noticed(tmp_path: Path) -> None:
    first, second = json.loads(json.dumps(LINES[:2]))
    first["answers"]["standings"][0]["rating"]["mu"] += 1e-8
    second["answers"]["standings"][0]["rating"]["mu"] += 1e-10
    path = tmp_path / "corpus.jsonl.gz"
    path.write_bytes(gzip.compress("".join(f"{json.dumps(line)}\n" for line in (first, second)).encode()))
    assert checked(path) == (
        1,
        [f"{first['id']}: another answer: standings", "2 league files, 1 with another answer"],
    )
