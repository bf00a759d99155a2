"""What the program takes for a league file: to start, to read it, to rank its players and to verify its rounds."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

from bot import answers
from bot.importers.summary import looked_through
from bot.importers.together import File
from bot.league.checking.league_file import reading
from bot.league.checking.league_file.writing import to_json
from bot.league.checking.verify import verify
from tests.benchmarks.figures import Figure, Row, Task, growth, timed
from tests.benchmarks.seasons import played
from tests.benchmarks.yardsticks import HASHING, hashing, reading_json

LARGE = (10_000, 15)
"""Players and rounds of a large file, of 8 MB."""

LONG = (100, 48)
"""Players and rounds of a long season."""

STARTS = 15


@cache
def _file(key: str, size: int, rounds: int) -> Path:
    path = Path(tempfile.mkdtemp(prefix="fairpair-")) / f"{key}.json"
    path.write_text(to_json(played(key, size, rounds)))
    return path


def _read(key: str, size: int, rounds: int) -> Task:
    path = _file(key, size, rounds)
    return lambda: reading.read(path.read_bytes())


def _standings(key: str) -> Task:
    season = played(key, *LARGE)
    return lambda: json.dumps(answers.standings_list(season), ensure_ascii=False, indent=2)


def ten_thousand_rows() -> bytes:
    """Return a table of 20 seasons with 10,000 matches of 500 people."""
    head = "season,round,player,opponent,winner,score,date"
    rows = [
        f"{at // 500 + 1},{at % 500 // 25 + 1},Player {at % 499},Other {at % 250},Player {at % 499},2-1,2024-02-01"
        for at in range(10_000)
    ]
    return "\n".join([head, *rows]).encode()


def _preview() -> Task:
    """Look through a large table, as the preview of an import does."""
    data = ten_thousand_rows()
    return lambda: looked_through([File(name="old.csv", data=data)])


def _verify(key: str, rounds: int) -> Task:
    season = played(key, LONG[0], rounds)
    return lambda: verify(season)


def _start() -> Figure:
    """Compare the processor time of `pair` on a small file with that of a Python that does nothing."""
    pair, nothing = ["-m", "bot", "pair", str(_file("ohs", 8, 2))], ["-c", "pass"]
    _child(pair)  # this one compiles the modules
    taken = [(_child(pair), _child(nothing)) for _ in range(STARTS)]
    value, empty = (min(times) for times in zip(*taken, strict=True))
    return Figure(title="pair, a small file", value=value, yardstick=empty, against="an empty Python", at_most=4.5)


def _child(arguments: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=_keeping_compiled())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@cache
def _keeping_compiled() -> dict[str, str]:
    """Return an environment in which compiled modules are kept, as they are where the program is installed."""
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**usual, "PYTHONPYCACHEPREFIX": tempfile.mkdtemp(prefix="fairpair-")}


def _of_standings(key: str) -> Row:
    title = f"{key}, standings of 10,000 x 15"
    return timed(title, partial(_standings, key), yardstick=hashing, against=HASHING, at_most=130)


def _of_verify(key: str) -> tuple[Row, Row]:
    once: Callable[[], Task] = partial(_read, key, *LONG)
    title = f"{key}, verify 100 x 48"
    return (
        growth(f"{key}, verify of 100", partial(_verify, key), sizes=(12, 48), at_most=1.5),
        timed(title, partial(_verify, key, LONG[1]), yardstick=once, against="reading the file", at_most=25),
    )


ROWS: tuple[Row, ...] = (
    _start,
    timed(
        "reading a file of 8 MB",
        partial(_read, "ohs", *LARGE),
        yardstick=lambda: reading_json(_file("ohs", *LARGE)),
        against="json.loads",
        at_most=6,
    ),
    timed("a preview of 10,000 rows", _preview, yardstick=hashing, against=HASHING, at_most=50),
    *(_of_standings(key) for key in ("ohs", "keyforge-swiss", "lightseekers-swiss")),
    *(row for key in ("ohs", "keyforge-swiss", "lightseekers-swiss") for row in _of_verify(key)),
)
