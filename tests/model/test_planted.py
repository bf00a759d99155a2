"""Faults put into the product on purpose: lives find them."""

from typing import Any

import pytest

from bot.services.delivery import delivery
from tests.model.faults import FAULTS
from tests.model.planted import found
from tests.model.playing import Failed, Plan, play

SAMPLE = [
    ("act-1", "ohs", 0),
    ("events-1", "ohs", 0),
    ("questions-6", "round-robin", 0),
    ("announcer-2", "lightseekers-swiss", 2),
    ("clock-5", "single-elimination", 0),
    ("storage-1", "ohs", 0),
]
"""Some that are found by the life of this format and seed, or within a few more."""


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_can_be_put_in(name: str) -> None:
    assert FAULTS[name].can_be_put_in


@pytest.mark.long
@pytest.mark.timeout(480)
@pytest.mark.parametrize(("name", "format_", "seed"), SAMPLE)
def test_lives_find_a_fault(name: str, format_: str, seed: int) -> None:
    assert found(FAULTS[name], minutes=5, begin=(format_, seed)) is not None


@pytest.mark.long
def test_a_bot_that_sends_the_same_post_for_ever_fails_its_life(monkeypatch: pytest.MonkeyPatch) -> None:
    def sent(*_: Any, **more: Any) -> bool:
        return True

    monkeypatch.setattr(delivery, "sent", sent)
    with pytest.raises(Failed, match=r"never has nothing to do: .*sent"):
        play(Plan(format="ohs", seed=0))
