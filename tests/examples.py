"""How much is tried: a part of the examples and parameters where `make test` is quick, all with what takes long."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ALL = 60
PART = 15
"""Of each hundred examples a test names: they are the same ones each time, so that `EXAMPLES=300` tries others."""


def use(count: int) -> None:
    """Try so many examples of each hundred from now on; before test modules are imported."""
    settings.register_profile(
        "fairpair", max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
    )
    settings.load_profile("fairpair")


def mostly_long(values: Iterable[Any], *, quick: int = 1) -> list[Any]:
    """Return parameters that are alike: `make test` tries so many; the others belong to what takes long, none late."""
    others = (pytest.mark.long, pytest.mark.at_once)
    return [pytest.param(value, marks=others if at >= quick else ()) for at, value in enumerate(values)]


class FirstParameters:
    """Takes the other parameters of a test that writes a file for long, unless it says itself what of it is `long`.

    What is worked out without a file, as the rules are, is quick with each.
    """

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Mark them before what takes long is left out."""
        tried = set[tuple[object, str]]()
        for item in items:
            if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
                continue
            test = item.path, item.originalname
            if test in tried and "tmp_path" in item.fixturenames:
                item.add_marker("long")
            if item.get_closest_marker("long") is None:
                tried.add(test)


def all_wanted() -> bool:
    """Whether everything is tried that there is, as with what takes long."""
    return settings().max_examples >= ALL


def examples(number: int) -> int:
    """Return how many of so many examples are tried."""
    return max(number * settings().max_examples // 100, min(number, 3))
