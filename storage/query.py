"""The few shapes of a query: one row, many rows, one value, an insert."""

from typing import Any

from storage.columns import Row, read, stored
from storage.database import Connection


async def one(conn: Connection, kind: type[Row], sql: str, *values: Any) -> Row | None:
    """Return the first row of a query, or None."""
    records = list(await conn.execute_fetchall(sql, stored(values)))
    return read(kind, records[0]) if records else None


async def the(conn: Connection, kind: type[Row], sql: str, *values: Any) -> Row:
    """Return the one row of a query that cannot fail to find it; raises LookupError where it does."""
    row = await one(conn, kind, sql, *values)
    if row is None:
        raise LookupError(f"no {kind.__name__} for {values}")
    return row


async def many(conn: Connection, kind: type[Row], sql: str, *values: Any) -> tuple[Row, ...]:
    """Return all rows of a query."""
    return tuple(read(kind, record) for record in await conn.execute_fetchall(sql, stored(values)))


async def value(conn: Connection, sql: str, *values: Any) -> Any:
    """Return the first column of the first record, or None."""
    records = list(await conn.execute_fetchall(sql, stored(values)))
    return records[0][0] if records else None


async def column(conn: Connection, sql: str, *values: Any) -> tuple[Any, ...]:
    """Return the first column of every record."""
    return tuple(record[0] for record in await conn.execute_fetchall(sql, stored(values)))


async def insert(conn: Connection, table: str, **values: Any) -> int:
    """Insert one record and return its id; the names of table and columns come from code, never from people."""
    marks = ", ".join("?" * len(values))
    sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"  # noqa: S608 (names from code)
    record = await conn.execute_insert(sql, stored(tuple(values.values())))
    assert record is not None
    return int(record[0])


async def update(conn: Connection, table: str, record_id: int, **values: Any) -> None:
    """Change columns of one record; the names of table and columns come from code, never from people."""
    changes = ", ".join(f"{name} = ?" for name in values)
    sql = f"UPDATE {table} SET {changes} WHERE id = ?"  # noqa: S608 (names from code)
    await run(conn, sql, *values.values(), record_id)


async def run(conn: Connection, sql: str, *values: Any) -> int:
    """Run a statement and return how many records it changed."""
    async with conn.execute(sql, stored(values)) as cursor:
        return cursor.rowcount
