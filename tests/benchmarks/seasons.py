"""What the next round and the standings of a large season cost, format by format."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from random import Random

from bot.league.formats import ALL, by_key
from bot.league.pairing.proposal import Proposal
from bot.league.season.model import Entrant, Kind, Match, Name, Round, Season
from tests.benchmarks.figures import Row, Task, timed
from tests.benchmarks.yardsticks import HASHING, hashing
from tests.league.builders import as_round

PLAYED = {
    "ohs": 3,
    "keyforge-swiss": 15,
    "lightseekers-swiss": 15,
    "two-loss-out": 5,
    "single-elimination": 5,
    "round-robin": 3,
}
"""How many rounds are played before the round that is measured."""

BY_THE_RULES = ("two-loss-out", "single-elimination", "round-robin")
"""Formats that have to be played by their own rules; in the others anybody may meet anybody."""
GROUP = 6
"""Players in a group, where a format has groups."""


def next_round(key: str) -> Callable[[int], Task]:
    """Pair one more round."""
    return lambda size: lambda: by_key(key).next_round(played(key, size, PLAYED[key]))


def standings(key: str) -> Callable[[int], Task]:
    """Rank everybody."""
    return lambda size: lambda: by_key(key).standings(played(key, size, PLAYED[key]))


@cache
def played(key: str, size: int, rounds: int) -> Season:
    """Return a season of so many players after so many rounds, with one more to come."""
    random, format_ = Random(size), by_key(key)
    chosen = {"rounds": rounds + 1} if "rounds" in format_.own_settings else {}
    chosen |= {"group_size": GROUP} if format_.in_groups else {}
    season = Season(
        league="Benchmark",
        number=1,
        format=key,
        settings=format_.read_settings(chosen),
        entrants=tuple(Entrant(name=Name(f"p{number:05}")) for number in range(size)),
    )
    for number in range(1, rounds + 1):
        matched = _by_the_rules(season) if key in BY_THE_RULES else _by_chance(season, number, random)
        results = tuple(_won(match, random) for match in matched.matches)
        season = replace(season, rounds=(*season.rounds, replace(matched, matches=results)))
    return season


def _by_the_rules(season: Season) -> Round:
    proposal = by_key(season.format).next_round(season)
    assert isinstance(proposal, Proposal)
    return as_round(proposal)


def _by_chance(season: Season, number: int, random: Random) -> Round:
    order = [entrant.name for entrant in season.entrants]
    random.shuffle(order)
    pairs = zip(order[::2], order[1::2], strict=True)
    return Round(number=number, matches=tuple(Match(upper=upper, lower=lower) for upper, lower in pairs))


def _won(match: Match, random: Random) -> Match:
    first = random.random() < 0.5
    games = (2, random.randrange(2)) if first else (random.randrange(2), 2)
    return replace(match, kind=Kind.PLAYED, winner=match.players[not first], games=games)


def _row(title: str, task: Callable[[int], Task]) -> Row:
    return timed(f"{title}, 10,000", partial(task, 10_000), yardstick=hashing, against=HASHING, at_most=125)


ROWS: tuple[Row, ...] = (
    *(_row(f"{format_.key}, a round", next_round(format_.key)) for format_ in ALL),
    *(_row(f"{format_.key}, standings", standings(format_.key)) for format_ in ALL),
)
