"""How long a reader's browser takes to check a season, from opening its page until it says what it found."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from playwright.sync_api import Page, sync_playwright

from bot.league.checking.league_file.writing import to_json
from bot.league.formats import ALL, by_key
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import Entrant, Kind, Match, Name, Round, Season
from bot.site.pages import CHECKER, check_page, season_script
from tests.benchmarks.figures import RUNS, Figure, Row
from tests.league.builders import as_round
from tests.practice.browser import has_browser, launched

SIZE = 32


def played_out(key: str, size: int = SIZE) -> Season:
    """Return a whole season by the rules, whose results fall by chance."""
    random, format_ = Random(size), by_key(key)
    names = tuple(Entrant(name=Name(f"Player {number:05}")) for number in range(size))
    settings = format_.read_settings({})
    season = Season(league="Benchmark", number=1, format=key, settings=settings, entrants=names)
    while isinstance(proposal := format_.next_round(season), Proposal):
        season = replace(season, rounds=(*season.rounds, _by_chance(as_round(proposal), random)))
    return season


def _by_chance(matched: Round, random: Random) -> Round:
    return replace(matched, matches=tuple(_won(match, random) for match in matched.matches))


def _won(match: Match, random: Random) -> Match:
    return replace(match, winner=random.choice(match.players), kind=Kind.PLAYED)


def as_folder(season: Season) -> Path:
    """Return the page of a season's check, in a folder as a league's pages have it."""
    folder = Path(tempfile.mkdtemp(prefix="fairpair-"))
    shutil.copytree(CHECKER, folder / "checker")
    page = folder / "season-1" / "check.html"
    page.parent.mkdir()
    page.write_text(check_page((CHECKER / "check.html").read_text(encoding="utf-8")), encoding="utf-8")
    page.with_name("season.js").write_bytes(season_script(to_json(season).encode(), "season-1.json"))
    return page


def _seconds(page: Page, address: str) -> float:
    began = time.perf_counter()
    page.goto(address)
    page.wait_for_selector("body[data-state=done]")
    return time.perf_counter() - began


def _checked(key: str) -> Figure:
    address = as_folder(played_out(key)).as_uri()
    with sync_playwright() as playwright:
        browser = launched(playwright)
        assert browser is not None
        value = min(_seconds(browser.new_page(), address) for _ in range(RUNS))
        browser.close()
    title = f"{key}: a season of {SIZE} checked in a browser"
    return Figure(title=title, value=value, yardstick=1, against="the second it may take", at_most=1)


def _rows() -> Iterator[Row]:
    if has_browser():
        for format_ in ALL:
            yield partial(_checked, format_.key)


ROWS = tuple(_rows())
