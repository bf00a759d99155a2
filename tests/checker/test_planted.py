"""Faults put into one engine on purpose: the other finds them."""

import pytest

from tests.checker.faults import CHECKER, PROGRAM
from tests.checker.planted import FAULTS, found
from tests.planted import ROOT

RARE = {"program-26"}
"""Shown by about one of 1,600 seasons of OHS: `python -m tests.checker.planted program-26` looks for long enough."""
SAMPLE = [name for name in sorted(FAULTS)[::12] if name not in RARE]
SHOWN = {
    "checker-31": ("lightseekers-swiss", 0),
    "checker-42": ("single-elimination", 0),
    "checker-64": ("two-loss-out", 98),
    "program-39": ("ohs", 7),
}
"""The format and seed of a season that shows a fault: all are compared from the first on where it no longer does."""


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_can_be_put_in(name: str) -> None:
    assert FAULTS[name].can_be_put_in


@pytest.mark.long
@pytest.mark.parametrize("name", ["program-2", "checker-1"])
def test_the_other_engine_finds_a_salt_that_is_left_out(name: str) -> None:
    assert found(FAULTS[name], most=10) is not None


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", SAMPLE)
def test_the_other_engine_finds_a_fault(name: str) -> None:
    assert found(FAULTS[name], begin=SHOWN.get(name, ("ohs", 0))) is not None


def test_the_page_on_checking_says_how_many_there_are() -> None:
    page = (ROOT / "docs" / "checking.md").read_text(encoding="utf-8")
    assert f"lists {len(FAULTS)} small ones, {len(PROGRAM)} for the program and {len(CHECKER)} for the checker" in page
