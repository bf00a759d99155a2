"""The house rules that a program can check: sizes, and one name for each module."""

import ast
import re
from collections import Counter
from pathlib import Path

from tests.measures import HOUSE, ROOT, long_files, places, sources

MOST_FILES = 16
MOST_SKIPS = 5
LAYERS = ("storage", "bot/services", "bot/league")
OF_EACH_FORMAT = {"words"}
"""Modules that each format of the rules has."""


def layers_of_names() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for layer in LAYERS:
        for path in sources(layer):
            found.setdefault(path.stem, set()).add(layer)
    return found


def test_no_file_has_more_than_400_lines() -> None:
    assert long_files() == []


def test_no_folder_has_more_files_than_one_can_take_in() -> None:
    counted = Counter(str(path.parent.relative_to(ROOT)) for path in sources(*HOUSE) if path.stem != "__init__")
    assert {folder: count for folder, count in counted.items() if count > MOST_FILES} == {}


def test_a_module_name_means_one_thing_in_all_layers() -> None:
    shared = {name for name, layers in layers_of_names().items() if len(layers) > 1}
    assert shared - {"__init__"} == set()


def test_a_module_name_means_one_thing_within_a_layer() -> None:
    for layer in LAYERS:
        counted = Counter(path.stem for path in sources(layer))
        assert {name for name, count in counted.items() if count > 1} <= OF_EACH_FORMAT | {"__init__"}


def test_formatting_is_left_to_the_formatter() -> None:
    assert len(places(r"# fmt: " + "skip", *HOUSE)) <= MOST_SKIPS


def test_an_act_and_a_look_have_one_door() -> None:
    made = {place.partition(":")[0] for place in places(r"\b(Read)?Transaction\((?!ReadTransaction\):)", *HOUSE)}
    assert made == {"bot/services/base/transaction.py"}


def is_module(parent: str, name: str) -> bool:
    place = ROOT / Path(*parent.split(".")) / name
    return place.is_dir() or place.with_suffix(".py").is_file()


def test_no_module_needs_a_second_name() -> None:
    second = re.compile(r"^\s*(from .+ import .*)?\w+ as \w+", re.MULTILINE)  # most files have none
    renamed = [
        f"{path.relative_to(ROOT)}: {imported.name} as {imported.asname}"
        for path in sources(*HOUSE, "tests")
        if second.search(source := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for imported in node.names
        if imported.asname is not None and is_module(node.module, imported.name)
    ]
    assert renamed == []


def test_one_private_name_of_a_library_is_used_and_the_practice_server_keeps_its_own() -> None:
    """What is expected of it says tests/storage/test_transactions.py; `_value_` and `_replace` are documented.

    `_connection` of discord.py, a name of ours too, is in bot/gateway.py; see tests/wire/test_unreadable_events.py.
    """
    own, used = set[str](), list[tuple[str, str]]()
    for path in sources(*HOUSE):
        if path.is_relative_to(ROOT / "bot" / "practice"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                own.add(node.name)
            elif isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store):
                own.add(node.attr if isinstance(node, ast.Attribute) else node.id)
            elif isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.endswith("_"):
                used.append((str(path.relative_to(ROOT)), node.attr))
    theirs = [(file, name) for file, name in used if name not in own | {"_replace"}]
    assert theirs == [("storage/database.py", "_execute")]
