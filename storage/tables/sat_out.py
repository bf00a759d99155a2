"""Rounds that entrants don't play in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NewType

from storage.database import Connection
from storage.query import Table, insert_many, many, one, run
from storage.rows import EntrantId, PlayerId, SeasonId

SitOutId = NewType("SitOutId", int)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitOutRow:
    """A round an entrant doesn't play in; `player_id` is who said so, if it's known."""

    id: SitOutId
    entrant_id: EntrantId
    player_id: PlayerId | None
    round: int
    reason: str | None
    at: datetime


_SAT_OUT: Table[SitOutRow, SitOutId] = Table(SitOutRow, "sat_out")
add, find = _SAT_OUT.add, _SAT_OUT.find


def add_many(conn: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert sit-outs in order, all with the same columns."""
    insert_many(conn, "sat_out", rows)


def remove(conn: Connection, sit_out_id: SitOutId) -> None:
    """Delete a sit-out that is taken back."""
    run(conn, "DELETE FROM sat_out WHERE id = ?", sit_out_id)


def of_season(conn: Connection, season_id: SeasonId) -> tuple[SitOutRow, ...]:
    """Return a season's sit-outs in the order they were asked for."""
    sql = "SELECT o.* FROM entrants e JOIN sat_out o ON o.entrant_id = e.id WHERE e.season_id = ? ORDER BY o.id"
    return many(conn, SitOutRow, sql, season_id)


def in_round(conn: Connection, entrant_id: EntrantId, number: int) -> SitOutRow | None:
    """Return an entrant's sit-out of a round, or None."""
    sql = "SELECT * FROM sat_out WHERE entrant_id = ? AND round = ?"
    return one(conn, SitOutRow, sql, entrant_id, number)


def of_entrant(conn: Connection, entrant_id: EntrantId) -> tuple[SitOutRow, ...]:
    """Return an entrant's sit-outs in order of rounds."""
    return many(conn, SitOutRow, "SELECT * FROM sat_out WHERE entrant_id = ? ORDER BY round", entrant_id)
