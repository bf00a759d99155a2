"""Which rows of all tables belong to a league or a server, or are about a person: the foreign keys say it."""

import sqlite3
from collections.abc import Collection, Iterator, Mapping

from storage import migrate
from storage.database import Connection


def belonging(
    conn: Connection | sqlite3.Connection,
    own: Mapping[str, str],
    *,
    beside: Collection[str],
    what: str,
    schema: str = "main",
) -> dict[str, str]:
    """Return which rows of each table belong to `what`, tables after those they refer to.

    `own` says it of those that begin; those `beside` belong to no one. Raises LookupError for a table for which no
    foreign key and neither of these says it.
    """
    others = sorted(migrate.tables() - {*own, *beside})
    waiting = {table: _parents(conn, schema, table) for table in others}
    paths = dict(own)
    while waiting:
        ready = [table for table, parents in waiting.items() if parents and parents.keys() <= paths.keys()]
        if not ready:
            raise LookupError(f"which rows of {', '.join(waiting)} belong to {what}?")
        for table in ready:
            parent, (column, key) = next(iter(waiting.pop(table).items()))
            paths[table] = f"{column} IN (SELECT {key} FROM {schema}.{parent} WHERE {paths[parent]})"
    return paths


def referring(conn: Connection, to: str) -> Iterator[tuple[str, str]]:
    """Yield each table that refers to another one, with the column that does."""
    for table in sorted(migrate.tables()):
        for _, _, parent, column, *_ in conn.execute(f"PRAGMA foreign_key_list({table})").fetchall():
            if parent == to:
                yield table, column


def _parents(conn: Connection | sqlite3.Connection, schema: str, table: str) -> dict[str, tuple[str, str]]:
    """Return the tables that every row of a table refers to, each with the column here and there."""
    filled = {name for _, name, _, notnull, *_ in conn.execute(f"PRAGMA {schema}.table_info({table})") if notnull}
    keys = conn.execute(f"PRAGMA {schema}.foreign_key_list({table})").fetchall()
    return {parent: (here, column) for _, _, parent, here, column, *_ in keys if here in filled}
