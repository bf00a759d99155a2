"""Every statement of the bot finds its rows by an index: each new one is explained once a process, as tests run it."""

import re
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from storage.database import Connection, Values

SMALL = {"leagues"}
"""Tables that may be read whole: there is one league for a community."""
GROWING = {"one_departure_at_a_time", "one_standing_report"}
"""Partial indexes that grow with each season. All others hold what waits at the moment, and may be read whole."""
_NO_TABLE = re.compile(r"SCAN (CONSTANT ROW|json_each|\(subquery)")
_PARTIAL = "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ? AND sql LIKE '%) WHERE %'"

refused: list[str] = []
"""What was refused and no test has failed for yet."""
_known: dict[str, frozenset[str]] = {}
"""What was explained, with the tables each statement changes."""


class Explained(Connection):
    """A connection of the bot that explains what it runs for the first time, and knows which tables it changed."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.changed = set[str]()

    def execute(self, sql: str, values: Values = ()) -> sqlite3.Cursor:
        self._explain(sql, values)
        return super().execute(sql, values)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> sqlite3.Cursor:
        each = list(rows)
        self._explain(sql, each[0])
        return super().executemany(sql, each)

    def execute_fetchall(self, sql: str, values: Values = ()) -> list[sqlite3.Row]:
        self._explain(sql, values)
        return super().execute_fetchall(sql, values)

    def execute_insert(self, sql: str, values: Values = ()) -> int:
        self._explain(sql, values)
        return super().execute_insert(sql, values)

    def _explain(self, sql: str, values: Values) -> None:
        changed = _known.get(sql)
        if changed is None:
            changed = _changes(sql)
            if re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", sql):
                steps = [row[3] for row in self._sqlite.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
                refused.extend(f"{step}: {sql}" for step in steps if not self._allows(step))
            _known[sql] = changed
        if changed:
            self.changed |= changed

    def _allows(self, step: str) -> bool:
        """Whether a step of a plan reads no more than it must."""
        if not step.startswith("SCAN ") or _NO_TABLE.match(step) or step.split()[1] in SMALL:
            return True
        index = re.search(r"USING (?:COVERING )?INDEX (\w+)", step)
        if index is None or index[1] in GROWING:
            return False
        return self._sqlite.execute(_PARTIAL, (index[1],)).fetchone() is not None


def _changes(sql: str) -> frozenset[str]:
    """Return the tables a statement changes; what can't be told counts as one of its own."""
    changed = re.match(r"\s*(?:INSERT(?: OR \w+)? INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+(\w+)", sql)
    if changed is not None:
        return frozenset({changed[1]})
    return frozenset() if re.match(r"\s*SELECT\b", sql) else frozenset({sql})
