"""Seasons of leagues, what is known of earlier ones, and the orders organisers decided."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict, Unpack

from bot.league.phases import SeasonPhase
from storage.database import Connection
from storage.query import column, insert, many, one, run, the, update, value
from storage.rows import EntrantId, LeagueId, PlayerId, SeasonId, SeasonRow


class SeasonChanges(TypedDict, total=False):
    """What can change about a season."""

    number: int | None
    settings: Mapping[str, Any]
    salt: str | None
    phase: SeasonPhase
    signups_close: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    champion_id: EntrantId | None


class NewSeason(SeasonChanges):
    """A season to insert; its number, settings and phase are needed too."""

    league_id: LeagueId
    format: str
    salted: bool
    created_at: datetime


async def add(conn: Connection, **columns: Unpack[NewSeason]) -> SeasonRow:
    """Insert a season; raises sqlite3.IntegrityError where the number is used or another season isn't over."""
    return await get(conn, SeasonId(await insert(conn, "seasons", **columns)))


async def change(conn: Connection, season_id: SeasonId, **columns: Unpack[SeasonChanges]) -> SeasonRow:
    """Change columns of a season."""
    await update(conn, "seasons", season_id, **columns)
    return await get(conn, season_id)


async def get(conn: Connection, season_id: SeasonId) -> SeasonRow:
    """Return a season; raises LookupError."""
    return await the(conn, SeasonRow, "SELECT * FROM seasons WHERE id = ?", season_id)


async def live(conn: Connection, league_id: LeagueId) -> SeasonRow | None:
    """Return a league's season that takes sign-ups or is played, or None."""
    return await one(
        conn,
        SeasonRow,
        "SELECT * FROM seasons WHERE league_id = ? AND phase IN ('signup', 'running', 'finals')",
        league_id,
    )


async def newest(conn: Connection, league_id: LeagueId) -> SeasonRow | None:
    """Return a league's season of the highest number, or None."""
    return await one(
        conn,
        SeasonRow,
        "SELECT * FROM seasons WHERE league_id = ? AND number IS NOT NULL ORDER BY number DESC LIMIT 1",
        league_id,
    )


async def by_number(conn: Connection, league_id: LeagueId, number: int) -> SeasonRow | None:
    """Return a league's season of this number, or None."""
    return await one(conn, SeasonRow, "SELECT * FROM seasons WHERE league_id = ? AND number = ?", league_id, number)


async def of_league(conn: Connection, league_id: LeagueId) -> tuple[SeasonRow, ...]:
    """Return a league's seasons that have a number, in order."""
    return await many(
        conn, SeasonRow, "SELECT * FROM seasons WHERE league_id = ? AND number IS NOT NULL ORDER BY number", league_id
    )


async def numbers(conn: Connection, league_id: LeagueId) -> tuple[int, ...]:
    """Return the numbers of a league's seasons, the newest first."""
    return await column(
        conn,
        "SELECT number FROM seasons WHERE league_id = ? AND number IS NOT NULL ORDER BY number DESC",
        league_id,
    )


async def next_number(conn: Connection, league_id: LeagueId) -> int:
    """Return the number of the league's next season; one that was given back is used again."""
    return int(await value(conn, "SELECT coalesce(max(number), 0) + 1 FROM seasons WHERE league_id = ?", league_id))


async def signups_due(conn: Connection, now: datetime) -> tuple[SeasonRow, ...]:
    """Return the seasons whose sign-ups should close by now, for the clock."""
    return await many(
        conn,
        SeasonRow,
        "SELECT * FROM seasons WHERE phase = 'signup' AND signups_close <= ? ORDER BY signups_close, id",
        now,
    )


class PastMeeting(TypedDict):
    """Two players who met in an earlier season."""

    league_id: LeagueId
    season: int
    round: int | None
    first_id: PlayerId
    second_id: PlayerId


async def add_past_meeting(conn: Connection, **columns: Unpack[PastMeeting]) -> None:
    """Note that two players met in a season that is known only from a later one's file."""
    await insert(conn, "past_meetings", **columns)


async def forget_past_meetings(conn: Connection, league_id: LeagueId, season: int) -> None:
    """Forget what was known of a season now that it comes itself."""
    await run(conn, "DELETE FROM past_meetings WHERE league_id = ? AND season = ?", league_id, season)


async def past_meetings_known(conn: Connection, league_id: LeagueId, season: int) -> bool:
    """Return whether a season is known already, by itself or by its meetings."""
    return bool(
        await value(
            conn,
            "SELECT EXISTS (SELECT 1 FROM seasons WHERE league_id = ?1 AND number = ?2)"
            " OR EXISTS (SELECT 1 FROM past_meetings WHERE league_id = ?1 AND season = ?2)",
            league_id,
            season,
        )
    )


async def add_decision(
    conn: Connection, season_id: SeasonId, *, after_round: int, names: tuple[str, ...], at: datetime
) -> None:
    """Note an order an organiser decided among equals, in place of the one after the same round."""
    await run(
        conn,
        "INSERT INTO decisions (season_id, after_round, names, at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (season_id, after_round) DO UPDATE SET names = excluded.names, at = excluded.at",
        season_id,
        after_round,
        names,
        at,
    )
