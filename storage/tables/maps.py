"""Maps or scenarios of a season's rounds."""

from collections.abc import Sequence
from dataclasses import dataclass

from storage.database import Connection
from storage.query import Rows, insert, run
from storage.rows import SeasonId


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRow:
    """A map of a round; `place` is the round's number, or the name of one of the finals in small letters."""

    place: str
    name: str
    note: str = ""
    link: str = ""


of_season = Rows[MapRow, SeasonId](MapRow, "SELECT place, name, note, link FROM maps WHERE season_id = ? ORDER BY id")
"""A season's maps in the order they were given."""


def set_all(conn: Connection, season_id: SeasonId, maps: Sequence[MapRow]) -> None:
    """Give a season these maps in place of those it has."""
    run(conn, "DELETE FROM maps WHERE season_id = ?", season_id)
    for row in maps:
        insert(conn, "maps", season_id=season_id, place=row.place, name=row.name, note=row.note, link=row.link)
