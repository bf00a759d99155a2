"""Berger tables: who meets in which round, by numbers (FIDE Handbook, C.05, Annex 1)."""

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
