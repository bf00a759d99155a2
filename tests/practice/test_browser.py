"""The browser tests find whatever browser a machine has, and say how to get one where there is none."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.practice import browser


@pytest.fixture
def asked_again() -> Iterator[None]:
    browser.has_browser.cache_clear()
    yield
    browser.has_browser.cache_clear()


@pytest.mark.parametrize("name", browser.ON_PATH)
def test_a_browser_is_found_by_any_of_its_names(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert browser.ways()[0] == {"executable_path": str(program)}


@pytest.mark.long
@pytest.mark.browser
def test_a_broken_browser_is_passed_over_for_one_that_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / browser.ON_PATH[0]
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    working = browser.ways()
    monkeypatch.setattr(browser, "ways", lambda: [{"executable_path": str(broken)}, *working])
    with sync_playwright() as playwright:
        found = browser.launched(playwright)
        assert found is not None
        found.close()


@pytest.mark.long
@pytest.mark.usefixtures("asked_again")
def test_without_a_browser_the_tests_are_skipped_with_a_line_that_says_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(browser, "ways", list)
    with pytest.raises(pytest.skip.Exception, match="install Chromium, Chrome or Edge"):
        browser.require_browser()


def test_where_the_driver_of_the_browser_does_not_start_there_is_no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("Connection closed while reading from the driver")

    monkeypatch.setattr(browser, "sync_playwright", broken)
    monkeypatch.setattr(browser, "has_browser", browser.has_browser.__wrapped__)
    with pytest.raises(pytest.skip.Exception, match="install Chromium, Chrome or Edge"):
        browser.require_browser()


@pytest.mark.long
@pytest.mark.parametrize(("environment", "code"), [({}, 0), ({"NO_SKIPS": "1"}, 1)])
def test_only_where_skips_are_forbidden_is_a_skip_a_failure(
    environment: dict[str, str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_skipped.py").write_text("import pytest\n\n\ndef test_it():\n    pytest.skip('not here')\n")
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_sessionfinish\n")
    monkeypatch.delenv("NO_SKIPS", raising=False)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(browser.ROOT), **environment},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == code, run.stdout
    assert "1 skipped" in run.stdout
