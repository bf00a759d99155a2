"""Rounds with their matches, seats and byes."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from bot.league.model import Stage
from bot.league.phases import RoundPhase
from storage.database import Connection
from storage.query import column, insert, many, one, run, the, update, value
from storage.rows import EntrantId, LeagueId, MatchId, MatchRow, RoundId, RoundRow, SeasonId, SeatRow

_ROUND = "SELECT r.*, g.kind AS stage FROM rounds r JOIN stages g ON g.id = r.stage_id"
_KEPT = ("id", "round_id", "version")


async def add(
    conn: Connection,
    *,
    season_id: SeasonId,
    number: int,
    stage: Stage,
    phase: RoundPhase,
    paired_at: datetime,
    posted_at: datetime | None = None,
    deadline: datetime | None = None,
    closed_at: datetime | None = None,
    by_hand: str | None = None,
) -> RoundRow:
    """Insert a round; raises sqlite3.IntegrityError where the number is used or another round is going on."""
    round_id = await insert(
        conn,
        "rounds",
        season_id=season_id,
        stage_id=await _stage(conn, season_id, stage),
        number=number,
        phase=phase,
        by_hand=by_hand,
        paired_at=paired_at,
        posted_at=posted_at,
        deadline=deadline,
        closed_at=closed_at,
    )
    return await get(conn, RoundId(round_id))


async def _stage(conn: Connection, season_id: SeasonId, stage: Stage) -> int:
    found = await value(conn, "SELECT id FROM stages WHERE season_id = ? AND kind = ?", season_id, stage)
    return int(found) if found is not None else await insert(conn, "stages", season_id=season_id, kind=stage)


async def add_match(
    conn: Connection,
    *,
    round_id: RoundId,
    position: int,
    upper_id: EntrantId,
    lower_id: EntrantId,
    rematch: bool = False,
    why: Sequence[str] = (),
    **columns: Any,
) -> MatchRow:
    """Insert a match and its two seats; raises sqlite3.IntegrityError where a player sits in the round already."""
    match_id = MatchId(
        await insert(
            conn,
            "matches",
            round_id=round_id,
            position=position,
            upper_id=upper_id,
            lower_id=lower_id,
            rematch=rematch,
            why=list(why),
            **columns,
        )
    )
    for entrant_id in (upper_id, lower_id):
        await _sit(conn, round_id, entrant_id, match_id)
    return await get_match(conn, match_id)


async def add_bye(
    conn: Connection,
    *,
    round_id: RoundId,
    entrant_id: EntrantId,
    why: Sequence[str] = (),
    draws: Sequence[str] = (),
) -> None:
    """Insert a bye; raises sqlite3.IntegrityError where the player sits in the round already."""
    await insert(
        conn, "seats", round_id=round_id, entrant_id=entrant_id, match_id=None, why=list(why), draws=list(draws)
    )


async def _sit(conn: Connection, round_id: RoundId, entrant_id: EntrantId, match_id: MatchId | None) -> None:
    await insert(conn, "seats", round_id=round_id, entrant_id=entrant_id, match_id=match_id)


async def swap(conn: Connection, first: EntrantId, second: EntrantId, round_id: RoundId) -> None:
    """Exchange two players' seats in a round, byes too; their matches' results must not stand yet."""
    seats = {seat.entrant_id: seat for seat in await seats_of(conn, round_id)}
    await run(conn, "DELETE FROM seats WHERE round_id = ? AND entrant_id IN (?, ?)", round_id, first, second)
    for old, new in ((first, second), (second, first)):
        seat = seats[old]
        await _sit(conn, round_id, new, seat.match_id)
        if seat.match_id is not None:
            await _replace(conn, await get_match(conn, seat.match_id), seats, old, new)


async def _replace(
    conn: Connection, match: MatchRow, seats: dict[EntrantId, SeatRow], old: EntrantId, new: EntrantId
) -> None:
    if seats[new].match_id == match.id:
        return  # the two meet each other: nothing changes
    place = "upper_id" if match.upper_id == old else "lower_id"
    await update(conn, "matches", match.id, **{place: new}, why=[], version=match.version + 1)


async def remove(conn: Connection, round_id: RoundId) -> None:
    """Delete a draft with its matches and seats."""
    await run(conn, "DELETE FROM seats WHERE round_id = ?", round_id)
    await run(conn, "DELETE FROM matches WHERE round_id = ?", round_id)
    await run(conn, "DELETE FROM rounds WHERE id = ?", round_id)


async def change(conn: Connection, round_id: RoundId, **columns: Any) -> RoundRow:
    """Change columns of a round: phase, by_hand, posted_at, deadline, closed_at, reminded_at, clock_started_at."""
    await update(conn, "rounds", round_id, **columns)
    return await get(conn, round_id)


async def get(conn: Connection, round_id: RoundId) -> RoundRow:
    """Return a round; raises LookupError."""
    return await the(conn, RoundRow, f"{_ROUND} WHERE r.id = ?", round_id)


async def by_number(conn: Connection, season_id: SeasonId, number: int) -> RoundRow | None:
    """Return a season's round of this number, or None."""
    return await one(conn, RoundRow, f"{_ROUND} WHERE r.season_id = ? AND r.number = ?", season_id, number)


async def of_season(conn: Connection, season_id: SeasonId) -> tuple[RoundRow, ...]:
    """Return a season's rounds in order, a draft too."""
    return await many(conn, RoundRow, f"{_ROUND} WHERE r.season_id = ? ORDER BY r.number", season_id)


async def published(conn: Connection, season_id: SeasonId) -> tuple[RoundRow, ...]:
    """Return a season's published rounds in order."""
    return await many(
        conn, RoundRow, f"{_ROUND} WHERE r.season_id = ? AND r.phase <> 'draft' ORDER BY r.number", season_id
    )


async def latest(conn: Connection, season_id: SeasonId) -> RoundRow | None:
    """Return a season's last published round, or None."""
    return await one(
        conn,
        RoundRow,
        f"{_ROUND} WHERE r.season_id = ? AND r.phase <> 'draft' ORDER BY r.number DESC LIMIT 1",
        season_id,
    )


async def draft(conn: Connection, season_id: SeasonId) -> RoundRow | None:
    """Return a season's draft, or None."""
    return await one(conn, RoundRow, f"{_ROUND} WHERE r.season_id = ? AND r.phase = 'draft'", season_id)


async def running(conn: Connection) -> tuple[RoundRow, ...]:
    """Return the open rounds of all seasons that are played, for the clock."""
    return await many(
        conn,
        RoundRow,
        f"{_ROUND} JOIN seasons s ON s.id = r.season_id WHERE r.phase = 'open' AND s.phase IN ('running', 'finals')"
        " ORDER BY r.id",
    )


async def get_match(conn: Connection, match_id: MatchId) -> MatchRow:
    """Return a match; raises LookupError."""
    return await the(conn, MatchRow, "SELECT * FROM matches WHERE id = ?", match_id)


async def find_match(conn: Connection, match_id: int) -> MatchRow | None:
    """Return a match, or None."""
    return await one(conn, MatchRow, "SELECT * FROM matches WHERE id = ?", match_id)


async def matches_of(conn: Connection, round_id: RoundId) -> tuple[MatchRow, ...]:
    """Return a round's matches in order."""
    return await many(conn, MatchRow, "SELECT * FROM matches WHERE round_id = ? ORDER BY position", round_id)


async def matches_of_season(conn: Connection, season_id: SeasonId) -> tuple[MatchRow, ...]:
    """Return a season's published matches, in order of round and of match."""
    return await many(
        conn,
        MatchRow,
        "SELECT m.* FROM matches m JOIN rounds r ON r.id = m.round_id"
        " WHERE r.season_id = ? AND r.phase <> 'draft' ORDER BY r.number, m.position",
        season_id,
    )


async def match_in_round(conn: Connection, round_id: RoundId, entrant_id: EntrantId) -> MatchRow | None:
    """Return an entrant's match in a round, or None."""
    return await one(
        conn,
        MatchRow,
        "SELECT m.* FROM seats s JOIN matches m ON m.id = s.match_id WHERE s.round_id = ? AND s.entrant_id = ?",
        round_id,
        entrant_id,
    )


async def unfinished_match(conn: Connection, entrant_id: EntrantId) -> MatchRow | None:
    """Return an entrant's published match that has no confirmed result yet, or None."""
    return await one(
        conn,
        MatchRow,
        "SELECT m.* FROM matches m JOIN rounds r ON r.id = m.round_id WHERE (m.upper_id = ?1 OR m.lower_id = ?1)"
        " AND m.state <> 'confirmed' AND r.phase = 'open'",
        entrant_id,
    )


async def unfinished(conn: Connection, round_id: RoundId) -> int:
    """Return how many matches of a round have no confirmed result."""
    return int(await value(conn, "SELECT count(*) FROM matches WHERE round_id = ? AND state <> 'confirmed'", round_id))


async def save_match(conn: Connection, match: MatchRow) -> MatchRow:
    """Write a changed match back whole, with its version one higher."""
    columns = {f.name: getattr(match, f.name) for f in fields(match) if f.name not in _KEPT}
    await update(conn, "matches", match.id, **columns, version=match.version + 1)
    return await get_match(conn, match.id)


async def set_time(conn: Connection, match_id: MatchId, **columns: datetime | None) -> None:
    """Change a match's deadline or overdue_at; its version stays, because its buttons mean the same as before."""
    await update(conn, "matches", match_id, **columns)


async def seats_of(conn: Connection, round_id: RoundId) -> tuple[SeatRow, ...]:
    """Return a round's seats."""
    return await many(conn, SeatRow, "SELECT * FROM seats WHERE round_id = ? ORDER BY rowid", round_id)


async def byes_of(conn: Connection, round_id: RoundId) -> tuple[SeatRow, ...]:
    """Return a round's byes, in the order they were given."""
    return await many(
        conn, SeatRow, "SELECT * FROM seats WHERE round_id = ? AND match_id IS NULL ORDER BY rowid", round_id
    )


async def byes_of_season(conn: Connection, season_id: SeasonId) -> tuple[SeatRow, ...]:
    """Return the byes of a season's rounds, in the order they were given."""
    return await many(
        conn,
        SeatRow,
        "SELECT s.* FROM seats s JOIN rounds r ON r.id = s.round_id"
        " WHERE r.season_id = ? AND s.match_id IS NULL ORDER BY r.number, s.rowid",
        season_id,
    )


async def reports_due(conn: Connection, now: datetime) -> tuple[MatchId, ...]:
    """Return the reported matches whose waiting time is over, the longest waiting first."""
    return await column(
        conn,
        "SELECT m.id FROM matches m JOIN rounds r ON r.id = m.round_id"
        " WHERE m.state = 'reported' AND m.confirm_at <= ? AND r.phase = 'open' ORDER BY m.confirm_at, m.id",
        now,
    )


async def unconfirmed_of_league(conn: Connection, league_id: LeagueId) -> tuple[MatchRow, ...]:
    """Return a league's published matches without a confirmed result, in order."""
    return await many(
        conn,
        MatchRow,
        "SELECT m.* FROM matches m JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
        " WHERE s.league_id = ? AND r.phase = 'open' AND s.phase IN ('running', 'finals')"
        " AND m.state <> 'confirmed' ORDER BY r.number, m.position",
        league_id,
    )


async def forget_overdue(conn: Connection, round_id: RoundId, deadline: datetime) -> None:
    """Let a round's new deadline count for its matches, but for those that have more time of their own."""
    await run(
        conn,
        "UPDATE matches SET overdue_at = NULL, deadline = CASE WHEN deadline > ?2 THEN deadline END"
        " WHERE round_id = ?1 AND state <> 'confirmed'",
        round_id,
        deadline,
    )


async def overdue_matches(conn: Connection, now: datetime) -> tuple[MatchRow, ...]:
    """Return the matches nobody reported by their deadline, or their round's, and nobody was told of yet."""
    return await many(
        conn,
        MatchRow,
        "SELECT m.* FROM matches m JOIN rounds r ON r.id = m.round_id JOIN seasons s ON s.id = r.season_id"
        " WHERE r.phase = 'open' AND m.state = 'open' AND s.phase IN ('running', 'finals')"
        " AND m.overdue_at IS NULL AND coalesce(m.deadline, r.deadline) <= ? ORDER BY m.round_id, m.position",
        now,
    )


async def find(conn: Connection, round_id: RoundId) -> RoundRow | None:
    """Return a round, or None where it was taken back."""
    return await one(conn, RoundRow, f"{_ROUND} WHERE r.id = ?", round_id)
