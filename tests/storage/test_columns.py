"""Every column that a call names exists: SQLite would say so only when the line runs."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.database import Database
from tests.files import look_into

ROOT = Path(__file__).parents[2]
TABLES = {
    "leagues.add": "leagues",
    "leagues.change": "leagues",
    "players.change": "players",
    "seasons.add": "seasons",
    "seasons.change": "seasons",
    "do.change_season": "seasons",
    "entrants.add": "entrants",
    "entrants.change": "entrants",
    "entrants.depart": "departures",
    "entrants.change_departure": "departures",
    "rounds.add": "rounds",
    "rounds.change": "rounds",
    "matches.add": "matches",
    "matches.change": "matches",
    "ties.add": "ties",
    "ties.change": "ties",
    "reports.add": "reports",
    "audit.add": "audit",
}
"""The functions that take columns by name, as they are called."""


def named_columns(source: str) -> Iterator[tuple[str, str]]:
    """Yield the table and the name of each column that is named in a call."""
    if not any(f"{called}(" in source for called in TABLES):
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(ast.Attribute(ast.Name(of), called), keywords=keywords) if f"{of}.{called}" in TABLES:
                yield from ((TABLES[f"{of}.{called}"], keyword.arg) for keyword in keywords if keyword.arg is not None)
            case _:
                pass


@pytest.mark.long
async def test_every_column_named_in_a_call_exists(db: Database) -> None:
    sources = [path.read_text("utf-8") for folder in ("bot", "tests") for path in (ROOT / folder).rglob("*.py")]
    named = {each for source in sources for each in named_columns(source)}
    assert {table for table, _ in named} == set(TABLES.values())
    with look_into(db) as conn:
        for table in sorted(set(TABLES.values())):
            there = {record[1] for record in conn.execute_fetchall(f"PRAGMA table_info({table})")}
            assert {name for of, name in named if of == table} <= there


@pytest.mark.parametrize("call", ["await rounds.change(conn, row.id, dedline=now)", "do.change_season(fase=1)"])
def test_a_slip_in_a_columns_name_is_seen(call: str) -> None:
    ((_, name),) = named_columns(call.removeprefix("await "))
    assert name in {"dedline", "fase"}
