"""What was worked out from a league's data, kept until something of the league changes; nothing stale is ever shown.

Every change of a league has a line in its audit log, written in the same transaction. So what is worked out in a
snapshot holds for as long as the newest line of the log is the one that snapshot sees.
"""

from collections.abc import Callable
from typing import TypeVar

from storage.database import Connection
from storage.query import value
from storage.rows import SeasonId

Value = TypeVar("Value")


def kept(
    conn: Connection,
    season_id: SeasonId,
    what: str,
    work_out: Callable[[], Value],
    *,
    size: Callable[[Value], int],
) -> Value:
    """Return something about a season or its league, worked out once since the league's last change.

    In a transaction it's worked out again as soon as the transaction itself has changed something.
    """
    version = None if conn.cache is None else _newest_change(conn, season_id)
    if conn.cache is None or version is None:
        return conn.once((what, season_id), work_out)
    known = conn.cache.find((what, season_id), version)
    if known is not None:
        return known[0]
    made = work_out()
    conn.cache.keep((what, season_id), version, made, size=size(made))
    return made


def _newest_change(conn: Connection, season_id: SeasonId) -> int | None:
    sql = "SELECT max(id) FROM audit WHERE league_id = (SELECT league_id FROM seasons WHERE id = ?)"
    return value(conn, sql, season_id)
