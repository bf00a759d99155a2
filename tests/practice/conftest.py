"""Tests that drive a browser are skipped where there is none."""

import pytest

from tests.marks_shown import watched as watched
from tests.practice.browser import require_browser


@pytest.fixture(autouse=True)
def browser_where_needed(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("browser") is not None:
        require_browser()
