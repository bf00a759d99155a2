"""Divisions from one season to the next: who comes into which by the ladder, and what each player is told of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from bot.league.errors import LeagueError
from bot.league.formats import by_key
from bot.league.formats.round_robin.filling import group_sizes
from bot.league.formats.shared.groups import LadderPlace
from bot.league.formats.shared.words import ordinal
from bot.league.season.choices import Grouping
from bot.league.season.in_words import amount
from bot.league.season.model import Name, Season


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A division to come: who comes into it by the ladder, in its order, then how many newcomers."""

    number: int
    returning: tuple[tuple[Name, LadderPlace], ...]
    newcomers: int

    @property
    def players(self) -> int:
        """How many it has."""
        return len(self.returning) + self.newcomers

    def moving(self) -> Iterator[tuple[str, list[Name]]]:
        """Yield who comes up into it, stays and goes down, each with the word for it; one word where none had any."""
        ways: dict[str, list[Name]] = {"up": [], "stay": [], "down": []}
        for name, place in self.returning:
            came = place.division or self.number
            ways["up" if came > self.number else "down" if came < self.number else "stay"].append(name)
        if all(place.division is None for _, place in self.returning):
            ways = {"by the ladder": ways["stay"]}
        yield from ((way, names) for way, names in ways.items() if names)


def filled(returning: Sequence[tuple[Name, LadderPlace]], newcomers: int, most: int | None) -> tuple[Filled, ...]:
    """Return how divisions of at most so many are filled: first those who return, in the ladder's order."""
    players = len(returning) + newcomers
    ends = accumulate(group_sizes(players, most) if players else [], initial=0)
    return tuple(
        Filled(
            number=number,
            returning=tuple(returning[start:end]),
            newcomers=end - start - len(returning[start:end]),
        )
        for number, (start, end) in enumerate(pairwise(ends), start=1)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A division below the first at the end of a season: its first, and who would go up from it, best first."""

    number: int
    first: Name
    up: tuple[Name, ...]


def ladder_left(season: Season) -> tuple[LadderPlace, ...]:
    """Return the ladder a season in divisions leaves, once all results before its finals are in; else nothing."""
    if season.settings.grouping is not Grouping.DIVISIONS:
        return ()
    try:
        return by_key(season.format).ladder_places(season)
    except LeagueError:
        return ()


def in_ladder(place: LadderPlace) -> str:
    """Return a place and where it leads: `2nd in division 2, up to division 1`."""
    way = f", {'up' if place.steps > 0 else 'down'} to division {place.leads_to}" if place.steps else ""
    return f"{ordinal(place.place)} in division {place.division}{way}"


def ended(season: Season) -> tuple[Ended, ...]:
    """Return the divisions below the first once all their results are in; nothing without divisions."""
    places, up = ladder_left(season), dict[int, list[Name]]()
    for place in places:
        if place.steps > 0 and place.division is not None:
            up.setdefault(place.division, []).append(place.name)
    below = by_key(season.format).group_tables(season)[1:] if places else ()
    return tuple(
        Ended(number=table.number, first=table.counting[0], up=tuple(up.get(table.number, ())))
        for table in below
        if table.counting
    )


def was(place: LadderPlace, *, season: int | None = None) -> str:
    """Return where a player ended: `You were 2nd in division 2`."""
    where = "" if place.division is None else f" in division {place.division}"
    of = f" of season {season}" if season is not None and where else "" if season is None else f" in season {season}"
    last = place.place == place.players > 1 and place.division is not None
    return f"You were {'last' if last else ordinal(place.place)}{where}{of}"


def would_go(place: LadderPlace) -> str:
    """Tell a player at the end of a season where their place leads in the next; nothing without divisions."""
    if place.division is None or place.leads_to is None:
        return ""
    if place.steps:
        way = f"you'd go {'up' if place.steps > 0 else 'down'} to division {place.leads_to} in the next season"
    else:
        way = "you'd stay there in the next season"
    return f"{was(place)}: {way}."


def why_here(place: LadderPlace, division: int, divisions: int, *, season: int) -> str:
    """Tell a player why they begin in a division; `season` is the one they had this place in."""
    before, leads_to = was(place, season=season), place.leads_to
    if place.division is None or leads_to is None:
        return f"{before}, so you begin in division {division}."
    if leads_to > divisions:
        return f"{before}. There {_are(divisions)} now: you're in division {division}."
    way = _way(place.division, division)
    if division < leads_to:
        joined = ", but" if place.steps < 0 else ", and"
        return f"{before}{joined} places were free: {way}."
    if division > leads_to:
        return f"{before}, but there are fewer places above now: {way}."
    return f"{before}: {way}."


def newcomer_here(division: int, divisions: int, *, season: int) -> str:
    """Tell a player who had no place why they begin in a division."""
    others = "divisions are filled" if divisions > 1 else "division is filled"
    return f"You weren't in season {season}. After its players the {others} by rating: you're in division {division}."


def _way(before: int, now: int) -> str:
    if now == before:
        return "you stay"
    return f"{'up' if now < before else 'down'} to division {now}"


def _are(divisions: int) -> str:
    return f"{'is' if divisions == 1 else 'are'} only {amount(divisions, 'division')}"
