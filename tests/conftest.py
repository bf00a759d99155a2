"""Settings of the whole suite.

Where NO_SKIPS is set, as `.ci/run` does, a skipped test is a failed one. With `SHARE=2/3` the second third is run.
"""

import gc
import os
from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest

from bot.league.summaries.outlook import look_ahead
from tests import examples, explained
from tests.files import draw_plainly, migrate_once
from tests.marks_shown import no_marks_of_ours_are_shown as no_marks_of_ours_are_shown

MOST_WORKERS = 8
gc.disable()  # until everything is imported and collected, of which nearly nothing is garbage
pytest.register_assert_rewrite("tests.services.reads.read_back")


CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [*range(os.cpu_count() or 1)]
"""The cores there were to run on before a worker stays on one; those of the machine where no system call says it."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Start one worker a core, on which it stays; with what takes long one more, for what waits for other processes."""
    return min(len(CORES), MOST_WORKERS) + (not _is_quick(config))


def _is_quick(config: pytest.Config) -> bool:
    return config.option.markexpr == "not long"


def _stay_on_a_core() -> None:
    """Keep a worker, its threads and its processes on one core: handing over between two takes up to a fifth longer.

    A worker more than there are cores goes where there is time.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    number = len(CORES) if worker is None else int(worker.removeprefix("gw"))
    if number < len(CORES) and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {CORES[number]})


def pytest_configure(config: pytest.Config) -> None:
    _stay_on_a_core()
    usual = examples.PART if _is_quick(config) else examples.ALL
    examples.use(int(os.environ.get("EXAMPLES", usual)))
    config.pluginmanager.register(examples.FirstParameters(), "first parameters")
    config.pluginmanager.register(Slowest(), "slowest")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what may take longest, so that no worker is left with it at the end.

    Each worker begins with an equal part of the list in a row. What is marked `together` begins with one worker. Where
    there is a worker more than cores, it begins with what waits for other processes, and goes on with rules.
    """
    items[:] = share_of(items, os.environ.get("SHARE", "1/1"))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    begun: list[list[pytest.Item]] = [[] for _ in range(workers)]
    has_free_one = workers > len(CORES)
    waiting = {item for item in items if has_free_one and _waits(item)}
    begun[-1] += sorted((item for item in items if item in waiting), key=_longest, reverse=True)
    units: dict[object, list[pytest.Item]] = {}
    for item in items:
        if _longest(item) and item not in waiting:
            units.setdefault(item.path if item.get_closest_marker("together") else item, []).append(item)
    longest = sorted(units.values(), key=lambda unit: _longest(unit[0]), reverse=True)
    for number, unit in enumerate(longest):
        begun[number % max(workers - has_free_one, 1)] += unit
    known = {item for one in begun for item in one}
    others = sorted((item for item in items if item not in known), key=_is_of_rules)
    left = len(items)
    items.clear()
    for number, first in enumerate(begun):
        rest = max(left // (workers - number) - len(first), 0)
        items += first + others[:rest]
        others, left = others[rest:], left - len(first) - len(others[:rest])
    items += others


def _waits(item: pytest.Item) -> bool:
    """Whether a test waits for a browser or for a program that talks to Discord."""
    return item.get_closest_marker("browser") is not None or item.path.parent.name == "wire"


def _is_of_rules(item: pytest.Item) -> bool:
    """Whether a test is one of the many that take next to no time."""
    return "league" in item.path.parts


def share_of(items: list[pytest.Item], share: str) -> list[pytest.Item]:
    """Return every so many-th test, so that what takes long in one file is spread over all shares."""
    number, count = map(int, share.split("/"))
    return items[number - 1 :: count]


def _longest(item: pytest.Item) -> int:
    """Return how many seconds a test may take, 0 where it says nothing of that."""
    marker = item.get_closest_marker("timeout")
    return marker.args[0] if marker else 0


class Slowest:
    """Adds up how long the tests of each file take; with PARTS set, writes it there for `.ci/run` to name them."""

    def __init__(self) -> None:
        self._seconds = Counter[str]()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if (parts := os.environ.get("PARTS")) and not hasattr(session.config, "workerinput"):
            with open(parts, "a", encoding="utf-8") as file:
                file.writelines(f"{round(seconds)} {name}\n" for name, seconds in self._seconds.items())


def pytest_collection_finish() -> None:
    """Don't look for garbage among what was imported, and less often than a program that runs for weeks."""
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)
    gc.enable()


@pytest.fixture(autouse=True)
def no_power_cut(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Don't wait for the disk at each commit: only a power cut would lose it. Processes of their own do wait."""
    if request.node.get_closest_marker("durable") is None:
        monkeypatch.setattr("storage.database.SYNCHRONOUS", "OFF")


@pytest.fixture(autouse=True)
def looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look through the schema of a file as it's opened only where no file with that schema was."""
    monkeypatch.setattr("storage.database.migrate", migrate_once)


@pytest.fixture
def plain_draw(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin seasons with the draw of names alone, whose pairs are the same each time, but for tests of the secret."""
    if request.node.get_closest_marker("sealed") is None:
        draw_plainly(monkeypatch)


@pytest.fixture
def few_endings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an outlook go through so few endings of a season that it takes no time."""
    monkeypatch.setattr("bot.steps.look_ahead", partial(look_ahead, most=1_000))


@pytest.fixture(autouse=True)
def found_by_an_index(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail the test whose bot is the first to run a statement that reads a table that grows from end to end."""
    monkeypatch.setattr("storage.database.Connection", explained.Explained)
    yield
    refused = explained.refused[:]
    explained.refused.clear()
    assert not refused


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say why tests were skipped, each reason in one line, and where those that take long are run."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", []))
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count} skipped: {reason.removeprefix('Skipped: ')}", yellow=True)
    if _is_quick(config):
        terminalreporter.write_line(
            "Left out (`make test-long`): matrices, walks, kills, browsers, late answers, most examples and stories."
        )


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if os.environ.get("NO_SKIPS") and skipped and exitstatus == pytest.ExitCode.OK:
        reporter.write_line(f"{len(skipped)} tests were skipped, and here skipping is failing", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
