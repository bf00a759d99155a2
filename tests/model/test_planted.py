"""Faults put into the product on purpose: lives find them."""

from typing import Any

import pytest

from bot.services.delivery import delivery
from tests.model.faults import FAULTS
from tests.model.planted import found
from tests.model.playing import Failed, Plan, play

SAMPLE = {"act-1": 0, "events-1": 0, "questions-6": 0, "announcer-2": 2, "clock-5": 0, "storage-1": 0}
"""Some that are found within a few lives, which begin at these seeds."""


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_can_be_put_in(name: str) -> None:
    assert FAULTS[name].can_be_put_in


@pytest.mark.long
@pytest.mark.timeout(480)
@pytest.mark.parametrize(("name", "seed"), SAMPLE.items())
def test_lives_find_a_fault(name: str, seed: int) -> None:
    assert found(FAULTS[name], minutes=5, seed=seed) is not None


@pytest.mark.long
def test_a_bot_that_sends_the_same_post_for_ever_fails_its_life(monkeypatch: pytest.MonkeyPatch) -> None:
    def sent(*_: Any, **more: Any) -> bool:
        return True

    monkeypatch.setattr(delivery, "sent", sent)
    with pytest.raises(Failed, match=r"never has nothing to do: .*sent"):
        play(Plan(format="ohs", seed=0))
