"""Seasons: their own rows, and the whole of one as the rules see it."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.league.formats import by_key, record
from bot.league.formats.record import RECORD
from bot.league.history import PAST_SEASONS
from bot.league.model import Decision, Departure, Entrant, Match, Name, PastMatch, PastSeason, Rating, Round, Season
from bot.league.phases import SeasonPhase
from bot.league.settings import SeasonSettings, with_salt
from storage import entrants, leagues, rounds
from storage.database import Connection
from storage.query import column, insert, many, one, run, the, update, value
from storage.rows import EntrantId, EntrantRow, LeagueId, MatchRow, PlayerId, SeasonId, SeasonRow


async def add(
    conn: Connection,
    *,
    league_id: LeagueId,
    number: int,
    format: str,
    settings: Mapping[str, Any],
    salted: bool,
    phase: SeasonPhase,
    signups_close: datetime | None,
    created_at: datetime,
    salt: str | None = None,
    started_at: datetime | None = None,
    ended_at: datetime | None = None,
) -> SeasonRow:
    """Insert a season; raises sqlite3.IntegrityError where the number is used or another season is going on."""
    season_id = await insert(
        conn,
        "seasons",
        league_id=league_id,
        number=number,
        format=format,
        settings=settings,
        salted=salted,
        salt=salt,
        phase=phase,
        signups_close=signups_close,
        created_at=created_at,
        started_at=started_at,
        ended_at=ended_at,
    )
    return await get(conn, SeasonId(season_id))


async def change(conn: Connection, season_id: SeasonId, **columns: Any) -> SeasonRow:
    """Change columns of a season: number, settings, salt, phase, signups_close, started_at, ended_at, champion_id."""
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


async def add_past_meeting(
    conn: Connection, league_id: LeagueId, *, season: int, round: int | None, first: PlayerId, second: PlayerId
) -> None:
    """Note that two players met in a season that is known only from a later one's file."""
    await insert(
        conn, "past_meetings", league_id=league_id, season=season, round=round, first_id=first, second_id=second
    )


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


def settings_of(row: SeasonRow) -> SeasonSettings:
    """Return a season's settings with its format's defaults and its salt."""
    if row.format == RECORD:
        settings = record.read_settings(row.settings)
    else:
        settings = by_key(row.format).read_settings(row.settings)
    return settings if row.salt is None else with_salt(settings, row.salt)


async def load_season(conn: Connection, season_id: SeasonId) -> Season:
    """Return a season as the rules see it: published rounds only, past meetings under this season's names."""
    row = await get(conn, season_id)
    people = await entrants.of_season(conn, season_id)
    names = {person.id: Name(person.name) for person in people}
    return Season(
        league=(await leagues.get(conn, row.league_id)).name,
        number=row.number or 0,
        format=row.format,
        settings=settings_of(row),
        entrants=tuple(_entrant(person) for person in people),
        past=await _past(conn, row, {person.player_id: Name(person.name) for person in people}),
        rounds=await _rounds(conn, season_id, names),
        departures=tuple(
            Departure(
                name=names[gone.entrant_id],
                kind=gone.kind,
                round=gone.round,
                after_pairing=gone.after_pairing,
                rejoined=gone.rejoined,
            )
            for gone in await entrants.departures_of(conn, season_id)
        ),
        decisions=await _decisions(conn, season_id),
    )


def _entrant(row: EntrantRow) -> Entrant:
    rating = None if row.mu is None or row.sigma is None else Rating(mu=row.mu, sigma=row.sigma)
    return Entrant(
        name=Name(row.name),
        rating=rating,
        entered=row.entered,
        seed=row.seed,
        former_names=tuple(Name(name) for name in row.former_names),
    )


async def _rounds(conn: Connection, season_id: SeasonId, names: Mapping[EntrantId, Name]) -> tuple[Round, ...]:
    matches: dict[int, list[Match]] = {}
    for match in await rounds.matches_of_season(conn, season_id):
        matches.setdefault(match.round_id, []).append(pure_match(match, names))
    byes: dict[int, list[Name]] = {}
    for seat in await rounds.byes_of_season(conn, season_id):
        byes.setdefault(seat.round_id, []).append(names[seat.entrant_id])
    return tuple(
        Round(
            number=row.number,
            stage=row.stage,
            byes=tuple(byes.get(row.id, ())),
            matches=tuple(matches.get(row.id, ())),
            by_hand=row.by_hand,
        )
        for row in await rounds.published(conn, season_id)
    )


def pure_match(row: MatchRow, names: Mapping[EntrantId, Name]) -> Match:
    """Return a match as the rules see it."""
    games = None if row.upper_games is None or row.lower_games is None else (row.upper_games, row.lower_games)
    points = None if row.upper_points is None or row.lower_points is None else (row.upper_points, row.lower_points)
    return Match(
        upper=names[row.upper_id],
        lower=names[row.lower_id],
        kind=row.kind,
        winner=None if row.winner_id is None else names[row.winner_id],
        games=games,
        points=points,
    )


async def _decisions(conn: Connection, season_id: SeasonId) -> tuple[Decision, ...]:
    records = await conn.execute_fetchall(
        "SELECT after_round, names FROM decisions WHERE season_id = ? ORDER BY id", (season_id,)
    )
    return tuple(Decision(after_round=after, order=tuple(json.loads(names))) for after, names in records)


async def _past(conn: Connection, row: SeasonRow, names: Mapping[PlayerId, Name]) -> tuple[PastSeason, ...]:
    """Return who of this season met whom in the seasons before it, the newest season first."""
    if row.number is None:
        return ()
    wanted = range(row.number - 1, max(row.number - 1 - PAST_SEASONS, 0), -1)
    return tuple([await _past_season(conn, row.league_id, number, names) for number in wanted])


async def _past_season(
    conn: Connection, league_id: LeagueId, number: int, names: Mapping[PlayerId, Name]
) -> PastSeason:
    records = await conn.execute_fetchall(
        "SELECT u.player_id, l.player_id, r.number FROM seasons s JOIN rounds r ON r.season_id = s.id"
        " JOIN matches m ON m.round_id = r.id JOIN entrants u ON u.id = m.upper_id JOIN entrants l ON l.id = m.lower_id"
        " WHERE s.league_id = ?1 AND s.number = ?2 AND r.phase <> 'draft'"
        " UNION ALL SELECT first_id, second_id, round FROM past_meetings WHERE league_id = ?1 AND season = ?2"
        " ORDER BY 3, 1, 2",
        (league_id, number),
    )
    return PastSeason(
        number=number,
        matches=tuple(
            PastMatch(players=(names[first], names[second]), round=round_)
            for first, second, round_ in records
            if first in names and second in names
        ),
    )
