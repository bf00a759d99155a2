"""The schema of league files: every file that is written is valid, and what it refuses the program refuses too."""

import copy
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.league.checking.league_file.reading import GONE, read
from bot.league.checking.league_file.writing import to_json
from bot.league.checking.verify import verify
from bot.league.errors import InvalidFile
from bot.league.formats import ALL
from bot.league.season.settings import NOT_IN_FILES, SETTINGS
from bot.random_seasons.season import texts
from tests.examples import examples
from tests.league.checking.league_file.examples import EXAMPLE, encoded, places

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[4]
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "league-file.schema.json").read_text(encoding="utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)
FILES = sorted((ROOT / "docs" / "league-files").glob("*.json"))
FORMATS = [format_.key for format_ in ALL]

FULL = EXAMPLE | {
    "settings": {"cut": 8, "lists": {}, "points": {}, "rating": {}},
    "format": "record",
    "sat_out": [{"name": "dok", "round": 2}],
    "substitutes": [{"seat": "dok", "player": "Q", "round": 2}],
    "lists": [{"name": "dok", "number": 1, "sha256": "0" * 64}],
    "apart": [{"players": ["dok", "Zoë"], "round": 1}],
    "sealed": {"commitment": "0" * 64},
    "final": {
        "ended": "finished",
        "standings": [
            {"rank": 1, "name": "dok", "points": 1, "wins": 1, "losses": 0, "draws": 0, "byes": 1, "tiebreaks": {}}
        ],
    },
}
"""A file with every kind of object in it."""


def assert_valid(text: str) -> None:
    fault = jsonschema.exceptions.best_match(VALID.iter_errors(json.loads(text)))
    assert fault is None, f"{fault.json_path}: {fault.message}"


def at(data: Any, path: str) -> tuple[Any, Any]:
    """Return what holds the value at `rounds/0/bye`, and its key."""
    *parents, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    for part in parents:
        data = data[part]
    return data, last


def spoilt(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a file with one value of another kind, taken out, or with an unknown field beside it."""
    for path in places(data):
        for value in (..., None, 2.5, []):
            copied = copy.deepcopy(data)
            parent, key = at(copied, path)
            if value is ...:
                del parent[key]
            else:
                parent[key] = value
            yield f"{path} {value!r}", copied


def is_refused(data: dict[str, Any]) -> bool:
    try:
        read(encoded(data))
    except InvalidFile:
        return True
    return False


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_example_of_a_format_is_a_whole_season_as_it_is_written(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    season = read(text.encode())
    assert_valid(text)
    assert to_json(season) == text
    assert season.format == file.stem
    assert verify(season).agrees
    assert season.final is not None


def test_each_format_has_its_example() -> None:
    assert sorted(file.stem for file in FILES) == sorted(FORMATS)


@pytest.mark.long
@pytest.mark.parametrize("format_", FORMATS)
def test_random_seasons_are_valid_when_made_and_when_written(format_: str) -> None:
    for seed in range(examples(20)):
        *_, text = texts(format_, seed)
        assert_valid(text)
        assert_valid(to_json(read(text.encode())))


@pytest.mark.long
def test_what_earlier_versions_exported_is_valid_and_stays_so_when_written_again() -> None:
    for version in ("version_0_2", "version_0_3"):
        files = json.loads(gzip.decompress((ROOT / "tests" / version / "files.gz").read_bytes()))
        assert files
        for data in files.values():
            assert_valid(json.dumps(data))
            assert_valid(to_json(read(encoded(data))))


@pytest.mark.long
def test_the_inputs_of_the_vectors_are_valid() -> None:
    for file in sorted((ROOT / "tests" / "vectors").glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
            assert_valid(json.dumps(case["input"]))


def test_each_object_has_the_fields_of_the_program_and_no_other() -> None:
    assert not is_refused(FULL | {"settings": {}})
    objects = [path for path in places(FULL) if isinstance(at(FULL, path)[0][at(FULL, path)[1]], dict)]
    for path in ("", *(path for path in objects if path != "settings" and not path.endswith("tiebreaks"))):
        data = copy.deepcopy(FULL)
        parent, key = at({"": data}, path) if not path else at(data, path)
        parent[key]["nonsense"] = 1
        with pytest.raises(InvalidFile) as refused:
            read(encoded(data))
        named = re.search(r"the fields here are (.+)$", str(refused.value))
        assert named, f"{path}: {refused.value}"
        faults = [fault for fault in VALID.iter_errors(data) if fault.validator == "additionalProperties"]
        assert [set(fault.schema["properties"]) for fault in faults] == [set(named[1].split(", "))], path


def test_the_settings_are_those_of_files() -> None:
    assert set(SCHEMA["properties"]["settings"]["properties"]) == (set(SETTINGS) - NOT_IN_FILES) | GONE


@pytest.mark.long
def test_what_the_schema_refuses_the_program_refuses() -> None:
    refused = 0
    for change, copied in spoilt(FULL):
        if not VALID.is_valid(copied):
            refused += 1
            assert is_refused(copied), change
    assert refused > 300
