"""Seasons in every format in which everyone does what they like: nothing is lost, no one gets more than they may."""

import ast

import pytest

from bot.league.formats import ALL
from tests.measures import ROOT, sources
from tests.model.playing import Plan, play
from tests.model.walk import TALLY

SEEDS = range(12)
"""Enough for each use case to be carried out; `python -m tests.model` walks on."""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("format_", [format_.key for format_ in ALL])
async def test_a_league_holds_whatever_its_people_do(format_: str) -> None:
    for seed in SEEDS:
        await play(Plan(format=format_, seed=seed))


def use_cases() -> set[str]:
    """Return every public function of the services that takes the database and changes something in it."""
    found: set[str] = set()
    for path in sources("bot/services"):
        module = ".".join(path.relative_to(ROOT / "bot/services").with_suffix("").parts)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.AsyncFunctionDef) and not node.name.startswith("_") and _changes(node):
                found.add(f"{module}.{node.name}")
    return found - FRAMES


FRAMES = {"act.act", "act.lead"}
"""What every use case opens."""
OPENINGS = ("db.transaction()", "act(db", "lead(db", "_asked(db")


def _changes(node: ast.AsyncFunctionDef) -> bool:
    first = [argument.arg for argument in node.args.args[:1]]
    return first == ["db"] and any(opening in ast.unparse(node) for opening in OPENINGS)


def test_every_use_case_that_changes_something_was_asked_for_and_nearly_all_carried_out() -> None:
    if not TALLY["walks", "done"]:
        pytest.skip("needs the seasons above, in the same process")
    assert use_cases() - {name for name, _ in TALLY} == set()
    refused = use_cases() - {name for name, outcome in TALLY if outcome == "done"}
    assert len(refused) < len(use_cases()) / 8, refused
