"""Settings of the whole suite: in CI a skipped test is a failed one."""

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("fairpair", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.load_profile("fairpair")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if os.environ.get("CI") and skipped and exitstatus == pytest.ExitCode.OK:
        reporter.write_line(f"{len(skipped)} tests were skipped, and in CI skipping is failing", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
