"""How a season ended: what a file says of it, compared with the rules (docs/formats/shared.md)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import zip_longest

from bot.league.counting.standings import Standing
from bot.league.errors import LeagueError
from bot.league.formats import by_key
from bot.league.pairing.proposal import Champion, Proposal, Qualified
from bot.league.season.model import Ended, Final, FinalStanding, Name, Season
from bot.league.season.node import one_line, quoted

CLOSE = 2e-9
"""Two values that differ by less agree: engines round in their own ways."""


def decided(season: Season) -> Champion | Qualified | None:
    """Return how the rules end a season; None where a round follows, or where they can't tell."""
    try:
        end = by_key(season.format).next_round(season)
    except LeagueError:
        return None
    return None if isinstance(end, Proposal) else end


def final_of(standings: Iterable[Standing], ended: Ended, champion: Name | None) -> Final:
    """Return how a season with these standings by the rules ended."""
    lines = tuple(map(_line, standings))
    return Final(ended=ended, champion=champion if ended is Ended.RULES else None, standings=lines)


def _line(standing: Standing) -> FinalStanding:
    return FinalStanding(
        rank=standing.rank,
        name=standing.name,
        points=standing.points,
        wins=standing.wins,
        losses=standing.losses,
        draws=standing.draws,
        byes=standing.byes,
        tiebreaks={
            key: float(value) if isinstance(value, Fraction) else value for key, value in standing.tiebreaks.items()
        },
    )


def end_difference(season: Season, final: Final) -> str | None:
    """Return the first place at which the end a file says differs from the rules, if one does."""
    due = map(_line, by_key(season.format).standings(season))
    return _place_difference(due, final.standings) or _champion_difference(season, final)


def _champion_difference(season: Season, final: Final) -> str | None:
    if final.ended is not Ended.RULES:
        return None if final.champion is None else "a season that an organiser ended has no champion"
    try:
        end = by_key(season.format).next_round(season)
    except LeagueError as impossible:
        return f"the rules don't end the season here: {one_line(str(impossible))}"
    if isinstance(end, Proposal):
        return f"by the rules round {end.number} is next, so the season isn't over"
    if end.name == final.champion:
        return None
    return f"the champion is by the rules {_named(end.name)}, in the file {_named(final.champion)}"


def _named(name: Name | None) -> str:
    return "no one" if name is None else quoted(name)


def _place_difference(due: Iterable[FinalStanding], stated: Iterable[FinalStanding]) -> str | None:
    for number, (right, given) in enumerate(zip_longest(due, stated), start=1):
        if right is None or given is None or right.name != given.name:
            names = (_named(None if line is None else line.name) for line in (right, given))
            return "line {} of the standings is by the rules {}, in the file {}".format(number, *names)
        values, others = _values(right), _values(given)
        for which in dict.fromkeys((*values, *others)):
            (_, key), value, other = which, values.get(which), others.get(which)
            if value is None or other is None or abs(value - other) >= CLOSE:
                return f"{key} of {quoted(right.name)} is by the rules {_number(value)}, in the file {_number(other)}"
    return None


def _values(line: FinalStanding) -> Mapping[tuple[str, str], float]:
    """Return the values of a line by their names, a tie-break apart from a column of the same name."""
    counts = ("rank", "points", "wins", "losses", "draws", "byes")
    columns = {("column", key): getattr(line, key) for key in counts}
    return columns | {("tie-break", key): value for key, value in line.tiebreaks.items()}


def _number(value: float | None) -> str:
    return "missing" if value is None else repr(value)
