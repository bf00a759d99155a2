"""What people type: the processor time of each parser with its worst text, cut as the bot cuts it."""

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.league.errors import LeagueError
from bot.league.match_day import typed_time, weekly_hours, zones
from bot.league.season import match_score, names
from bot.league.season.settings import SETTINGS
from bot.services.lists import list_text
from bot.services.organising import round_maps
from cogs.times.proposing import LONGEST_HOURS
from cogs.ui.commands import LONGEST_TYPED
from cogs.ui.options import dates
from tests.benchmarks.figures import Figure, Row, Task, best_of
from tests.benchmarks.yardsticks import HASHING, hashing

NOW = datetime(2026, 11, 22, 15, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
LONGEST_TEXT = 4000
"""As much as a field of a form takes."""


@dataclass(frozen=True, slots=True)
class Parser:
    """What reads a text, and how long a text it's given at most."""

    read: Callable[[str], Any]
    longest: int = LONGEST_TYPED + 1


def _setting(key: str) -> Parser:
    return Parser(lambda text: SETTINGS[key].typed(text))


PARSERS: Mapping[str, Parser] = {
    "a date": Parser(lambda text: dates.read_date(text, now=NOW, time_zone="Europe/Berlin")),
    "a time of a match": Parser(lambda text: typed_time.read(text, now=NOW, zone=BERLIN)),
    "weekly hours": Parser(weekly_hours.read_hours, LONGEST_HOURS + 1),
    "a time zone": Parser(zones.zone_called),
    "a name": Parser(names.check_name),
    "a name's look-alike": Parser(lambda text: names.look_alike_key(text)),
    "a result": Parser(match_score.read_result),
    "games": Parser(match_score.read_score),
    "a score": Parser(lambda text: match_score.read_scoreline(text, scores=True, best_of=3)),
    "a list": Parser(list_text.clean, LONGEST_TEXT),
    "a link of a deck": Parser(list_text.deck_link, 200),
    "maps": Parser(round_maps.read_maps, LONGEST_TEXT),
    **{f"the setting {key}": _setting(key) for key in ("points", "rating", "lists", "round_ends", "cut", "salt")},
}
_PIECES = (
    *(" ", "\t", "\u3000", "1", "a", ",", ", ", "-", "1d ", "1 ", "mon ", "mon-", "a, ", "\u0301", "\u200b", "\ufdfa"),
    *("\U0001f468\u200d", "1:", "@", "(", '"', "\u2028", "and ", "utc+", ". ", "the 1", "9", "a-", "2-1 "),
)
_STARTS = ("", "1d", "1", "fri", "in 1 h", "2026-12-01", "2026-12-01 18:00", "https://a.b/", "1, ", '1, "')
_ENDS = ("", "1", "x", " 1:00")


def texts(longest: int) -> list[str]:
    """Return texts of a length that a pattern which tries too much would be slow with."""
    return [
        start + (piece * longest)[: longest - len(start) - len(end)] + end
        for piece in _PIECES
        for start in _STARTS
        for end in _ENDS
    ]


def _row(name: str, parser: Parser) -> Row:
    def row() -> Figure:
        worst = max(texts(parser.longest), key=lambda text: _seconds(parser, text))
        value, measured = best_of(_reading(parser, worst), hashing())
        title = f"reading {name}, {parser.longest:,} characters at worst"
        return Figure(title=title, value=value, yardstick=measured, against=HASHING, at_most=0.5)

    return row


def _seconds(parser: Parser, text: str) -> float:
    began = time.process_time()
    _reading(parser, text)()
    return time.process_time() - began


def _reading(parser: Parser, text: str) -> Task:
    def read() -> None:
        with contextlib.suppress(LeagueError):
            parser.read(text)

    return read


ROWS = [_row(name, parser) for name, parser in PARSERS.items()]
