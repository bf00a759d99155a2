"""Rounds that entrants don't play in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NewType

from storage.database import Connection
from storage.personal import Forget
from storage.query import Change, One, Rows, Table, insert_many
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


remove = Change[SitOutId]("DELETE FROM sat_out WHERE id = ?")
"""Delete a sit-out that is taken back."""

of_season = Rows[SitOutRow, SeasonId](
    SitOutRow, "SELECT o.* FROM entrants e JOIN sat_out o ON o.entrant_id = e.id WHERE e.season_id = ? ORDER BY o.id"
)
"""A season's sit-outs in the order they were asked for."""

in_round = One[SitOutRow, EntrantId, int](SitOutRow, "SELECT * FROM sat_out WHERE entrant_id = ? AND round = ?")
"""An entrant's sit-out of a round, or None."""

of_entrant = Rows[SitOutRow, EntrantId](SitOutRow, "SELECT * FROM sat_out WHERE entrant_id = ? ORDER BY round")
"""An entrant's sit-outs in order of rounds."""

withdraw = Change[EntrantId]("DELETE FROM sat_out WHERE entrant_id = ?")
"""Delete the sit-outs of an entrant who withdraws before the start."""

_TO_COME = (
    "round > (SELECT coalesce(max(r.number), 0) FROM rounds r JOIN entrants e ON e.season_id = r.season_id"
    " WHERE e.id = sat_out.entrant_id AND r.phase <> 'draft')"
)
take_back = Change[PlayerId](f"DELETE FROM sat_out WHERE player_id = ? AND {_TO_COME}")
"""Delete the sit-outs of rounds to come of someone who has no account any more: nobody else can take them back."""

forget_person = Forget(
    f"DELETE FROM sat_out WHERE player_id = :player AND {_TO_COME}",
    "UPDATE sat_out SET reason = NULL WHERE player_id = :player",
)
"""Delete why someone sat out, and that they would sit out rounds to come."""
