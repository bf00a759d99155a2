"""Export a season as a league file, and import one."""

import asyncio
from dataclasses import dataclass
from datetime import datetime

from bot.league.checking.league_file import writing
from bot.league.errors import Invalid, Unavailable
from bot.league.formats import by_key
from bot.league.season.model import Season
from bot.league.season.phases import LIVE
from bot.services.base.act import act, look
from bot.services.base.permissions import BOT, Actor
from bot.services.computing import begins_again
from bot.services.delivery import board
from bot.services.leagues import imported_season
from bot.services.leagues.file_contents import FileContents, contents_of
from bot.services.reads import careers
from bot.worker import Worker, WorkerFailed
from storage.database import Database
from storage.rows import LeagueId

LARGEST_FILE = 4_000_000
"""Bytes of a file that Discord brings; a season of 10,000 players fits twice. The program takes larger ones."""
MOST_ENTRIES = 50_000
"""As many players, matches and earlier meetings as others wait for without noticing while they are saved."""
READING_SECONDS = 30
IMPORT_MEMORY = 768_000_000
"""Bytes of address space in which a file is read and judged; a third of it is Python with what it imports."""
MOST_WAITING = 3
"""As many imports at once; they take their turns, so that one more would wait for minutes."""


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


async def export(db: Database, *, actor: Actor, league_id: LeagueId, season_number: int | None = None) -> ExportedFile:
    """Return a season, by default the newest, as a league file for an organiser; raises NotAllowed and NotFound."""
    async with look(db, actor, league_id) as see:
        see.organiser()
        row = await see.in_season(season_number)
        season = await careers.complete(see.conn, row)
    return await asyncio.to_thread(file_of, season)


def file_of(season: Season) -> ExportedFile:
    """Return a season as a league file."""
    return ExportedFile(filename=f"fairpair-season-{season.number}.json", text=writing.to_json(season))


async def import_file(
    db: Database, *, actor: Actor, now: datetime, league_id: LeagueId, data: bytes, worker: Worker | None = None
) -> Imported:
    """Import a league file into a league as the season it is; it is read in the worker, or in a thread.

    Raises NotAllowed before anything is read, Invalid with the place and what to fix or what is too much, Unavailable
    while others import, and Conflict where the season or another live one is there already.
    """
    async with look(db, actor, league_id) as see:
        see.organiser()  # before anything is read: reading and pairing a large file takes long
    if actor is not BOT and len(data) > LARGEST_FILE:
        raise Invalid(f"The file is {len(data) / 1_000_000:.1f} MB. {_LIMITS}")
    file = await asyncio.to_thread(contents_of, data) if worker is None else await _read(worker, data)
    if actor is not BOT and file.entries > MOST_ENTRIES:
        raise Invalid(f"The file has {file.entries:,} players, matches and earlier meetings. {_LIMITS}")
    return await _save(db, actor, now, league_id, file)


_LIMITS = (
    f"Here a file can have {LARGEST_FILE / 1_000_000:.0f} MB and {MOST_ENTRIES:,} of those, and take"
    f" {READING_SECONDS} seconds to check. The person who runs the bot can import larger ones with"
    " python -m bot import."
)


async def _read(worker: Worker, data: bytes) -> FileContents:
    """Read a file beside the bot, in bounded time and memory."""
    if worker.waiting >= MOST_WAITING:
        raise Unavailable("Other leagues are importing files now. Try again in some minutes.")
    try:
        return await worker.run(contents_of, data, seconds=READING_SECONDS)
    except (MemoryError, WorkerFailed):
        raise Invalid(f"Checking the file takes too much time or memory. {_LIMITS}") from None


@begins_again
async def _save(db: Database, actor: Actor, now: datetime, league_id: LeagueId, file: FileContents) -> Imported:
    season = file.season
    async with act(db, actor, now, league_id) as do:
        await imported_season.take(do, file)
        if file.phase in LIVE:
            await board.show(do)
        size = {"players": len(season.entrants), "matches": file.matches}
        await do.note(
            "league.import", f"season {season.number}", after={"format": season.format, **size, "phase": file.phase}
        )
    return Imported(
        season_number=season.number, **size, record=not by_key(season.format).paired, live=file.phase in LIVE
    )
