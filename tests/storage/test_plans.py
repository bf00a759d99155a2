"""A statement that reads a table that grows from end to end is refused (`tests/explained.py`), wherever it stands."""

import re

import pytest

from storage.database import Connection, Database
from storage.query import column, run
from tests import explained
from tests.files import look_into
from tests.test_house import ROOT


async def refused(db: Database, sql: str, *values: object) -> list[str]:
    await db.write(run, sql, *values)
    found = explained.refused[:]
    explained.refused.clear()
    return found


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM matches WHERE state = 'confirmed'",
        "SELECT m.id FROM rounds r JOIN matches m ON m.round_id = r.id",
        "SELECT id FROM entrants WHERE name IN (SELECT value FROM json_each('[1]'))",
        "SELECT 1 WHERE EXISTS (SELECT 1 FROM audit WHERE reason = 'none')",
        "UPDATE matches SET got_time = 1 WHERE winner_id = upper_id",
        "DELETE FROM reports WHERE at < 0",
        "INSERT INTO maps (season_id, place, name, note, link) SELECT id, 'a', 'b', '', '' FROM seasons WHERE salt",
        "SELECT entrant_id FROM departures WHERE rejoined IS NULL",
    ],
)
async def test_a_statement_that_reads_a_growing_table_whole_is_refused_once(db: Database, sql: str) -> None:
    assert "SCAN" in (await refused(db, sql))[0]
    assert await refused(db, sql) == []


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM matches WHERE round_id = 1",
        "SELECT id FROM matches WHERE id IN (SELECT value FROM json_each('[1]'))",
        "SELECT id FROM rounds WHERE phase = 'open'",
        "SELECT max(id) FROM matches",
        "SELECT name FROM leagues",
        "UPDATE matches SET got_time = 1 WHERE id = 7",
        "SELECT count(*) FROM (SELECT 1 FROM matches WHERE round_id = 1 UNION ALL SELECT 2)",
    ],
)
async def test_a_search_and_a_look_at_all_that_waits_are_not(db: Database, sql: str) -> None:
    assert await refused(db, sql) == []


async def test_each_way_to_run_a_statement_is_watched(db: Database) -> None:
    def use(conn: Connection) -> None:
        conn.execute("UPDATE seats SET why = '[]' WHERE draws = '1'")
        conn.executemany("UPDATE seats SET why = '[]' WHERE draws = ?", [("2",), ("3",)])
        conn.execute_fetchall("SELECT round_id FROM seats WHERE draws = '4'")
        conn.execute_insert("INSERT INTO decisions (season_id, after_round, names) SELECT 1, 1, draws FROM seats")

    await db.write(use)
    await db.read(column, "SELECT 5 FROM seats WHERE draws = '5'")
    assert len(explained.refused) == 5
    explained.refused.clear()


def deleted_from() -> set[str]:
    """Return the tables some statement deletes from."""
    return {
        table
        for path in (ROOT / "storage").rglob("*.py")
        for table in re.findall(r"DELETE FROM (\w+)", path.read_text(encoding="utf-8"))
    }


@pytest.mark.long
def test_deleting_a_row_searches_the_rows_that_refer_to_it_by_an_index(db: Database) -> None:
    """SQLite doesn't explain this part of deleting."""
    assert {"entrants", "rounds", "matches"} <= deleted_from()
    with look_into(db) as conn:
        tables = [row[0] for row in conn.execute_fetchall("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            for key in conn.execute_fetchall(f"PRAGMA foreign_key_list({table})"):
                indexed = key[2] not in deleted_from() or key[3] in first_columns(conn, table)
                assert indexed, f"{table}.{key[3]} has no index"


def first_columns(conn: Connection, table: str) -> set[str]:
    """Return the columns by which a table's complete indexes begin, and the one that is the number of its rows."""
    indexes = conn.execute_fetchall(f"PRAGMA index_list({table})")
    info = conn.execute_fetchall(f"PRAGMA table_info({table})")
    keys = [(column[1], column[2]) for column in info if column[5]]
    number = {name for name, kind in keys if kind == "INTEGER" and len(keys) == 1}
    found = [list(conn.execute_fetchall(f"PRAGMA index_info({row[1]})")) for row in indexes if not row[4]]
    return {columns[0][2] for columns in found} | number
