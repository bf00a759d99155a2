"""Seasons of leagues, what is known of earlier ones, and the orders organisers decided."""

from collections.abc import Sequence
from datetime import datetime

from storage.database import Connection
from storage.query import Table, column, insert_many, many, one, run, value
from storage.rows import LeagueId, PlayerId, SeasonId, SeasonRow

_SEASONS: Table[SeasonRow, SeasonId] = Table(SeasonRow, "seasons")
add, change, get = _SEASONS.add, _SEASONS.change, _SEASONS.get


def live(conn: Connection, league_id: LeagueId) -> SeasonRow | None:
    """Return a league's season that takes sign-ups or is played, or None."""
    sql = "SELECT * FROM seasons WHERE league_id = ? AND phase IN ('signup', 'running', 'finals')"
    return one(conn, SeasonRow, sql, league_id)


def unpublished(conn: Connection, league_id: LeagueId) -> SeasonRow | None:
    """Return the season a league's organisers are preparing, or None."""
    sql = "SELECT * FROM seasons WHERE league_id = ? AND phase = 'unpublished'"
    return one(conn, SeasonRow, sql, league_id)


def newest(conn: Connection, league_id: LeagueId) -> SeasonRow | None:
    """Return a league's season of the highest number, or None."""
    sql = "SELECT * FROM seasons WHERE league_id = ? AND number IS NOT NULL ORDER BY number DESC LIMIT 1"
    return one(conn, SeasonRow, sql, league_id)


def by_number(conn: Connection, league_id: LeagueId, number: int) -> SeasonRow | None:
    """Return a league's season of this number, or None."""
    return one(conn, SeasonRow, "SELECT * FROM seasons WHERE league_id = ? AND number = ?", league_id, number)


def of_league(conn: Connection, league_id: LeagueId) -> tuple[SeasonRow, ...]:
    """Return a league's seasons that have a number, in order."""
    sql = "SELECT * FROM seasons WHERE league_id = ? AND number IS NOT NULL ORDER BY number"
    return many(conn, SeasonRow, sql, league_id)


def last_played(conn: Connection, league_id: LeagueId) -> SeasonRow | None:
    """Return a league's newest season that is running or finished, or None."""
    sql = (
        "SELECT * FROM seasons WHERE league_id = ? AND phase IN ('running', 'finals', 'finished')"
        " ORDER BY number DESC LIMIT 1"
    )
    return one(conn, SeasonRow, sql, league_id)


def numbers(conn: Connection, league_id: LeagueId) -> tuple[int, ...]:
    """Return the numbers of a league's seasons, the newest first."""
    sql = "SELECT number FROM seasons WHERE league_id = ? AND number IS NOT NULL ORDER BY number DESC"
    return column(conn, sql, league_id)


def next_number(conn: Connection, league_id: LeagueId) -> int:
    """Return the number of the league's next season; one that was given back is used again."""
    return int(value(conn, "SELECT coalesce(max(number), 0) + 1 FROM seasons WHERE league_id = ?", league_id))


def signups_due(conn: Connection, now: datetime) -> tuple[SeasonId, ...]:
    """Return the seasons whose sign-ups should close by now, for the clock."""
    sql = "SELECT id FROM seasons WHERE phase = 'signup' AND signups_close <= ? ORDER BY signups_close, id"
    return column(conn, sql, now)


_CLOSING = "SELECT id FROM seasons WHERE phase = 'signup' AND signups_close > ?1"
_HOURS = "coalesce(json_extract(settings, '$.check_in_hours'), 0)"


def last_days_due(conn: Connection, now: datetime) -> tuple[SeasonId, ...]:
    """Return the seasons whose sign-ups close within a day, where that wasn't told for this time, for the clock."""
    return column(conn, f"{_CLOSING} AND signups_close <= ?1 + 86400 AND last_day IS NOT signups_close", now)


def check_ins_due(conn: Connection, now: datetime) -> tuple[SeasonId, ...]:
    """Return the seasons whose players are to check in now, where they weren't asked for this closing time."""
    near = f"{_HOURS} > 0 AND signups_close <= ?1 + 3600 * {_HOURS} AND check_in IS NOT signups_close"
    return column(conn, f"{_CLOSING} AND {near}", now)


def pauses_due(conn: Connection, now: datetime) -> tuple[SeasonId, ...]:
    """Return the seasons whose pause is over by now, for the clock."""
    sql = "SELECT id FROM seasons WHERE paused_until <= ? AND phase IN ('running', 'finals') ORDER BY paused_until, id"
    return column(conn, sql, now)


def add_past_meetings(
    conn: Connection, league_id: LeagueId, season: int, met: Sequence[tuple[int | None, PlayerId, PlayerId]]
) -> None:
    """Note in which rounds which two players met in a season that is known only from a later one's file."""
    at = {"league_id": league_id, "season": season}
    rows = [{**at, "round": round_, "first_id": first, "second_id": second} for round_, first, second in met]
    insert_many(conn, "past_meetings", rows)


def forget_past_meetings(conn: Connection, league_id: LeagueId, season: int) -> None:
    """Forget what was known of a season now that it is imported itself."""
    run(conn, "DELETE FROM past_meetings WHERE league_id = ? AND season = ?", league_id, season)


def past_meetings_known(conn: Connection, league_id: LeagueId, season: int) -> bool:
    """Return whether a season is known already, by itself or by its meetings."""
    sql = (
        "SELECT EXISTS (SELECT 1 FROM seasons WHERE league_id = ?1 AND number = ?2)"
        " OR EXISTS (SELECT 1 FROM past_meetings WHERE league_id = ?1 AND season = ?2)"
    )
    return bool(value(conn, sql, league_id, season))


def add_decision(conn: Connection, season_id: SeasonId, *, after_round: int, names: tuple[str, ...]) -> None:
    """Note an order an organiser decided among equals, in place of the one after the same round."""
    sql = (
        "INSERT INTO decisions (season_id, after_round, names) VALUES (?, ?, ?)"
        " ON CONFLICT (season_id, after_round) DO UPDATE SET names = excluded.names"
    )
    run(conn, sql, season_id, after_round, names)
