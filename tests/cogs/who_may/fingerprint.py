"""Everything a database knows of one league: every row that hangs on it, found through the schema's foreign keys."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

Rows = Mapping[str, Mapping[int, tuple[object, ...]]]
"""The rows of each table by their rowid."""


class Watch:
    """Looks at one league in the file of a running bot."""

    def __init__(self, file: Path, league_id: int) -> None:
        self._conn = sqlite3.connect(file)
        self._league_id = league_id
        self._version = -1
        self._rows: Rows = {}

    def close(self) -> None:
        """Close the file."""
        self._conn.close()

    def rows(self) -> Rows:
        """Return every row that hangs on the league; read again only after something was written."""
        (version,) = self._conn.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._version, self._rows = version, _hanging_on(self._conn, self._league_id)
        return self._rows


def tables(conn: sqlite3.Connection) -> list[str]:
    """Return the names of all tables of ours."""
    query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    return [name for (name,) in conn.execute(query)]


def keys(conn: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    """Return the columns of a table that name a row of another, with that other table."""
    listed = conn.execute('SELECT "from", "table" FROM pragma_foreign_key_list(?)', (table,))
    return [(column, target) for column, target in listed]


def changes(before: Rows, after: Rows) -> list[str]:
    """Return what differs, a line for each row."""
    found: list[str] = []
    for table in sorted({*before, *after}):
        old, new = before.get(table, {}), after.get(table, {})
        changed = [row for row in sorted({*old, *new}) if old.get(row) != new.get(row)]
        found += [f"{table} {row}: {old.get(row)} -> {new.get(row)}" for row in changed]
    return found


def _hanging_on(conn: sqlite3.Connection, league_id: int) -> Rows:
    """Follow the foreign keys from the league's own row until no row is added."""
    named = {table: keys(conn, table) for table in tables(conn)}
    found: dict[str, dict[int, tuple[object, ...]]] = {table: {} for table in named}
    found["leagues"] = {row[0]: row for row in conn.execute("SELECT rowid, * FROM leagues WHERE id = ?", (league_id,))}
    growing = True
    while growing:
        growing = False
        for table, columns in named.items():
            with closing(conn.execute(f"SELECT rowid, * FROM {table}")) as rows:
                places = {column[0]: at for at, column in enumerate(rows.description)}
                for row in rows:
                    hangs = any(row[places[column]] in found[target] for column, target in columns)
                    if hangs and row[0] not in found[table]:
                        found[table][row[0]], growing = row, True
    return found
