"""Endings to try where there are too many: decided by a draw that anyone can recompute (docs/rules.md, 12)."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from bot.league.formats.staged import StagedFormat
from bot.league.model import Match, Season
from bot.league.outlook.endings import Ending, GiveUp, matches_to_come, onwards, with_results

MOST_TRIED = 100

_DIGITS = 8
"""So many hex digits of the draw decide one match."""


def tried_endings(format_: StagedFormat, season: Season, give_up: GiveUp) -> tuple[Ending, ...]:
    """Return the endings 1 to 100, or as many as there is time for."""
    found: list[Ending] = []
    for number in range(1, MOST_TRIED + 1):
        if give_up():
            break
        found.append(tried(format_, season, number))
    return tuple(found)


def tried(format_: StagedFormat, season: Season, number: int) -> Ending:
    """Return ending `number` of a season with a round to play: every result of a match is as likely as the others."""
    first: tuple[Match, ...] = ()
    now: Season | Ending = season
    draws = _draws(season, number)
    while not isinstance(now, Ending):
        coming = matches_to_come(now)
        results = tuple(one.results[next(draws) % len(one.results)] for one in coming)
        first = first or results
        now = onwards(format_, with_results(now, coming, results))
    return replace(now, results=first)


def _draws(season: Season, number: int) -> Iterator[int]:
    """Yield a number for each match in turn; once a digest is used up, it is hashed itself."""
    text = f"{season.number}/{matches_to_come(season)[0].number}/outlook/{number}"
    while True:
        text = hashlib.sha256(text.encode()).hexdigest()
        for start in range(0, len(text), _DIGITS):
            yield int(text[start : start + _DIGITS], 16)
