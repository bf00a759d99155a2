"""The database of 0.2, unpacked for a test."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.played_on import Release, db, path

__all__ = ["db", "path"]

NOW = datetime(2026, 4, 16, 13, 30, tzinfo=UTC)
RELEASE = Release(Path(__file__).parent, NOW)


@pytest.fixture
def release() -> Release:
    return RELEASE
