"""Berger tables: who meets in which round, the calendar of a season's groups, and what the tables say as a reason.

See the FIDE Handbook, C.05, Annex 1.
"""

from collections.abc import Iterator, Sequence

from bot.league.formats.round_robin.filling import Group
from bot.league.formats.shared.groups import Calendar, GroupRound
from bot.league.pairing.in_short import tell
from bot.league.pairing.reasons import Reason

Meeting = tuple[int, int]
"""Two numbers that meet, the upper player's first."""


def rounds_of(players: int) -> int:
    """Return how many rounds the table of so many players has."""
    return _numbers(players) - 1


def table_round(players: int, number: int) -> tuple[Meeting, ...]:
    """Return which numbers meet in a round of the table; of an odd number of players one rests."""
    numbers, pivot = _numbers(players), _meets_highest(players, number)
    first = (pivot, numbers) if number % 2 else (numbers, pivot)
    others = ((_around(pivot + step, numbers), _around(pivot - step, numbers)) for step in range(1, numbers // 2))
    return tuple(both for both in (first, *others) if max(both) <= players)


def season_round(players: int, meetings: int, number: int) -> tuple[Meeting, ...]:
    """Return which numbers meet in a round of a season; in the second table upper and lower are exchanged."""
    times, at = divmod(number - 1, rounds_of(players))
    if times >= meetings:
        return ()
    pairs = table_round(players, at + 1)
    return tuple((lower, upper) for upper, lower in pairs) if times % 2 else pairs


def resting(players: int, meetings: int, number: int) -> int | None:
    """Return the number that rests in a round of a season: its opponent would be the number no one has."""
    times, at = divmod(number - 1, rounds_of(players))
    return _meets_highest(players, at + 1) if players % 2 and times < meetings else None


def _meets_highest(players: int, number: int) -> int:
    """Return the number that the highest one meets in a round of the table."""
    return (number + 1) // 2 if number % 2 else (_numbers(players) + number) // 2


def _numbers(players: int) -> int:
    """Return how many numbers the table has: the highest means a rest where players are odd."""
    return players + players % 2


def _around(number: int, numbers: int) -> int:
    """Return a number as one of those that go round: all but the highest."""
    return (number - 1) % (numbers - 1) + 1


def calendar_of(groups: Sequence[Group], called: Sequence[str], meetings: int, rounds: int) -> Calendar:
    """Return each round of a season by groups, which are `called` so."""

    def round_(number: int) -> Iterator[GroupRound]:
        for group, name in zip(groups, called, strict=True):
            rests = resting(len(group), meetings, number)
            pairs = season_round(len(group), meetings, number)
            yield GroupRound(
                group=name,
                pairs=tuple((group[upper - 1], group[lower - 1]) for upper, lower in pairs),
                resting=None if rests is None else group[rests - 1],
            )

    return tuple(tuple(round_(number)) for number in range(1, rounds + 1))


def meeting_reason(group: Group, called: str, number: int, meeting: Meeting, kept: bool) -> Reason:
    """Return why two numbers of a group meet; `kept` is whether groups and numbers are as the file says."""
    upper, lower = meeting
    table = f"{_round(number, called)}: the table says {upper} meets {lower}."
    again = " They meet a second time, with upper and lower exchanged." * (number > rounds_of(len(group)))
    numbers = f"{{a:their}} number is {upper}, {{b:their}} number is {lower}, {_numbered(kept)}."
    short = tell(f"{table} {numbers}", a=group[upper - 1], b=group[lower - 1])
    return Reason(f"{table}{again}", short=short)


def rest_reason(group: Group, called: str, number: int, rests: int, kept: bool) -> Reason:
    """Return why a number of a group rests."""
    missing = len(group) + 1
    table = f"{_round(number, called)}: the table says {rests} meets {missing}, and no one has number {missing}."
    means = "A player who rests has no match in the round: that is no win and no loss."
    short = tell(f"{table} {{a:their}} number is {rests}, {_numbered(kept)}. {means}", a=group[rests - 1])
    return Reason(f"{table} So {rests} rests. {means}", short=short)


def _round(number: int, called: str) -> str:
    return f"Round {number}{f' of {called}' if called else ''}"


def _numbered(kept: bool) -> str:
    return "as when a player was forgotten" if kept else "by the draw"
