"""Statements as values: called with a connection and what they are about, as their type says.

`of_round = Rows[MatchRow, RoundId](MatchRow, "SELECT ... WHERE round_id = ?")` is used as `of_round(conn, round_id)`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar, TypeVarTuple, cast

from storage.columns import Row, columns_of, read, read_all, read_joined, stored
from storage.database import Connection, Values

Id = TypeVar("Id", bound=int)
Found = TypeVar("Found")
Given = TypeVarTuple("Given")


class Rows(Generic[Row, *Given]):
    """A query that finds all its rows."""

    def __init__(self, kind: type[Row], sql: str) -> None:
        self._kind, self.sql = kind, sql

    def __call__(self, conn: Connection, *given: *Given) -> tuple[Row, ...]:
        """Return all rows."""
        return many(conn, self._kind, self.sql, *given)


class One(Generic[Row, *Given]):
    """A query that finds its first row, or None."""

    def __init__(self, kind: type[Row], sql: str) -> None:
        self._kind, self.sql = kind, sql

    def __call__(self, conn: Connection, *given: *Given) -> Row | None:
        """Return the first row, or None."""
        return one(conn, self._kind, self.sql, *given)


class Joined(Generic[Row, *Given]):
    """A query over several tables that finds rows of rows; each table is called like the field it fills."""

    def __init__(self, kind: type[Row], sql: str) -> None:
        self._kind, self.sql = kind, f"SELECT {columns_of(kind)} {sql}"

    def __call__(self, conn: Connection, *given: *Given) -> tuple[Row, ...]:
        """Return all rows."""
        return tuple(read_joined(self._kind, record) for record in conn.execute_fetchall(self.sql, stored(given)))


class Column(Generic[Found, *Given]):
    """A query that finds the first column of every record."""

    def __init__(self, sql: str) -> None:
        self.sql = sql

    def __call__(self, conn: Connection, *given: *Given) -> tuple[Found, ...]:
        """Return the first column of every record."""
        return column(conn, self.sql, *given)


class Value(Generic[Found, *Given]):
    """A query that finds one value: the first column of the first record, None where there is none."""

    def __init__(self, sql: str) -> None:
        self.sql = sql

    def __call__(self, conn: Connection, *given: *Given) -> Found:
        """Return the value."""
        return value(conn, self.sql, *given)


class Exists(Generic[*Given]):
    """A query that tells whether it finds anything."""

    def __init__(self, sql: str) -> None:
        self.sql = sql

    def __call__(self, conn: Connection, *given: *Given) -> bool:
        """Return whether there is a record."""
        return value(conn, self.sql, *given) is not None


class Change(Generic[*Given]):
    """A statement that changes records."""

    def __init__(self, sql: str) -> None:
        self.sql = sql

    def __call__(self, conn: Connection, *given: *Given) -> int:
        """Run it and return how many records it changed."""
        return run(conn, self.sql, *given)


class Table(Generic[Row, Id]):
    """A table whose rows have an id; columns are named by code, never by people."""

    def __init__(self, kind: type[Row], name: str, *, select: str = "") -> None:
        self._kind = kind
        self._name = name
        self._select = select or f"SELECT * FROM {name} t"
        self._is_whole = not select
        """Whether a record of the table is the row: nothing of it is looked up elsewhere."""

    def add(self, conn: Connection, **columns: Any) -> Row:
        """Insert a row; raises sqlite3.IntegrityError where a constraint refuses it."""
        if not self._is_whole:
            return self._the(conn, insert(conn, self._name, **columns))
        return self._returned(conn, _inserting(self._name, columns), *columns.values())

    def change(self, conn: Connection, row_id: Id, **columns: Any) -> Row:
        """Change columns of a row; raises sqlite3.IntegrityError where a constraint refuses it, and LookupError."""
        if not self._is_whole:
            update(conn, self._name, row_id, **columns)
            return self.get(conn, row_id)
        return self._returned(conn, _updating(self._name, columns), *columns.values(), row_id)

    def _returned(self, conn: Connection, sql: str, *values: Any) -> Row:
        row = one(conn, self._kind, f"{sql} RETURNING *", *values)
        if row is None:
            raise LookupError(f"{self._name} has no id {values[-1]}")
        return row

    def get(self, conn: Connection, row_id: Id) -> Row:
        """Return the row of this id; raises LookupError."""
        return self._the(conn, row_id)

    def find(self, conn: Connection, row_id: int) -> Row | None:
        """Return the row of this id, or None where there is none any more."""
        return one(conn, self._kind, f"{self._select} WHERE t.id = ?", row_id)

    def some(self, conn: Connection, ids: Sequence[int]) -> tuple[Row, ...]:
        """Return the rows of these ids, in this order, without those that aren't there any more."""
        rows: dict[int, Row] = {}
        for row in many(conn, self._kind, f"{self._select} WHERE t.id IN (SELECT value FROM json_each(?))", ids):
            rows[cast(Any, row).id] = row
        return tuple(rows[row_id] for row_id in ids if row_id in rows)

    def _the(self, conn: Connection, row_id: int) -> Row:
        row = self.find(conn, row_id)
        if row is None:
            raise LookupError(f"{self._name} has no id {row_id}")
        return row


def one(conn: Connection, kind: type[Row], sql: str, /, *values: Any, **named: Any) -> Row | None:
    """Return the first row of a query, or None; values are given in order, or by name for `:name`."""
    records = conn.execute_fetchall(sql, _bound(values, named))
    return read(kind, records[0]) if records else None


def many(conn: Connection, kind: type[Row], sql: str, /, *values: Any, **named: Any) -> tuple[Row, ...]:
    """Return all rows of a query."""
    return read_all(kind, conn.execute_fetchall(sql, _bound(values, named)))


def column(conn: Connection, sql: str, /, *values: Any, **named: Any) -> tuple[Any, ...]:
    """Return the first column of every record."""
    return tuple(record[0] for record in conn.execute_fetchall(sql, _bound(values, named)))


def records(conn: Connection, sql: str, /, *values: Any, **named: Any) -> tuple[tuple[Any, ...], ...]:
    """Return all records of a query as they are stored."""
    return tuple(map(tuple, conn.execute_fetchall(sql, _bound(values, named))))


def value(conn: Connection, sql: str, /, *values: Any, **named: Any) -> Any:
    """Return the first column of the first record, or None."""
    return next(iter(column(conn, sql, *values, **named)), None)


def insert(conn: Connection, table: str, **values: Any) -> int:
    """Insert one record and return its id."""
    return conn.execute_insert(_inserting(table, values), stored(tuple(values.values())))


def insert_many(conn: Connection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert records that all have the same columns."""
    if rows:
        conn.executemany(_inserting(table, rows[0]), [stored(tuple(row.values())) for row in rows])


def update(conn: Connection, table: str, record_id: int, **values: Any) -> None:
    """Change columns of one record."""
    run(conn, _updating(table, values), *values.values(), record_id)


def _inserting(table: str, values: Mapping[str, Any]) -> str:
    return f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"


def _updating(table: str, values: Mapping[str, Any]) -> str:
    return f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in values)} WHERE id = ?"


def run(conn: Connection, sql: str, /, *values: Any, **named: Any) -> int:
    """Run a statement and return how many records it changed."""
    return conn.execute(sql, _bound(values, named)).rowcount


def _bound(values: tuple[Any, ...], named: Mapping[str, Any]) -> Values:
    return dict(zip(named, stored(tuple(named.values())), strict=True)) if named else stored(values)
