"""Both engines side by side: what each answers to league files, and where they differ."""

import atexit
import json
import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO, Any

import playwright

from bot import answers
from bot.league.checking.fingerprints import fingerprints
from bot.league.checking.league_file.reading import read, read_playable
from bot.league.checking.verify import verify
from bot.league.errors import InvalidFile, LeagueError
from bot.league.formats import ALL
from bot.league.season.model import Season
from bot.random_seasons.season import texts

HERE = Path(__file__).parent
CHECK = HERE.parents[1] / "bot" / "site" / "checker" / "check.js"
NODE = Path(playwright.__file__).parent / "driver" / "node"
CLOSE = 2e-9

FORMATS = tuple(format_.key for format_ in ALL)
IN_LISTS = tuple(format_.key for format_ in ALL if not format_.fixed_rounds)
"""The formats that pair lists of players by results, step by step."""
OPEN = "open"
"""Round robins whose matches are all open at once, each also as it was while some were."""
KINDS = (*FORMATS, OPEN)


@cache
def _checker(process_id: int) -> tuple[IO[str], IO[str]]:
    """Start a checker that answers until this process ends: to start another takes longer than most answers."""
    process = subprocess.Popen(
        [NODE, HERE / "answer.js"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdin is not None
    assert process.stdout is not None
    atexit.register(process.communicate)
    return process.stdin, process.stdout


def answered(texts: Iterable[str]) -> list[dict[str, Any]]:
    """Return what the checker answers to the texts of league files."""
    asks, says = _checker(os.getpid())
    found: list[dict[str, Any]] = []
    for text in texts:
        asks.write(f"{json.dumps(text)}\n")
        asks.flush()
        line = says.readline()
        assert line, "the checker died; what it said is above"
        found.append(json.loads(line))
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two answers agree; numbers may differ by less than 2e-9, and sentences as they like."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = (one.keys() | other.keys()) - {"why", "bye_why"}
        return all(key in one and key in other and same(one[key], other[key]) for key in keys)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, (int, float)) and isinstance(other, float):
        return abs(one - other) < CLOSE
    return one == other


def is_refused(text: str) -> bool:
    """Whether the program has no answer to a league file, because no season can be played with those who take part."""
    try:
        read_playable(text.encode())
    except InvalidFile:
        return True
    return False


def of_program(season: Season) -> dict[str, Any]:
    try:
        pair: Any = answers.next_round(season)
    except LeagueError as problem:
        pair = {"impossible": str(problem)}
    return {"pair": pair, "standings": answers.standings_list(season)}


def difference(text: str, found: dict[str, Any]) -> str | None:
    """Return what the checker sees otherwise than the program in a league file the program reads, if anything."""
    season = read(text.encode())
    expected = of_program(season)
    if ("impossible" in found["pair"]) != ("impossible" in expected["pair"]):
        return f"pair: {found['pair']} for {expected['pair']}"
    if "impossible" not in expected["pair"] and not same(found["pair"], expected["pair"]):
        return f"pair: {found['pair']} for {expected['pair']}"
    if not same(found["standings"], expected["standings"]):
        rows = zip(found["standings"], expected["standings"], strict=True)
        return f"standings: {next(row for row in rows if not same(*row))}"
    if found["fingerprints"] != list(fingerprints(season)):
        return f"fingerprints: {found['fingerprints']} for {list(fingerprints(season))}"
    judged = verify(season)
    if found["verify"]["fine"] != judged.agrees:
        return f"verify: {found['verify']['lines']} for {judged.lines()}"
    return None


def by_program(format_: str, seeds: range) -> Iterator[tuple[str, str | None]]:
    """Yield seasons of the program with what the checker sees otherwise in them, if anything."""
    played = [text for seed in seeds for text in _of_program(format_, seed)]
    for text, found in zip(played, answered(played), strict=True):
        yield text, f"invalid: {found['invalid']}" if "invalid" in found else difference(text, found)


def _of_program(format_: str, seed: int) -> Iterator[str]:
    """Yield a whole season of the program; before it one of open matches as it was with the most of them."""
    if format_ != OPEN:
        yield list(texts(format_, seed))[-1]
        return
    names = (f"{seed}/{number}" for number in count())
    name = next(name for name in names if '"schedule": "open"' in next(texts("round-robin", name)))
    *running, whole = texts("round-robin", name)
    yield max(running, key=_open_matches)
    yield whole


def _open_matches(text: str) -> int:
    """Return how many matches are open in a league file."""
    return text.count('"open"') - len(re.findall('"schedule": ?"open"', text))


def by_checker(format_: str, seeds: range) -> Iterator[tuple[str, str | None]]:
    """Yield seasons of the checker's own generator with what the program sees otherwise in them, if anything."""
    asked = [NODE, HERE / "generate.js", format_, str(seeds.start), str(seeds.stop)]
    done = subprocess.run(asked, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    played = done.stdout.decode().splitlines()
    running = [text for text in played if _open_matches(text)]
    answers_of = dict(zip(running, answered(running), strict=True))
    for text in played:
        try:
            differences = verify(read(text.encode())).differences
            if not differences and text in answers_of:
                differences = filter(None, [difference(text, answers_of[text])])
        except LeagueError as wrong:
            differences = [f"invalid: {wrong}"]
        yield text, next(iter(differences), None)
