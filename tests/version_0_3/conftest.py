"""The database of 0.3.0, unpacked for a test."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.played_on import Release, db, path

__all__ = ["db", "path"]

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
RELEASE = Release(Path(__file__).parent, NOW)


@pytest.fixture
def release() -> Release:
    return RELEASE
