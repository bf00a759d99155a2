"""The ladder a season began with, compared with the season before (docs/formats/round-robin.md)."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from bot.league.checking.fingerprints import fingerprints
from bot.league.errors import LeagueError
from bot.league.formats import by_key
from bot.league.season.model import Name, Season
from bot.league.season.node import one_line, quoted

NOT_COMPARED = "ladder not compared: no given file has that fingerprint"


def ladder_difference(season: Season, others: Iterable[Season]) -> tuple[str | None, str]:
    """Return how a season's ladder differs from what the given season before it says, if it does, and what to note."""
    before = next((other for other in others if _is_before(other, season)), None)
    if before is None:
        return None, NOT_COMPARED
    try:
        due = by_key(before.format).ladder(before)
    except LeagueError as wrong:
        return f"ladder: differs: season {before.number} has none: {one_line(str(wrong))}", ""
    return _compared(_entrants(season, due), _entrants(season, season.ladder or ()), before.number)


def _is_before(other: Season, season: Season) -> bool:
    """Whether this is the season whose last fingerprint the file says."""
    if other.league != season.league or other.number >= season.number:
        return False
    *_, last = fingerprints(other)
    return last == season.ladder_of


def _entrants(season: Season, ladder: Sequence[Name]) -> list[Name]:
    """Return the season's players in a ladder by their names now, each at their better place."""
    former = {name: entrant.name for entrant in season.entrants for name in entrant.former_names}
    called = former | {entrant.name: entrant.name for entrant in season.entrants}
    return list(dict.fromkeys(called[name] for name in ladder if name in called))


def _compared(due: Sequence[Name], stated: Sequence[Name], number: int) -> tuple[str | None, str]:
    for place, (right, given) in enumerate(zip_longest(due, stated), start=1):
        if right != given:
            names = ("no one" if name is None else quoted(name) for name in (right, given))
            return "ladder: differs: place {} is by season {} {}, in the file {}".format(place, number, *names), ""
    return None, f"ladder: as season {number} says"
