"""What a database file holds, read from outside with plain SQL: nothing of the storage or the services is asked."""

import hashlib
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LIVE = ("signup", "running", "finals")
PLAYING = ("running", "finals")

_MATCHES = (
    "SELECT m.*, r.number, r.phase AS round_phase, r.season_id FROM matches m JOIN rounds r ON r.id = m.round_id"
    " WHERE r.phase <> 'draft'"
)
_REPORTS = (
    "SELECT match_id, entrant_id, result, own_games, their_games, own_score, their_score FROM reports"
    " WHERE replaced_at IS NULL"
)
_ENTRANTS = (
    "SELECT e.id, e.season_id, e.name, p.name AS called, p.discord_id, "
    "(SELECT kind FROM departures d WHERE d.entrant_id = e.id AND d.rejoined IS NULL) AS gone,"
    " (SELECT by_moderator FROM departures d WHERE d.entrant_id = e.id AND d.rejoined IS NULL) AS gone_by_moderator,"
    " EXISTS (SELECT 1 FROM departures d JOIN rounds r ON r.season_id = e.season_id WHERE d.entrant_id = e.id"
    " AND d.rejoined > (SELECT max(number) FROM rounds r WHERE r.season_id = e.season_id AND r.phase <> 'draft'))"
    " AS coming_back FROM entrants e JOIN players p ON p.id = e.player_id"
)
_PERSON = (
    "SELECT p.discord_id FROM players p WHERE p.id = coalesce((SELECT x.player_id FROM substitutes x"
    " WHERE x.entrant_id = ?1 AND x.round <= ?2 ORDER BY x.round DESC LIMIT 1),"
    " (SELECT player_id FROM entrants WHERE id = ?1))"
)


@dataclass(frozen=True, slots=True)
class Result:
    """How a match stands."""

    state: str
    kind: str
    winner: int | None


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything the model compares, as it is at one moment."""

    tables: dict[str, dict[int, sqlite3.Row]]
    seasons: dict[int, sqlite3.Row]
    matches: dict[int, sqlite3.Row]
    reports: dict[tuple[int, int], sqlite3.Row]
    entrants: dict[int, sqlite3.Row]

    def result(self, match: int) -> Result:
        row = self.matches[match]
        return Result(row["state"], row["kind"], row["winner_id"])

    def inside(self, season: int) -> set[int]:
        """Return who plays in a season: the entries that haven't left."""
        return {key for key, row in self.entrants.items() if row["season_id"] == season and row["gone"] is None}

    def live(self, league_id: int) -> sqlite3.Row | None:
        """Return the season of a league that takes sign-ups or is played."""
        rows = (row for row in self.seasons.values() if row["league_id"] == league_id and row["phase"] in LIVE)
        return next(rows, None)


class File:
    """A database file, looked at from outside."""

    def __init__(self, path: Path) -> None:
        self._conn = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self._conn.row_factory = sqlite3.Row
        self._newest: tuple[int, Facts] | None = None
        self._tables = [row[0] for row in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]

    def close(self) -> None:
        self._conn.close()

    def rows(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        return self._conn.execute(sql, values).fetchall()

    def column(self, sql: str, *values: Any) -> list[Any]:
        return [row[0] for row in self.rows(sql, *values)]

    def value(self, sql: str, *values: Any) -> Any:
        return next(iter(self.column(sql, *values)), None)

    def person(self, entrant: int, number: int) -> int | None:
        """Return the Discord id of the one who sits in a seat in a round."""
        return self.value(_PERSON, entrant, number)

    def facts(self) -> Facts:
        """Return everything as it is now, in one consistent view."""
        self._conn.execute("BEGIN")
        try:
            self._conn.execute("SELECT 1 FROM leagues LIMIT 1").fetchone()  # from here on nothing changes
            version = self.value("PRAGMA data_version")
            if self._newest is not None and self._newest[0] == version:
                return self._newest[1]
            facts = Facts(
                tables={table: self._dump(table) for table in self._tables},
                seasons={row["id"]: row for row in self.rows("SELECT * FROM seasons")},
                matches={row["id"]: row for row in self.rows(_MATCHES)},
                reports={(row["match_id"], row["entrant_id"]): row for row in self.rows(_REPORTS)},
                entrants={row["id"]: row for row in self.rows(_ENTRANTS)},
            )
            self._newest = version, facts
            return facts
        finally:
            self._conn.execute("ROLLBACK")

    def digest(self) -> str:
        """Return what stands for everything in the file."""
        rows = (f"{table} {list(row)}" for table, all_ in self.facts().tables.items() for row in all_.values())
        return hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16]

    def _dump(self, table: str) -> dict[int, sqlite3.Row]:
        return {row[0]: row for row in self.rows(f"SELECT rowid AS row_id, * FROM {table}")}

    def require_sound(self) -> None:
        """Fail where SQLite finds a damaged page, index or constraint, or a reference that leads nowhere."""
        assert self.column("PRAGMA integrity_check") == ["ok"]
        assert self.rows("PRAGMA foreign_key_check") == []
