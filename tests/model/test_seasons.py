"""Seasons in every format in which everyone does what they like: nothing is lost, no one gets more than they may."""

import ast
import re

import pytest

from bot.league.formats import ALL
from tests.measures import ROOT, sources
from tests.model.playing import Plan, play
from tests.model.walk import TALLY

SEEDS = range(20)
"""Enough for each use case to be carried out; `python -m tests.model` walks on."""


@pytest.mark.parametrize("format_", [format_.key for format_ in ALL])
async def test_a_league_holds_whatever_its_people_do(format_: str) -> None:
    await play(Plan(format=format_, seed=SEEDS[0]))


@pytest.mark.long
@pytest.mark.timeout(1200)
async def test_leagues_hold_and_every_use_case_was_asked_for_and_nearly_all_carried_out() -> None:
    for seed in SEEDS:
        for format_ in ALL:
            await play(Plan(format=format_.key, seed=seed))
    assert use_cases() - {name for name, _ in TALLY} == set()
    refused = use_cases() - {name for name, outcome in TALLY if outcome == "done"}
    assert len(refused) < len(use_cases()) / 8, refused


def use_cases() -> set[str]:
    """Return every public function of the services that takes the database and changes something in it."""
    found: set[str] = set()
    for path in sources("bot/services"):
        module = ".".join(path.relative_to(ROOT / "bot/services").with_suffix("").parts)
        functions = _functions(path.read_text(encoding="utf-8"))
        public = (name for name, node in functions.items() if not name.startswith("_") and _takes_database(node))
        found.update(f"{module}.{name}" for name in public if _changes(functions, name, set()))
    return found - FRAMES


def _functions(source: str) -> dict[str, ast.AsyncFunctionDef]:
    return {node.name: node for node in ast.parse(source).body if isinstance(node, ast.AsyncFunctionDef)}


FRAMES = {"base.act.act", "base.act.lead"}
"""What every use case opens."""
OPENINGS = ("db.transaction()", "act(db", "lead(db", "_asked(db")


def _takes_database(node: ast.AsyncFunctionDef) -> bool:
    return [argument.arg for argument in node.args.args[:1]] == ["db"]


def _changes(functions: dict[str, ast.AsyncFunctionDef], name: str, seen: set[str]) -> bool:
    """Whether a function opens a transaction, itself or through another of its module."""
    if name in seen:
        return False
    source = ast.unparse(functions[name])
    called = [other for other in functions if other != name and re.search(rf"(?<![.\w]){other}\(", source)]
    return any(opening in source for opening in OPENINGS) or any(
        _changes(functions, other, seen | {name}) for other in called
    )
