"""Export a season as a league file, and import one."""

from dataclasses import dataclass

from bot.league.checking.league_file import writing
from bot.league.formats import by_key
from bot.league.season.phases import LIVE
from bot.services.base import asked, counted
from bot.services.base.act import ORGANISER, act, look, numbered
from bot.services.base.order import Order
from bot.services.leagues import imported_season
from bot.services.leagues.file_contents import FileContents
from storage.database import Connection
from storage.rows import SeasonRow

LARGEST_FILE = 4_000_000
"""Bytes of a file that Discord brings; a season of 10,000 players fits twice. The program takes larger ones."""
MOST_ENTRIES = 50_000
"""As many players, matches and earlier meetings as others wait for without noticing while they are saved."""
READING_SECONDS = 30
IMPORT_MEMORY = 768_000_000
"""Bytes of address space in which a file is read and judged; a third of it is Python with what it imports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFile:
    """A league file and the name to save it under; nothing of it comes from people."""

    filename: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What was imported; a `record` counts for ratings and rematches alone, `live` is played on from here."""

    season_number: int
    players: int
    matches: int
    record: bool
    live: bool


def export(conn: Connection, order: Order, *, season_number: int | None = None) -> ExportedFile:
    """Return a season, by default the newest, as a league file for an organiser; raises NotAllowed and NotFound."""
    see = look(conn, order, numbered(season_number), by=ORGANISER)
    row = see.season
    return file_of(see.conn, row)


def file_of(conn: Connection, row: SeasonRow) -> ExportedFile:
    """Return a season as a league file."""
    season = asked.with_all_parts(conn, row, counted.complete(conn, row))
    return ExportedFile(filename=f"fairpair-season-{season.number}.json", text=writing.to_json(season))


def require_importer(conn: Connection, order: Order) -> None:
    """Raise NotAllowed for who may not import files into a league."""
    look(conn, order).organiser()


LIMITS = (
    f"Here a file can have {LARGEST_FILE / 1_000_000:.0f} MB and {MOST_ENTRIES:,} of those, and take"
    f" {READING_SECONDS} seconds to check. The person who runs the bot can import larger ones with"
    " python -m bot import."
)


def save(conn: Connection, order: Order, file: FileContents) -> Imported:
    """Save a file that was read as the season it is."""
    season = file.season
    do = act(conn, order)
    imported_season.take(do, file)
    if file.phase in LIVE:
        do.show_season()
    size = {"players": len(season.entrants), "matches": file.matches}
    do.note("league.import", f"season {season.number}", after={"format": season.format, **size, "phase": file.phase})
    return Imported(
        season_number=season.number, **size, record=not by_key(season.format).paired, live=file.phase in LIVE
    )
