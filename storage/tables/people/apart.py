"""Pairs of people who are kept apart, and in which seats of a season they sit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.league.season.model import KeptApart, Name
from storage.database import Connection
from storage.personal import Moving, Record
from storage.query import Change, Rows, insert, insert_many, records, run, update
from storage.rows import LeagueId, PlayerId

ENDLESS = 1 << 30
"""Comes after every round."""

When = tuple[int, int]
"""A season and a round of it."""

Span = tuple[When, When]
"""The rounds from one to before another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """Two people who are kept apart until further notice, from a round of a season on."""

    first_id: PlayerId
    second_id: PlayerId
    first: str
    second: str
    season: int
    round: int


def add(
    conn: Connection, league_id: LeagueId, first_id: PlayerId, second_id: PlayerId, *, season: int, number: int
) -> None:
    """Keep two people apart from a round of a season on, until further notice."""
    ids = {"league_id": league_id, "first_id": first_id, "second_id": second_id}
    insert(conn, "apart", **ids, season=season, round=number)


_BOTH = "(first_id = ?2 AND second_id = ?3 OR first_id = ?3 AND second_id = ?2)"
_OF_BOTH = f"league_id = ?1 AND {_BOTH} AND until_season IS NULL"
_BEGINS = "(season > ?4 OR season = ?4 AND round >= ?5)"
_NAMED = (
    "SELECT f.id AS first_id, s.id AS second_id, f.name AS first, s.name AS second, a.season, a.round FROM apart a"
    " JOIN players f ON f.id = a.first_id JOIN players s ON s.id = a.second_id"
)
going_on = Rows[Apart, LeagueId](
    Apart, f"{_NAMED} WHERE a.league_id = ?1 AND a.until_season IS NULL GROUP BY f.id, s.id ORDER BY f.name, s.name"
)
"""Who is kept apart in a league until further notice, by name."""
of_two = Rows[Apart, LeagueId, PlayerId, PlayerId](
    Apart, f"{_NAMED} WHERE a.league_id = ?1 AND {_BOTH} AND a.until_season IS NULL"
)
"""Since when two people are kept apart until further notice."""
_take_back = Change[LeagueId, PlayerId, PlayerId, int, int](f"DELETE FROM apart WHERE {_OF_BOTH} AND {_BEGINS}")
_end = Change[LeagueId, PlayerId, PlayerId, int, int](
    f"UPDATE apart SET until_season = ?4, until_round = ?5 WHERE {_OF_BOTH}"
)

renumber = Change[LeagueId, int](
    "UPDATE apart SET season = min(season, ?2), until_season = min(until_season, ?2)"
    " WHERE league_id = ?1 AND (season > ?2 OR until_season > ?2)"
)
"""Let what was said for a season count from the same season on, which has a lower number now."""

_follow = Change[LeagueId, int, int](
    "UPDATE apart SET season = iif(season >= ?2, season + ?3, season),"
    " until_season = iif(until_season >= ?2, until_season + ?3, until_season) WHERE league_id = ?1"
)


def follow(conn: Connection, league_id: LeagueId, before: int, now: int) -> None:
    """Let what was said for the next season count for the same one, which has another number now."""
    if before != now:
        _follow(conn, league_id, before, now - before)


def end(
    conn: Connection, league_id: LeagueId, first_id: PlayerId, second_id: PlayerId, *, season: int, number: int
) -> None:
    """Keep two people apart no longer, from a round of a season on."""
    _take_back(conn, league_id, first_id, second_id, season, number)
    _end(conn, league_id, first_id, second_id, season, number)


_begin_before = Change[LeagueId, int, int](
    "UPDATE apart SET round = round - 1 WHERE league_id = ? AND season = ? AND round = ?"
)
_end_before = Change[LeagueId, int, int](
    "UPDATE apart SET until_round = until_round - 1 WHERE league_id = ? AND until_season = ? AND until_round = ?"
)


def pair_again(conn: Connection, league_id: LeagueId, season: int, number: int) -> None:
    """Let what was said since a round was paired hold for that round: it is paired again."""
    _begin_before(conn, league_id, season, number + 1)
    _end_before(conn, league_id, season, number + 1)


def merge_person(moving: Moving) -> None:
    """Keep someone apart from all that either name was kept from, but in no season the other name played."""
    for name, other in (("first_id", "second_id"), ("second_id", "first_id")):
        for whose, seasons in ((moving.gone, moving.seasons_of_into), (moving.into, moving.seasons_of_gone)):
            played = sorted(number for number in seasons.values() if number is not None)
            for row in moving.rows("apart", name, whose):
                _keep_apart_as_before(moving, row, name, other, played)


def _keep_apart_as_before(moving: Moving, row: Record, name: str, other: str, played: Sequence[int]) -> None:
    begin = row["season"], row["round"]
    end = None if row["until_season"] is None else (row["until_season"], row["until_round"])
    parts = _without(begin, end, [((number, 1), (number + 1, 1)) for number in played])
    if row[other] in (moving.gone, moving.into):
        moving.delete("apart", row)
    elif row[name] == moving.gone or parts != [(begin, end)]:
        moving.delete("apart", row)
        for since, until in parts:
            columns = {"league_id": moving.league, name: moving.into, other: row[other]}
            moving.add("apart", **columns, **_times(since, until))


def _without(begin: When, end: When | None, spans: Iterable[Span]) -> list[tuple[When, When | None]]:
    """Return what is left of the rounds from one to before another without those of spans, the earliest first."""
    left: list[tuple[When, When | None]] = []
    for since, until in spans:
        if max(begin, since) < until and (end is None or since < end):
            if begin < since:
                left.append((begin, since))
            begin = until
    if end is None or begin < end:
        left.append((begin, end))
    return left


def leave_out(conn: Connection, league_id: LeagueId, spans: Sequence[Span]) -> None:
    """Keep no one apart in rounds that an import is to bring, the earliest first: its own rows say who was there."""
    for row_id, season, number, until_season, until_round in records(conn, _TIMES, league_id):
        begin, end = (season, number), None if until_season is None else (until_season, until_round)
        parts = _without(begin, end, spans)
        for part in parts[1:]:
            run(conn, _COPY, row_id, *_times(*part).values())
        if not parts:
            run(conn, "DELETE FROM apart WHERE id = ?", row_id)
        elif parts != [(begin, end)]:
            update(conn, "apart", row_id, **_times(*parts[0]))


_TIMES = "SELECT id, season, round, until_season, until_round FROM apart WHERE league_id = ? ORDER BY id"
_COPY = (
    "INSERT INTO apart (league_id, first_id, second_id, import_id, season, round, until_season, until_round)"
    " SELECT league_id, first_id, second_id, import_id, ?2, ?3, ?4, ?5 FROM apart WHERE id = ?1"
)


def _times(since: When, until: When | None) -> dict[str, int | None]:
    season, number = (None, None) if until is None else until
    return {"season": since[0], "round": since[1], "until_season": season, "until_round": number}


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
    for sitting_row in sitting:
        by_person.setdefault(sitting_row.player_id, []).append(sitting_row)
    stretches: list[KeptApart] = []
    for first_id, second_id, number, until in rows:
        for sitting_row in by_person.get(first_id, ()):
            for other in by_person.get(second_id, ()):
                stretches += _stretch((sitting_row.seat, other.seat), number, until, sitting_row, other)
    return tuple(stretches)


def _stretch(
    players: tuple[Name, Name], number: int, until: int | None, sitting: Sitting, other: Sitting
) -> Iterable[KeptApart]:
    first = max(number, sitting.first, other.first)
    end = min(ENDLESS if until is None else until, sitting.until, other.until)
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
    import_id: int | None = None,
) -> None:
    """Keep apart the people of a file's rows, after the season too if it `goes_on`."""
    by_seat: dict[Name, list[Sitting]] = {}
    for sitting_row in sitting:
        by_seat.setdefault(sitting_row.seat, []).append(sitting_row)
    kept = [
        (sitting_row.player_id, other.player_id, part.round, part.until)
        for row in rows
        for sitting_row in by_seat[row.players[0]]
        for other in by_seat[row.players[1]]
        for part in _stretch(row.players, row.round, row.until, sitting_row, other)
    ]
    insert_many(
        conn,
        "apart",
        [
            {
                "league_id": league_id,
                "import_id": import_id,
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
