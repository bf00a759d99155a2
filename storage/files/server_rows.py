"""Move the rows of a server from one database to another; which rows those are, the foreign keys say."""

import contextlib
import secrets
import sqlite3
from collections.abc import Generator, Mapping
from pathlib import Path

from bot.league.errors import Conflict
from storage.belonging import belonging
from storage.files.damage import reading

OWN: Mapping[str, str] = dict.fromkeys(("leagues", "guilds", "held_roles"), "guild_id = :guild")
"""Tables that name the server; rows of others belong to it through what they refer to."""
SHARED: Mapping[str, str] = {"availability": "discord_id IN (SELECT discord_id FROM {schema}.players WHERE {players})"}
"""Tables of people in all servers: their rows are copied and stay, and what the other database has already counts."""
STAYS = frozenset({"arrivals", "sqlite_sequence"})

REGION = 1 << 32
"""As many ids has each table of a database for itself, before those of another one could be met."""


def of_server(conn: sqlite3.Connection, schema: str) -> dict[str, str]:
    """Return which rows of each table belong to the server, as `belonging` does."""
    return belonging(conn, OWN, beside=(*SHARED, *STAYS), what="a server", schema=schema)


def copy_in(source: Path, target: Path, guild: int) -> None:
    """Copy a server's rows, ids and all, into another database, where they wait until `finish`.

    What an earlier try copied is copied again. Raises Conflict where the other database has leagues of this server, or
    other rows under the same ids.
    """
    with _writing(target) as conn:
        conn.execute("ATTACH ? AS source", (str(source),))
        conn.execute("BEGIN IMMEDIATE")
        if conn.execute(
            "SELECT 1 FROM main.leagues WHERE guild_id = ?1"
            " AND NOT EXISTS (SELECT 1 FROM main.arrivals WHERE guild_id = ?1)",
            (guild,),
        ).fetchone():
            raise Conflict(f"{target} has leagues of server {guild} already; nothing was moved.")
        _delete(conn, guild)
        conn.execute("INSERT OR IGNORE INTO arrivals VALUES (?, ?)", (guild, str(source)))
        try:
            _copy_rows(conn, guild)
        except sqlite3.IntegrityError as taken:
            raise Conflict(
                f"{target} has other rows under ids of server {guild} ({taken}), because it was begun as a database of"
                " its own; nothing was moved. Move into a new file, or one that was begun by a move from this one."
            ) from None
        _leave_room(conn)
        _finish(conn)


def _copy_rows(conn: sqlite3.Connection, guild: int) -> None:
    rows = of_server(conn, "source")
    for table, condition in rows.items():
        _copy_table(conn, table, condition, guild, "INSERT")
    for table, condition in SHARED.items():
        of_people = condition.format(schema="source", players=rows["players"])
        _copy_table(conn, table, of_people, guild, "INSERT OR IGNORE")


def _copy_table(conn: sqlite3.Connection, table: str, condition: str, guild: int, insert: str) -> None:
    columns = ", ".join(name for _, name, *_ in conn.execute(f"PRAGMA main.table_info({table})"))
    conn.execute(
        f"{insert} INTO main.{table} ({columns}) SELECT {columns} FROM source.{table} WHERE {condition} ORDER BY rowid",
        {"guild": guild},
    )


def _leave_room(conn: sqlite3.Connection) -> None:
    """Let new rows here have ids that neither database has or will have, so that later moves meet no other rows."""
    used = (
        "SELECT max(seq) FROM (SELECT seq FROM main.sqlite_sequence UNION ALL SELECT seq FROM source.sqlite_sequence)"
    )
    (highest,) = conn.execute(used).fetchone()
    first = (highest // REGION + 1 + secrets.randbelow(1000)) * REGION
    conn.execute("DELETE FROM main.sqlite_sequence")
    counted = "SELECT name, ? FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
    conn.execute(f"INSERT INTO main.sqlite_sequence (name, seq) {counted}", (first,))


def take_out(source: Path, guild: int) -> None:
    """Delete a server's rows."""
    with _writing(source) as conn:
        conn.execute("BEGIN IMMEDIATE")
        _delete(conn, guild)
        _finish(conn)


def finish(target: Path, guild: int) -> None:
    """Let a bot run the leagues of a server that was copied in."""
    with _writing(target) as conn:
        conn.execute("DELETE FROM arrivals WHERE guild_id = ?", (guild,))


def _delete(conn: sqlite3.Connection, guild: int) -> None:
    for table, condition in reversed(of_server(conn, "main").items()):
        conn.execute(f"DELETE FROM main.{table} WHERE {condition}", {"guild": guild})


def _finish(conn: sqlite3.Connection) -> None:
    broken = conn.execute("PRAGMA main.foreign_key_check").fetchone()
    if broken is not None:
        raise sqlite3.IntegrityError(f"a row of {broken[0]} refers to nothing")
    conn.execute("COMMIT")


def arriving(path: Path) -> dict[int, str]:
    """Return the servers whose move into a database isn't finished, and the database they come from."""
    with reading(path) as conn:
        return dict(conn.execute("SELECT guild_id, source FROM arrivals").fetchall())


@contextlib.contextmanager
def _writing(path: Path) -> Generator[sqlite3.Connection]:
    """Yield a connection whose transaction, unless committed, is undone at the end."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("PRAGMA synchronous = FULL")
        yield conn
