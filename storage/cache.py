"""What was worked out from a league's data, kept until something of the league changes; nothing stale is ever shown.

Every change of a league has a line in its audit log, written in the same transaction. So what is worked out in a
snapshot holds for as long as the newest line of the log is the one that snapshot sees.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # a connection has a cache
    from storage.database import Connection
    from storage.rows import SeasonId

Value = TypeVar("Value")


class Cache:
    """Values, each with the version it holds for and its size. Several threads share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._values = OrderedDict[Hashable, tuple[int, int, Any]]()
        self._lock = threading.Lock()

    def find(self, key: Hashable, version: int) -> tuple[Any] | None:
        """Return the value of a key, in a tuple, or None where there is none of this version."""
        with self._lock:
            found = self._values.get(key)
            if found is None or found[0] != version:
                return None
            self._values.move_to_end(key)
            return (found[2],)

    def keep(self, key: Hashable, version: int, value: Any, *, size: int) -> None:
        """Keep a value in place of the one before it, and let go of what was not used for longest."""
        with self._lock:
            self._size += size - self._values.pop(key, (0, 0, None))[1]
            self._values[key] = version, size, value
            while self._size > self._most:
                self._size -= self._values.popitem(last=False)[1][1]


def kept(
    conn: "Connection",
    season_id: "SeasonId",
    what: str,
    work_out: Callable[[], Value],
    *,
    size: Callable[[Value], int],
) -> Value:
    """Return something about a season or its league, worked out once since the league's last change.

    In a transaction it's worked out again as soon as the transaction itself has changed something.
    """
    version = None if conn.cache is None else conn.once(("change", season_id), lambda: _newest_change(conn, season_id))
    if conn.cache is None or version is None:
        return conn.once((what, season_id), work_out)
    known = conn.cache.find((what, season_id), version)
    if known is not None:
        return known[0]
    made = work_out()
    conn.cache.keep((what, season_id), version, made, size=size(made))
    return made


def _newest_change(conn: "Connection", season_id: "SeasonId") -> int | None:
    sql = "SELECT max(id) FROM audit WHERE league_id = (SELECT league_id FROM seasons WHERE id = ?)"
    return conn.execute(sql, (season_id,)).fetchone()[0]
