"""Pairs of people who are kept apart, and in which seats of a season they sit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.league.season.model import KeptApart, Name
from storage.database import Connection
from storage.query import insert_many
from storage.rows import LeagueId, PlayerId

ENDLESS = 1 << 30
"""Comes after every round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A person in a seat from round `first` to before round `until`."""

    seat: Name
    player_id: PlayerId
    first: int
    until: int


def sittings(seats: Mapping[Name, PlayerId], taken: Iterable[tuple[Name, int, PlayerId]]) -> tuple[Sitting, ...]:
    """Return who sits where: `seats` with their first people, `taken` the seat, round and person of substitutions."""
    begun = {seat: [(1, player_id)] for seat, player_id in seats.items()}
    for seat, number, player_id in sorted(taken, key=lambda row: row[1]):
        begun[seat].append((number, player_id))
    return tuple(
        Sitting(seat=seat, player_id=player_id, first=first, until=until)
        for seat, rows in begun.items()
        for (first, player_id), (until, _) in zip(rows, [*rows[1:], (ENDLESS, 0)], strict=True)
        if first < until
    )


def of_seats(
    rows: Iterable[tuple[PlayerId, PlayerId, int, int | None]], sitting: Iterable[Sitting]
) -> tuple[KeptApart, ...]:
    """Return people kept apart, from a round to before another, as seats: a row for each stretch of rounds."""
    by_person: dict[PlayerId, list[Sitting]] = {}
    for one in sitting:
        by_person.setdefault(one.player_id, []).append(one)
    found: list[KeptApart] = []
    for first_id, second_id, number, until in rows:
        for one in by_person.get(first_id, ()):
            for other in by_person.get(second_id, ()):
                found += _stretch((one.seat, other.seat), number, until, one, other)
    return tuple(found)


def _stretch(
    players: tuple[Name, Name], number: int, until: int | None, one: Sitting, other: Sitting
) -> Iterable[KeptApart]:
    first = max(number, one.first, other.first)
    end = min(ENDLESS if until is None else until, one.until, other.until)
    if first < end:
        yield KeptApart(players=players, round=first, until=None if end == ENDLESS else end)


def take(
    conn: Connection,
    league_id: LeagueId,
    season: int,
    rows: Sequence[KeptApart],
    sitting: Iterable[Sitting],
    *,
    goes_on: bool,
) -> None:
    """Keep apart the people of a file's rows, after the season too if it `goes_on`."""
    by_seat: dict[Name, list[Sitting]] = {}
    for one in sitting:
        by_seat.setdefault(one.seat, []).append(one)
    kept = [
        (one.player_id, other.player_id, part.round, part.until)
        for row in rows
        for one in by_seat[row.players[0]]
        for other in by_seat[row.players[1]]
        for part in _stretch(row.players, row.round, row.until, one, other)
    ]
    insert_many(
        conn,
        "apart",
        [
            {
                "league_id": league_id,
                "first_id": first_id,
                "second_id": second_id,
                "season": season,
                "round": number,
                "until_season": season if until is not None else None if goes_on else season + 1,
                "until_round": until if until is not None else None if goes_on else 1,
            }
            for first_id, second_id, number, until in kept
        ],
    )
