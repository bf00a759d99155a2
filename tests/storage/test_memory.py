"""What was read of the file is in memory for as long as someone holds it, apart from what has a limit."""

import gc
import sys

import pytest

from storage.columns import read_all
from storage.database import Database
from storage.rows import SeatRow
from tests.files import look_into

MANY = 1000
SEATS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
    " SELECT i AS round_id, i AS entrant_id, NULL AS match_id, json_array('why ' || i) AS why,"
    " json_array('draw ' || i) AS draws, '[]' AS in_short FROM n"
)


def in_memory() -> int:
    """Return how many blocks of memory are in use."""
    gc.collect()
    return sys.getallocatedblocks()


@pytest.mark.long
def test_the_reasons_of_matches_do_not_stay_in_memory_once_they_were_read(db: Database) -> None:
    def look(count: int) -> SeatRow:
        return read_all(SeatRow, conn.execute_fetchall(SEATS, (count,)))[-1]

    with look_into(db) as conn:
        look(1)
        before = in_memory()
        last = look(MANY)
        assert (last.why, last.draws, last.in_short) == ((f"why {MANY}",), (f"draw {MANY}",), ())
        assert in_memory() - before < MANY
