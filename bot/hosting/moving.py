"""Move a server's leagues to another database, so that at no moment two databases have them for a bot to run."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from bot.league.errors import Conflict, Invalid, NotFound
from bot.services.leagues import exporting
from storage.database import Connection, Database
from storage.files import damage, lock, server_rows
from storage.tables import leagues, seasons


async def move(source: Path, target: Path, guild: int) -> str:
    """Move all leagues of a server; no bot or import may run on either database. Return what was done.

    First they are copied, marked so that no bot starts on the copy; then every season is compared; then they are
    deleted here, and at last the mark is. If this dies on the way, running it again finishes the move. Raises NotFound
    and Conflict.
    """
    _require_two(source, target)
    with lock.held_alone(source, "python -m bot move"), lock.held_alone(target, "python -m bot move"):
        for path in (source, target):
            await asyncio.to_thread(damage.require_sound, path)
            await (await Database.open(path)).close()
        if await _read(source, _names, guild):
            await asyncio.to_thread(server_rows.copy_in, source, target, guild)
            if await _read(source, _exported, guild) != await _read(target, _exported, guild):
                raise Conflict(f"the seasons in {target} differ from those in {source}, so {source} was left as it is")
            await asyncio.to_thread(server_rows.take_out, source, guild)
        elif guild not in server_rows.arriving(target):
            raise NotFound(f"{source} has no leagues of server {guild}")
        server_rows.finish(target, guild)
        names = ", ".join(await _read(target, _names, guild))
    return f"moved to {target}: {names}. Start the bot that runs this server's shard with DATABASE={target}."


def _require_two(source: Path, target: Path) -> None:
    if source.resolve() == target.resolve():
        raise Invalid("both names are of the same database; name another file to move to")


async def _read(path: Path, look: Callable[[Connection, int], list[str]], guild: int) -> list[str]:
    db = await Database.open(path)
    try:
        return await db.read(look, guild)
    finally:
        await db.close()


def _exported(conn: Connection, guild: int) -> list[str]:
    """Return every season as people would export it."""
    rows = [row for league in leagues.of_guild(conn, guild) for row in seasons.of_league(conn, league.id)]
    return [exporting.file_of(conn, row).text for row in rows]


def _names(conn: Connection, guild: int) -> list[str]:
    return [league.name for league in leagues.of_guild(conn, guild)]
