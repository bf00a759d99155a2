"""A person at the practice page in a real Chromium, who knows nothing but what the page says."""

import contextlib
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Locator, Page, Playwright, expect, sync_playwright

from tests.ports import reserved_port

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ON_PATH = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "msedge",
)
CHANNELS = ("chrome", "msedge")
"""Where Playwright itself looks for browsers that have their own installer, on every system."""
NO_BROWSER = "no browser: install Chromium, Chrome or Edge, or run `.venv/bin/python -m playwright install chromium`"

ROOT = Path(__file__).parents[2]
_SLOW = 60_000  # milliseconds: what a busy machine may take
_LOOK_EVERY = 100  # milliseconds: Playwright would look at each frame, and have the page drawn sixty times a second

AXE: dict[str, Any] = {"preload": False, "resultTypes": ["violations"]}
"""How axe-core looks: it loads nothing, and reports in full what is wrong alone, by all its rules."""

_AT_REST = """() => {
    const page = window.simcordPreview;
    const timeline = document.getElementById("channel-timeline");
    if (!timeline) return false;  // the page is being loaded again
    const seen = (timeline.dataset.place || "").endsWith(page?.viewerId)
        && timeline.dataset.height === String(timeline.scrollHeight);
    return page?.ready && !page.pendingAction && page.awaitingRevision === null && seen;
}"""

_WIDTHS = """() => {
    const inside = document.querySelectorAll("#channel-timeline pre, [role=dialog], .preview-toolbar *");
    return [document.scrollingElement, document.getElementById("channel-timeline"), ...inside].map((part) =>
        Math.max(part.scrollWidth - part.clientWidth, Math.ceil(part.getBoundingClientRect().right) - innerWidth));
}"""

expect.set_options(timeout=_SLOW)


class Server:
    """A practice server as a process of its own."""

    def __init__(self, folder: Path, *program: str) -> None:
        self._folder = folder
        self._program = program
        self._process: subprocess.Popen[str] | None = None
        self.environment = {key: value for key, value in os.environ.items() if key != "DISCORD_TOKEN"}
        self.environment |= {
            "DATABASE": str(folder / "league.db"),
            "PYTHONPATH": str(ROOT),
            "LOG_LEVEL": "WARNING",
        }
        self.address = ""
        self.said: list[str] = []

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", *self._program],
            cwd=self._folder,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.address = self._wait_for(r"http://\S+")

    def tell(self, line: str, answer: str) -> None:
        """Send the program a line, and wait until it prints the answer."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        self._wait_for(answer)

    def _wait_for(self, pattern: str) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(line)
            if found := re.search(pattern, line):
                return found[0]
        raise AssertionError(f"the server never printed {pattern}")

    def program(self, *arguments: str, database: str = "league.db") -> subprocess.CompletedProcess[str]:
        """Run the program once more, beside the server."""
        return subprocess.run(
            [sys.executable, "-m", "bot", *arguments],
            cwd=self._folder,
            env={**self.environment, "DATABASE": str(self._folder / database)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        assert self._process is not None
        self._process.send_signal(how)
        code = self._process.wait(30)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        return code


@contextmanager
def serving(folder: Path, *arguments: str) -> Generator[Server]:
    """Run the practice server."""
    with running(folder, "bot", "practice", "--port", str(reserved_port()), *arguments) as server:
        yield server


@contextmanager
def running(folder: Path, *program: str) -> Generator[Server]:
    """Run a program that prints the address of its page."""
    server = Server(folder, *program)
    server.start()
    try:
        yield server
    finally:
        server.end()


def ways() -> list[dict[str, Any]]:
    """Return how a browser could be started: those on the path, Playwright's own, then those with an installer."""
    on_path = [{"executable_path": found} for name in ON_PATH if (found := shutil.which(name))]
    return [*on_path, {}, *({"channel": channel} for channel in CHANNELS)]


def launched(playwright: Playwright) -> Browser | None:
    """Start the first browser of the Chromium family that this machine has."""
    for way in ways():
        with contextlib.suppress(Error):
            return playwright.chromium.launch(args=FLAGS, **way)
    return None


def require_browser() -> None:
    """Skip the test where there is no browser; the skip says how to get one."""
    if not has_browser():
        pytest.skip(NO_BROWSER)


@functools.cache
def has_browser() -> bool:
    """Return whether a browser starts; where Playwright's own driver doesn't, for want of a library, none does."""
    try:
        with sync_playwright() as playwright:
            browser = launched(playwright)
            if browser is not None:
                browser.close()
            return browser is not None
    except Exception:
        return False


@contextmanager
def opened() -> Generator[Browser]:
    """Open a browser."""
    with sync_playwright() as playwright:
        browser = launched(playwright)
        assert browser is not None, NO_BROWSER
        try:
            yield browser
        finally:
            browser.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Open one browser for all tests of a module that share it; while it's open, this thread runs no other loop."""
    require_browser()
    with opened() as browser:
        yield browser


@contextmanager
def browsing(
    address: str, browser: Browser | None = None, *, width: int = 1280, height: int = 800, sharpness: int = 1
) -> Generator["Person"]:
    """Go to a page as a new person, in a browser of their own where none is given."""
    size: Any = {"viewport": {"width": width, "height": height}, "device_scale_factor": sharpness}
    with (
        contextlib.nullcontext(browser) if browser else opened() as shared,
        contextlib.closing(shared.new_page(**size)) as page,
    ):
        page.set_default_timeout(_SLOW)
        page.goto(address)
        yield Person(page)


class Person:
    """Someone who chooses whom to act as, opens channels, types commands and presses buttons."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.posts = page.locator("#channel-message-list .channel-message")
        self.settle()

    def settle(self) -> None:
        """Wait until the page has done what was asked of it, and has done it well."""
        self.page.wait_for_function(_AT_REST, polling=_LOOK_EVERY)
        expect(self.page.locator("#action-status.is-trouble")).to_have_count(0)

    def act_as(self, name: str) -> None:
        people = self.page.get_by_label("Acting as")
        person = people.get_by_role("option", name=name, exact=True).get_attribute("value")
        people.select_option(label=name)
        self.page.wait_for_function("id => window.simcordPreview?.viewerId === id", arg=person, polling=_LOOK_EVERY)
        self.settle()

    def open(self, channel: str) -> None:
        self.page.get_by_role("navigation", name="Channels").get_by_role("button", name=channel).click()
        shown = channel.lstrip("#") if channel.startswith("#") else "Fairpair"  # whom one writes with
        expect(self.page.locator("#channel-name")).to_have_text(shown)
        self.settle()

    def move_clock(self, ahead: str) -> None:
        """Choose how far the practice server's clock moves ahead."""
        clock = self.page.get_by_label("Practice time")
        before = clock.locator("option").first.inner_text()
        clock.select_option(label=ahead)
        expect(clock.locator("option").first).not_to_have_text(before)
        self.settle()

    def widths(self) -> list[int]:
        """Return how far the page and its messages reach beyond their right edge, in pixels."""
        return self.page.evaluate(_WIDTHS)

    def type(self, command: str, *choices: str) -> None:
        """Type a command, choose it from the list, and give each option it asks for."""
        composer = self.page.locator("#channel-composer-input")
        offered = self.page.locator("[id^=command-] [role=option]").first
        composer.click()
        composer.press_sequentially(command)
        expect(offered).to_contain_text(command)
        self.page.keyboard.press("Enter")
        for choice in choices:
            self.page.keyboard.type(choice)
            expect(offered).to_contain_text(choice, ignore_case=True)
            self.page.keyboard.press("Enter")
        self.page.get_by_role("button", name=re.compile("^(Send|Run)")).click()
        self.settle()

    def say(self, words: str) -> None:
        composer = self.page.locator("#channel-composer-input")
        composer.fill(words)
        composer.press("Enter")
        expect(self.posts.last).to_contain_text(words)
        self.settle()

    def fill_in(self, label: str, words: str) -> None:
        """Fill in the form that has opened, and send it."""
        form = self.page.get_by_role("dialog")
        form.get_by_label(label).fill(words)
        form.get_by_role("button", name="Submit").click()
        expect(form).to_be_hidden()
        self.settle()

    def fill_in_all(self, answers: Mapping[str, str]) -> None:
        """Fill in the form that has opened, by the labels of its fields, choose what is offered there, and send it."""
        form = self.page.get_by_role("dialog")
        for label, words in answers.items():
            choice = form.get_by_role("radio", name=re.compile(f"^{re.escape(words)}"))
            if choice.count():
                choice.first.check()
            else:
                form.get_by_label(label).fill(words)
        form.get_by_role("button", name="Submit").click()
        expect(form).to_be_hidden()
        self.settle()

    def choose(self, answer: str) -> None:
        """Choose the first answer that begins so in the form that has opened, and send it."""
        form = self.page.get_by_role("dialog")
        form.get_by_role("radio", name=re.compile(f"^{answer}")).first.check()
        form.get_by_role("button", name="Submit").click()
        expect(form).to_be_hidden()
        self.settle()

    def pick(self, *options: str) -> None:
        """Open the newest select, and choose the options that begin so; without any it stays open."""
        select = self.posts.locator(".preview-select").last
        select.get_by_role("combobox").click()
        if not options:
            return
        for option in options:
            select.get_by_role("option", name=re.compile(f"^{re.escape(option)}")).first.click()
        if select.get_by_role("listbox").get_attribute("aria-multiselectable") == "true":
            select.get_by_role("combobox").click()
        self.settle()

    def press(self, label: str, where: Locator | None = None) -> None:
        post = where if where is not None else self.posts
        post.get_by_role("button", name=label, exact=True).last.click()
        self.settle()
