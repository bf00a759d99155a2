"""Import a season of a league file: how large it can be, and what organisers read before they agree."""

from dataclasses import dataclass

from bot.league.formats import by_key
from bot.league.season.in_words import amount
from bot.league.season.phases import LIVE, PLAYING
from bot.services.base.act import ORGANISER, Look, act, look
from bot.services.base.ask_first import ask_first
from bot.services.base.order import Order
from bot.services.leagues import imported_players, imported_season
from bot.services.leagues.file_contents import FileContents
from bot.services.leagues.imported_players import Recognised
from bot.services.leagues.moving_in import Brought, next_to_start
from storage.database import Connection
from storage.tables import imports, seasons

LARGEST_FILE = 4_000_000
"""Bytes of a file that Discord brings; a season of 10,000 players fits twice. The program takes larger ones."""
MOST_ENTRIES = 50_000
"""As many players, matches and earlier meetings as others wait for without noticing while they are saved."""
READING_SECONDS = 30
MOST_NAMED = 12
"""As many people with two names as a preview says."""
IMPORT_MEMORY = 768_000_000
"""Bytes of address space in which a file is read and judged; a third of it is Python with what it imports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Brought):
    """What a league file brought; a `record` counts for ratings and rematches alone, `live` is played on from here."""

    players: int
    record: bool
    live: bool

    @property
    def season_number(self) -> int:
        """The number of its season."""
        return self.numbers[0]


def require_importer(conn: Connection, order: Order) -> None:
    """Raise NotAllowed for who may not import files into a league."""
    look(conn, order, by=ORGANISER)


def importing_league(conn: Connection, order: Order) -> str:
    """Return the name of the league someone imports into; raises NotAllowed."""
    return look(conn, order, by=ORGANISER).league.name


LIMITS = (
    f"Here a file can have {LARGEST_FILE / 1_000_000:.0f} MB and {MOST_ENTRIES:,} of those, and take"
    f" {READING_SECONDS} seconds to check. The person who runs the bot can import larger ones with"
    " python -m bot import."
)


def save(conn: Connection, order: Order, file: FileContents, *, agreed: str | None = None) -> Imported:
    """Save a file that was read as the season it is; raises AskFirst with what it would bring."""
    season = file.season
    do = act(conn, order, by=ORGANISER)
    imported_season.require_room(do, file)
    who = imported_players.recognise(do, file.people, file.name_keys)
    ask_first(_preview(do, file, who), agreed)
    row = imports.add(conn, league_id=do.league.id, at=do.now)
    imported_season.take(do, file, row, imported_players.take_players(do, who, file.name_keys, row))
    imports.note_newest(conn, row.id)
    if file.phase in LIVE:
        do.show_season()
    else:
        do.found = None
    size = {"players": len(season.entrants), "matches": file.matches}
    do.note("league.import", f"season {season.number}", after={"format": season.format, **size, "phase": file.phase})
    return Imported(
        id=row.id,
        numbers=(season.number,),
        **size,
        known=len(who.known),
        new=len(who.new),
        record=not by_key(season.format).paired,
        live=file.phase in LIVE,
        running=_running(do),
        next=next_to_start(do),
    )


def _running(see: Look) -> int | None:
    live = seasons.live(see.conn, see.league.id)
    return live.number if live is not None and live.phase in PLAYING else None


def _preview(see: Look, file: FileContents, who: Recognised) -> str:
    """Return in sentences what a file would bring."""
    season, live, running = file.season, file.phase in LIVE, _running(see)
    size = f"{amount(len(season.entrants), 'player')}, {amount(file.matches, 'match', 'matches')}"
    people = f"{len(who.known)} known, {len(who.new)} new"
    kind = by_key(season.format).title
    lines = [f"Season {season.number} ({kind}), {'not over' if live else 'over'}: {size}. People: {people}."]
    other = [f"{name} is {called}" for name, called in who.called.items() if name != called]
    if other:
        more = f" and {len(other) - MOST_NAMED} more" if len(other) > MOST_NAMED else ""
        lines.append(f"In the file some are called something else: {', '.join(other[:MOST_NAMED])}{more}.")
    if live:
        lines.append(
            "It goes on here: its board and its open round are posted at once. Its import can't be taken back; "
            "/season cancel ends it."
        )
    elif running is not None:
        lines.append(f"Season {running} is running: its pairings and ratings stay as they are.")
    return " ".join(lines)
