"""What was worked out from a league's data, kept until something of the league changes; nothing stale is ever shown.

Every change of a league has a line in its audit log, written in the same transaction. So what is worked out in a
snapshot holds for as long as the newest line of the log is the one that snapshot sees. What rests on a season and those
before it alone holds longer: until one of them has a new line, or the league one of those that change earlier seasons.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:  # a connection has a cache
    from storage.database import Connection
    from storage.rows import LeagueId, SeasonId

Value = TypeVar("Value")


ACROSS_SEASONS = (
    "league.import",
    "league.import_back",
    "league.import_records",
    "player.forget",
    "player.merge",
    "player.unmerge",
)
"""The changes that may be noted in one season, or in none, and change others."""
_ANY = 0
"""The version of what says itself for what it holds."""


class Cache:
    """Values, each with the version it holds for and its size. Several threads share it."""

    def __init__(self, most: int) -> None:
        self._most, self._room = most, 4
        self._size = 0
        self._values = OrderedDict[Hashable, tuple[int, int, Any]]()
        self._lock = threading.Lock()

    def find(self, key: Hashable, version: int) -> tuple[Any] | None:
        """Return the value of a key, in a tuple, or None where there is none of this version."""
        with self._lock:
            entry = self._values.get(key)
            if entry is None or entry[0] != version:
                return None
            self._values.move_to_end(key)
            return (entry[2],)

    def keep(self, key: Hashable, version: int, value: Any, *, size: int, whole: bool = False) -> None:
        """Keep a value in place of the one before it, and let go of what was not used for longest.

        There is always room for what is kept of a `whole` league, and for its seasons beside it.
        """
        with self._lock:
            self._size += size - self._values.pop(key, (0, 0, None))[1]
            self._values[key] = version, size, value
            self._most = max(self._most, self._room * size if whole else 0)
            while self._size > self._most:
                self._size -= self._values.popitem(last=False)[1][1]


def memoized(
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
    if conn.cache is None or conn.changes:
        return conn.once((what, season_id), work_out)
    version = conn.once(("change", season_id), lambda: _newest_change(conn, season_id))
    if version is None:
        return conn.once((what, season_id), work_out)
    kept = conn.cache.find((what, season_id), version)
    if kept is not None:
        return kept[0]
    value = work_out()
    conn.cache.keep((what, season_id), version, value, size=size(value))
    return value


def _newest_change(conn: "Connection", season_id: "SeasonId") -> int | None:
    sql = "SELECT max(id) FROM audit WHERE league_id = (SELECT league_id FROM seasons WHERE id = ?)"
    return conn.execute(sql, (season_id,)).fetchone()[0]


class InTurn(NamedTuple):
    """A season of a league in the order of their numbers, and the newest change that it or one before it rests on."""

    season_id: "SeasonId"
    number: int
    version: int


def in_turn(conn: "Connection", league_id: "LeagueId") -> tuple[InTurn, ...]:
    """Return a league's seasons in turn, each with the version of all up to it."""
    marks = ", ".join("?" * len(ACROSS_SEASONS))
    across = f"SELECT max(id) FROM audit WHERE league_id = ? AND action IN ({marks})"
    version = conn.execute(across, (league_id, *ACROSS_SEASONS)).fetchone()[0] or 0
    turns: list[InTurn] = []
    sql = (
        "SELECT id, number, (SELECT max(id) FROM audit WHERE season_id = s.id) FROM seasons s"
        " WHERE league_id = ? AND number IS NOT NULL ORDER BY number"
    )
    for season_id, number, newest in conn.execute(sql, (league_id,)):
        version = max(version, newest or 0)
        turns.append(InTurn(season_id, number, version))
    return tuple(turns)


def known_in_turn(conn: "Connection", key: Hashable, seasons: Sequence[InTurn]) -> tuple[Any, ...]:
    """Return what is kept of a league season by season, as far as it holds; a transaction finds it too."""
    kept_then: tuple[tuple[InTurn, Any], ...] = ((conn.cache and conn.cache.find(key, _ANY)) or ((),))[0]
    holds: list[Any] = []
    for season, (then, value) in zip(seasons, kept_then, strict=False):
        if season != then:
            break
        holds.append(value)
    return tuple(holds)


def keep_in_turn(cache: Cache, key: Hashable, seasons: Sequence[InTurn], values: Sequence[Any], *, size: int) -> None:
    """Keep what was worked out of a league season by season, in place of what was kept."""
    cache.keep(key, _ANY, tuple(zip(seasons, values, strict=True)), size=size, whole=True)
