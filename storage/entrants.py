"""Entrants of seasons, their departures and their requests to come back."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict, Unpack

from bot.league.model import DepartureKind
from storage.database import Connection
from storage.query import insert, many, one, run, the, update, value
from storage.rows import DepartureRow, EntrantId, EntrantRow, PlayerId, RejoinRow, SeasonId

_ENTRANT = (
    "SELECT e.*, p.discord_id, d.kind AS departed FROM entrants e JOIN players p ON p.id = e.player_id"
    " LEFT JOIN departures d ON d.entrant_id = e.id AND d.rejoined IS NULL"
)


class EntrantChanges(TypedDict, total=False):
    """What can change about an entrant."""

    name: str
    former_names: Sequence[str]
    mu: float | None
    sigma: float | None
    entered: int
    seed: int | None
    deck: str | None


class NewEntrant(EntrantChanges):
    """An entrant to insert; the name is needed too."""

    season_id: SeasonId
    player_id: PlayerId
    signed_up_at: datetime


class DepartureChanges(TypedDict, total=False):
    """What can change about a departure."""

    kind: DepartureKind
    reason: str | None
    rejoined: int | None


class NewDeparture(DepartureChanges):
    """A departure to insert; its kind is needed too."""

    entrant_id: EntrantId
    round: int
    after_pairing: bool
    at: datetime


async def add(conn: Connection, **columns: Unpack[NewEntrant]) -> EntrantRow:
    """Insert an entrant; raises sqlite3.IntegrityError where the player is in the season already."""
    return await get(conn, EntrantId(await insert(conn, "entrants", **columns)))


async def remove(conn: Connection, entrant_id: EntrantId) -> None:
    """Delete an entrant who withdraws before the start."""
    await run(conn, "DELETE FROM entrants WHERE id = ?", entrant_id)


async def change(conn: Connection, entrant_id: EntrantId, **columns: Unpack[EntrantChanges]) -> EntrantRow:
    """Change columns of an entrant."""
    await update(conn, "entrants", entrant_id, **columns)
    return await get(conn, entrant_id)


async def get(conn: Connection, entrant_id: EntrantId) -> EntrantRow:
    """Return an entrant; raises LookupError."""
    return await the(conn, EntrantRow, f"{_ENTRANT} WHERE e.id = ?", entrant_id)


async def of_season(conn: Connection, season_id: SeasonId) -> tuple[EntrantRow, ...]:
    """Return a season's entrants in order of sign-up."""
    return await many(conn, EntrantRow, f"{_ENTRANT} WHERE e.season_id = ? ORDER BY e.id", season_id)


async def by_discord(conn: Connection, season_id: SeasonId, discord_id: int) -> EntrantRow | None:
    """Return the entrant a Discord user is in a season, or None."""
    return await one(conn, EntrantRow, f"{_ENTRANT} WHERE e.season_id = ? AND p.discord_id = ?", season_id, discord_id)


async def by_player(conn: Connection, season_id: SeasonId, player_id: PlayerId) -> EntrantRow | None:
    """Return the entrant a player is in a season, or None."""
    return await one(conn, EntrantRow, f"{_ENTRANT} WHERE e.season_id = ? AND e.player_id = ?", season_id, player_id)


async def by_name(conn: Connection, season_id: SeasonId, name: str) -> EntrantRow | None:
    """Return the entrant of exactly this name in a season, or None."""
    return await one(conn, EntrantRow, f"{_ENTRANT} WHERE e.season_id = ? AND e.name = ?", season_id, name)


async def count(conn: Connection, season_id: SeasonId) -> int:
    """Return how many are in a season, those who left included."""
    return int(await value(conn, "SELECT count(*) FROM entrants WHERE season_id = ?", season_id))


async def depart(conn: Connection, **columns: Unpack[NewDeparture]) -> int:
    """Note that an entrant has left; raises sqlite3.IntegrityError where they had left already."""
    return await insert(conn, "departures", **columns)


async def departures_of(conn: Connection, season_id: SeasonId) -> tuple[DepartureRow, ...]:
    """Return a season's departures in order."""
    return await many(
        conn,
        DepartureRow,
        "SELECT d.* FROM departures d JOIN entrants e ON e.id = d.entrant_id WHERE e.season_id = ? ORDER BY d.id",
        season_id,
    )


async def last_departure(conn: Connection, entrant_id: EntrantId) -> DepartureRow | None:
    """Return the newest departure of an entrant, or None."""
    return await one(
        conn, DepartureRow, "SELECT * FROM departures WHERE entrant_id = ? ORDER BY id DESC LIMIT 1", entrant_id
    )


async def change_departure(conn: Connection, departure_id: int, **columns: Unpack[DepartureChanges]) -> None:
    """Change columns of a departure."""
    await update(conn, "departures", departure_id, **columns)


async def forget_departure(conn: Connection, departure_id: int) -> None:
    """Delete a departure, as if it had never happened."""
    await run(conn, "DELETE FROM departures WHERE id = ?", departure_id)


async def ask_back(conn: Connection, entrant_id: EntrantId, at: datetime) -> int:
    """Note a request to come back; raises sqlite3.IntegrityError where one waits for an answer."""
    return await insert(conn, "rejoin_requests", entrant_id=entrant_id, asked_at=at)


async def request(conn: Connection, request_id: int) -> RejoinRow | None:
    """Return a request to come back, or None."""
    return await one(conn, RejoinRow, "SELECT * FROM rejoin_requests WHERE id = ?", request_id)


async def waiting_request(conn: Connection, entrant_id: EntrantId) -> RejoinRow | None:
    """Return an entrant's unanswered request to come back, or None."""
    return await one(
        conn, RejoinRow, "SELECT * FROM rejoin_requests WHERE entrant_id = ? AND answered_at IS NULL", entrant_id
    )


async def waiting_requests(conn: Connection, season_id: SeasonId) -> tuple[RejoinRow, ...]:
    """Return a season's unanswered requests to come back."""
    return await many(
        conn,
        RejoinRow,
        "SELECT q.* FROM rejoin_requests q JOIN entrants e ON e.id = q.entrant_id"
        " WHERE e.season_id = ? AND q.answered_at IS NULL ORDER BY q.id",
        season_id,
    )


async def answer(conn: Connection, request_id: int, *, accepted: bool, at: datetime) -> None:
    """Note the answer to a request to come back."""
    await update(conn, "rejoin_requests", request_id, accepted=accepted, answered_at=at)


async def leave_before_pairing(conn: Connection, season_id: SeasonId, number: int) -> None:
    """Let players who left after this round was paired count as gone before it, because the round is taken back."""
    await run(
        conn,
        "UPDATE departures SET after_pairing = 0 WHERE round = ? AND after_pairing = 1"
        " AND entrant_id IN (SELECT id FROM entrants WHERE season_id = ?)",
        number,
        season_id,
    )
