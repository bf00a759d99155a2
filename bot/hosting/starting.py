"""What must be so before the bot starts: its database is its own, not lost, sound, writable, not half moved."""

import asyncio
import contextlib
import shlex
from collections.abc import AsyncGenerator
from pathlib import Path

from bot.hosting import backing_up
from bot.hosting.watching import Owned
from bot.league.errors import Conflict
from bot.settings import Settings
from storage.database import Database
from storage.files import damage, lock, server_rows
from storage.files.damage import DamagedFile
from storage.migrate import is_newest


@contextlib.asynccontextmanager
async def owned_database(settings: Settings) -> AsyncGenerator[Owned]:
    """Hold the database of the settings; raises LeagueError, before anything is changed, where no bot can run on it.

    One bot runs on a file, whatever its shards: SQLite has one writer, so a second one would gain nothing, and what
    the bot keeps in memory is right only while nothing else changes leagues.
    """
    with lock.held(settings.database, _called(settings)) as locked:
        try:
            await _require_usable(settings.database, settings.backup_folder)
        except DamagedFile as wrong:
            way = await asyncio.to_thread(backing_up.way_back, settings.database, settings.backup_folder)
            raise DamagedFile(f"{wrong} {way}") from None
        yield Owned(settings.database, locked)


def _called(settings: Settings) -> str:
    if settings.shard_ids is None:
        return "a bot"
    return f"a bot with SHARD_IDS {','.join(map(str, settings.shard_ids))} of {settings.shard_count}"


@contextlib.asynccontextmanager
async def beside_the_bot(database: Path) -> AsyncGenerator[Database]:
    """Open a database on which a bot may run, which alone moves its log into the file.

    Raises Conflict where that bot is of a version with other tables.
    """
    with contextlib.ExitStack() as alone:
        if not is_newest(database):
            alone.enter_context(lock.held(database, "a program that brings it to the version of this Fairpair"))
        db = await Database.open(database)
    try:
        await db.leave_log()
        yield db
    finally:
        await db.close()


async def _require_usable(database: Path, backups: Path | None) -> None:
    require_not_lost(database, backups)
    await asyncio.to_thread(damage.require_sound, database)
    await (await Database.open(database)).close()
    await asyncio.to_thread(damage.require_writable, database)
    require_whole_servers(database)


def require_whole_servers(database: Path) -> None:
    """Refuse a database into which a server was moved only in part; raises Conflict with what finishes that."""
    for guild, source in server_rows.arriving(database).items():
        again = f"DATABASE={shlex.quote(source)} python -m bot move --guild {guild} {shlex.quote(str(database))}"
        raise Conflict(f"{database} waits for the rest of a move; run it again: {again}")


def require_not_lost(database: Path, backups: Path | None) -> None:
    """Refuse to begin an empty database where backups, or a log that was left, say that there was one."""
    if not damage.is_sqlite(database) and backing_up.newest(database, backups) is not None:
        state = "is empty or overwritten" if database.exists() else "is missing"
        raise DamagedFile(f"{database} {state}, but there are backups of it in {backups}.")
    log = database.with_name(f"{database.name}-wal")
    if not database.exists() and log.exists():
        raise DamagedFile(f"{database} is missing, but its log {log} isn't; to begin with nothing, delete that too.")
