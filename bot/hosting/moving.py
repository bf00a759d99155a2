"""Move a server's leagues to another database, so that at no moment two databases have them for a bot to run."""

import asyncio
import contextlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from bot.league.errors import Conflict, Invalid, NotFound
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import files
from storage.database import Connection, Database
from storage.files import damage, lock, server_rows
from storage.rows import LeagueRow, SeasonRow
from storage.tables import leagues, seasons


async def move(source: Path, target: Path, guild: int) -> str:
    """Move all leagues of a server; no bot may run on either database. Return what was done.

    First they are copied, marked so that no bot starts on the copy; then every season is compared; then they are
    deleted here, and at last the mark is. If this dies on the way, running it again finishes the move. Raises NotFound
    and Conflict.
    """
    _require_two(source, target)
    with lock.held(source, "python -m bot move"), lock.held(target, "python -m bot move"):
        for path in (source, target):
            await asyncio.to_thread(damage.require_sound, path)
            await (await Database.open(path)).close()
        if _has(source, guild):
            await asyncio.to_thread(server_rows.copy_in, source, target, guild)
            await _require_same(source, target, guild)
            await asyncio.to_thread(server_rows.take_out, source, guild)
        elif guild not in server_rows.arriving(target):
            raise NotFound(f"{source} has no leagues of server {guild}")
        server_rows.finish(target, guild)
        names = ", ".join(await _names(target, guild))
    return f"moved to {target}: {names}. Start the bot that runs this server's shard with DATABASE={target}."


def _require_two(source: Path, target: Path) -> None:
    if source.resolve() == target.resolve():
        raise Invalid("both names are of the same database; name another file to move to")


def _has(path: Path, guild: int) -> bool:
    with contextlib.closing(sqlite3.connect(path)) as conn:
        return server_rows.has(conn, guild)


async def _require_same(source: Path, target: Path, guild: int) -> None:
    """Compare every season as people would export it from either database."""
    here, there = await _exported(source, guild), await _exported(target, guild)
    if here != there:
        raise Conflict(f"the seasons in {target} differ from those in {source}, so {source} was left as it is")


async def _exported(path: Path, guild: int) -> list[str]:
    db = await Database.open(path)
    try:
        found = await db.read(_seasons, guild)
        numbers = [(league.id, row.number) for league, rows in found for row in rows if row.number is not None]
        return [
            (
                await db.read(
                    files.export, Order(actor=BOT, now=datetime.now(UTC), league_id=league), season_number=number
                )
            ).text
            for league, number in numbers
        ]
    finally:
        await db.close()


def _seasons(conn: Connection, guild: int) -> list[tuple[LeagueRow, tuple[SeasonRow, ...]]]:
    return [(league, seasons.of_league(conn, league.id)) for league in leagues.of_guild(conn, guild)]


async def _names(path: Path, guild: int) -> list[str]:
    db = await Database.open(path)
    try:
        return [league.name for league in await db.read(leagues.of_guild, guild)]
    finally:
        await db.close()
