"""Maps or scenarios of a season's rounds."""

from collections.abc import Sequence
from dataclasses import dataclass

from storage.database import Connection
from storage.query import insert, many, run
from storage.rows import SeasonId


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRow:
    """A map of a round; `place` is the round's number, or the name of one of the finals in small letters."""

    place: str
    name: str
    note: str = ""
    link: str = ""


def of_season(conn: Connection, season_id: SeasonId) -> tuple[MapRow, ...]:
    """Return a season's maps in the order they were given."""
    return many(conn, MapRow, "SELECT place, name, note, link FROM maps WHERE season_id = ? ORDER BY id", season_id)


def set_all(conn: Connection, season_id: SeasonId, maps: Sequence[MapRow]) -> None:
    """Give a season these maps in place of those it has."""
    run(conn, "DELETE FROM maps WHERE season_id = ?", season_id)
    for row in maps:
        insert(conn, "maps", season_id=season_id, place=row.place, name=row.name, note=row.note, link=row.link)
