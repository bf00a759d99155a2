"""How a season stands, read from the bot's file beside the bot: what the crowd looks at before it acts."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_HOLDER = (
    "(SELECT discord_id FROM players WHERE id = coalesce((SELECT x.player_id FROM substitutes x"
    " WHERE x.entrant_id = m.{side} AND x.round <= r.number ORDER BY x.round DESC LIMIT 1),"
    " (SELECT e.player_id FROM entrants e WHERE e.id = m.{side})))"
)
"""Who sits in a seat."""
_MATCHES = (
    "SELECT m.id, r.number, m.position, m.state, m.kind,"
    f" {_HOLDER.format(side='upper_id')}, {_HOLDER.format(side='lower_id')}"
    " FROM matches m JOIN rounds r ON r.id = m.round_id WHERE r.phase = 'open' ORDER BY r.number, m.position"
)
_OWED = (
    "SELECT (SELECT count(*) FROM outbox WHERE state = 'due' AND due_at <= ?1)"
    " + (SELECT count(*) FROM held_roles WHERE given IS NOT wanted AND due_at <= ?1)"
)


@dataclass(frozen=True)
class Match:
    """A match of an open round, with who sits in it."""

    id: int
    round: int
    position: int
    state: str
    kind: str | None
    upper: int
    lower: int

    @property
    def sides(self) -> tuple[int, int]:
        return self.upper, self.lower

    @property
    def code(self) -> str:
        return f"R{self.round} M{self.position}"


class State:
    """One season's state in a database file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._kept: sqlite3.Connection | None = None

    @contextmanager
    def kept_open(self) -> Iterator[None]:
        """Keep the file open while it's looked into again and again: to open it takes longer than a look."""
        with self._open() as self._kept:
            try:
                yield
            finally:
                self._kept = None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(f"file:{self._file}?mode=ro", uri=True, timeout=10)) as connection:
            yield connection

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with nullcontext(self._kept) if self._kept else self._open() as connection:
            return connection.execute(sql, values).fetchall()

    def value(self, sql: str, *values: Any) -> Any:
        return next((row[0] for row in self.rows(sql, *values)), None)

    @property
    def phase(self) -> str | None:
        return self.value("SELECT phase FROM seasons ORDER BY id DESC LIMIT 1")

    @property
    def round(self) -> int:
        """The number of the last open round, 0 without one."""
        return self.value("SELECT max(number) FROM rounds WHERE phase = 'open'") or 0

    def matches(self) -> list[Match]:
        """Return the matches of the open round, or of all that are open at once."""
        return [Match(*row) for row in self.rows(_MATCHES)]

    def noted(self, action: str, actor: int) -> int:
        """Return how often the audit has something a person did."""
        return self.value("SELECT count(*) FROM audit WHERE action = ? AND actor_id = ?", action, actor)

    def queued(self, now: float) -> int:
        """Return how many posts have to be sent or edited by now, and how many roles given or taken."""
        return self.value(_OWED, now)
