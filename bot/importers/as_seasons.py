"""Make recorded seasons of what was found, in rounds in which no one plays twice."""

from collections.abc import Iterable, Sequence
from datetime import date

from bot.importers.found import Found, FoundBye, FoundMatch, FoundSeason
from bot.league.formats import by_key
from bot.league.season.match_score import MOST_GAMES
from bot.league.season.model import Entrant, Match, Name, Round, Season


def recorded(contents: Found, league: str, numbers: Sequence[int]) -> tuple[Season, ...]:
    """Return the seasons of format `record`, the lowest number first; call it without questions and problems."""
    seasons = (_recorded(season, league, number) for season, number in zip(contents.seasons, numbers, strict=True))
    return tuple(sorted(seasons, key=lambda season: season.number))


def _recorded(season: FoundSeason, league: str, number: int) -> Season:
    scores = any(match.score is not None for match in season.matches)
    return Season(
        league=league,
        number=number,
        format="record",
        settings=by_key("record").read_settings({"scores": True} if scores else {}),
        entrants=tuple(Entrant(name=Name(name)) for name in season.people),
        rounds=_rounds(season),
    )


def days_played(season: FoundSeason) -> tuple[tuple[date | None, ...], ...]:
    """Return the day of each match of a season, in the order its rounds have them."""
    return tuple(tuple(row.day for row in rows if isinstance(row, FoundMatch)) for rows in _placed(season))


def _rounds(season: FoundSeason) -> tuple[Round, ...]:
    return tuple(_round(number, rows) for number, rows in enumerate(_placed(season), start=1))


def _placed(season: FoundSeason) -> list[list[FoundMatch | FoundBye]]:
    """Return what rounds have in which nobody plays twice: a second match in one round becomes one of the next."""
    rows: Iterable[FoundMatch | FoundBye] = sorted((*season.matches, *season.byes), key=_order)
    placed, last = list[list[FoundMatch | FoundBye]](), dict[str, int]()
    for row in rows:
        names = row.players if isinstance(row, FoundMatch) else (row.name,)
        position = max((row.round or 1) - 1, *(last.get(name, -1) + 1 for name in names))
        placed.extend([] for _ in range(position + 1 - len(placed)))
        placed[position].append(row)
        last |= dict.fromkeys(names, position)
    return [*filter(None, placed)]


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
                score=row.score,
            )
            for row in rows
            if isinstance(row, FoundMatch)
        ),
    )
