"""Make recorded seasons of what was found: numbered, by date where the file has no numbers, no one twice in a round."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Protocol

from bot.league.errors import Conflict
from bot.league.formats import by_key
from bot.league.season.match_score import MOST_GAMES
from bot.league.season.model import Entrant, Match, Name, Round, Season
from bot.league.season.settings import SeasonSettings
from bot.moving_in.found import Found, FoundBye, FoundMatch, FoundSeason


class Dated(Protocol):
    """A season that may have a number and dates."""

    @property
    def number(self) -> int | None:
        """The number it says it has."""
        ...

    @property
    def dates(self) -> tuple[date, date] | None:
        """The first and the last day."""
        ...


def free_numbers(seasons: Sequence[Dated], taken: Collection[int] = ()) -> tuple[int, ...]:
    """Return a number for each season: the file's, else those right below the league's first season, by date.

    Raises Conflict for numbers that are taken, and where too few are left below.
    """
    stated = {season.number for season in seasons if season.number is not None}
    doubled = sorted(stated & set(taken))
    if doubled:
        listed = ", ".join(map(str, doubled))
        raise Conflict(f"This league has these seasons already: {listed}. Change their numbers in the file.")
    unnumbered = [index for index, season in enumerate(seasons) if season.number is None]
    below = min(taken, default=len(unnumbered) + len(stated) + 1)
    free = [number for number in range(1, below) if number not in stated]
    if len(unnumbered) > len(free):
        raise Conflict(
            f"The file has {len(unnumbered)} seasons without a number, but {len(free)} numbers are free below "
            f"season {below}. Give the seasons numbers in the file."
        )
    by_date = sorted(unnumbered, key=lambda index: (_first_day(seasons[index]), index))
    given = dict(zip(by_date, free[len(free) - len(unnumbered) :], strict=True))
    return tuple(given[index] if season.number is None else season.number for index, season in enumerate(seasons))


def _first_day(season: Dated) -> date:
    return season.dates[0] if season.dates is not None else date.max


def recorded(found: Found, league: str, numbers: Sequence[int]) -> tuple[Season, ...]:
    """Return the seasons of format `record`, the lowest number first; call it without questions and problems."""
    settings = by_key("record").read_settings({})
    seasons = (
        _recorded(season, league, number, settings) for season, number in zip(found.seasons, numbers, strict=True)
    )
    return tuple(sorted(seasons, key=lambda season: season.number))


def _recorded(season: FoundSeason, league: str, number: int, settings: SeasonSettings) -> Season:
    return Season(
        league=league,
        number=number,
        format="record",
        settings=settings,
        entrants=tuple(Entrant(name=Name(name)) for name in season.people),
        rounds=_rounds(season),
    )


def _rounds(season: FoundSeason) -> tuple[Round, ...]:
    """Return rounds in which nobody plays twice: a second match in one round becomes one of the next."""
    rows: Iterable[FoundMatch | FoundBye] = sorted((*season.matches, *season.byes), key=_order)
    placed, last = list[list[FoundMatch | FoundBye]](), dict[str, int]()
    for row in rows:
        names = row.players if isinstance(row, FoundMatch) else (row.name,)
        position = max((row.round or 1) - 1, *(last.get(name, -1) + 1 for name in names))
        placed.extend([] for _ in range(position + 1 - len(placed)))
        placed[position].append(row)
        last |= dict.fromkeys(names, position)
    return tuple(_round(number, rows) for number, rows in enumerate(filter(None, placed), start=1))


def _order(row: FoundMatch | FoundBye) -> tuple[int, date]:
    day = row.day if isinstance(row, FoundMatch) else None
    return (row.round or 0, (day or date.max) if row.round is None else date.max)


def _round(number: int, rows: Sequence[FoundMatch | FoundBye]) -> Round:
    return Round(
        number=number,
        byes=tuple(Name(row.name) for row in rows if isinstance(row, FoundBye)),
        matches=tuple(
            Match(
                upper=Name(row.players[0]),
                lower=Name(row.players[1]),
                kind=row.kind,
                winner=None if row.winner is None else Name(row.winner),
                games=row.games if row.games is not None and max(row.games) <= MOST_GAMES else None,
            )
            for row in rows
            if isinstance(row, FoundMatch)
        ),
    )
