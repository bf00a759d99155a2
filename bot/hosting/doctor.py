"""Look at everything the bot needs: settings, database, disk, backups, clock, fonts, versions and Discord."""

import platform
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import date, timedelta
from importlib.metadata import version

from bot.hosting import backing_up, checkpoints, discord_checks, starting
from bot.hosting.findings import Finding, good, skipped, wrong
from bot.league.errors import Conflict
from bot.pictures.painting import fonts
from bot.settings import Settings, SettingsError
from storage.files import backups, copies, damage, lock
from storage.files.damage import DamagedFile
from storage.migrate import UnusableFile

LIBRARIES = ("discord.py", "pillow")
LEAST_SPACE = 200_000_000
"""Bytes on the database's disk below which something should be done."""
OLDEST_BACKUP = timedelta(days=2)
LETTERS = {"Chinese": "中", "Japanese": "あ", "Korean": "한", "Arabic": "ع", "Hebrew": "א", "Hindi": "अ", "Thai": "ก"}


async def findings(environment: Mapping[str, str], named: Mapping[str, str], today: date) -> AsyncIterator[Finding]:
    """Yield what is found, one thing after the other; `named` is what the file .env sets, `today` is in UTC."""
    yield _versions()
    yield _fonts()
    try:
        settings = Settings.from_env(environment)
    except SettingsError as bad:
        for problem in bad.problems:
            yield wrong("settings", problem)
        return
    for finding in _settings(settings, named):
        yield finding
    yield _database(settings)
    yield checkpoints.finding(settings.database)
    yield good("running", lock.holder(settings.database) or "no bot runs on this database")
    yield _disk(settings)
    yield _backups(settings, today)
    async for finding in discord_checks.findings(settings.token, settings.dev_guild):
        yield finding


def _versions() -> Finding:
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    python = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    return good("versions", f"Fairpair {version('fairpair')}, {python}, {libraries}")


def _fonts() -> Finding:
    missing = [script for script, letter in LETTERS.items() if not fonts.has(letter)]
    if not missing:
        return good("fonts", "letters for every script that was tried")
    advice = "if your players need them, install the Noto fonts (Debian: fonts-noto-core fonts-noto-cjk)"
    return good("fonts", f"Latin, Greek and Cyrillic; pictures can't show {', '.join(missing)}: {advice}")


def _settings(settings: Settings, named: Mapping[str, str]) -> Iterator[Finding]:
    unknown = sorted(named.keys() - Settings.variables())
    if unknown:
        yield wrong("settings", f".env sets {', '.join(unknown)}, which Fairpair doesn't know: check the spelling")
    elif settings.token is None:
        yield skipped("settings", "no DISCORD_TOKEN, so only the practice server can start")
    elif discord_checks.application_of(settings.token) is None:
        yield wrong("settings", "DISCORD_TOKEN isn't shaped like a bot token: copy it again from the Developer Portal")
    else:
        yield good("settings", f"all readable, database {settings.database}")


def _database(settings: Settings) -> Finding:
    path = settings.database
    try:
        starting.require_not_lost(path, settings.backup_folder)
    except DamagedFile as lost:
        return wrong("database", f"{lost} {backing_up.way_back(path, settings.backup_folder)}")
    if not damage.is_sqlite(path):
        state = "isn't a SQLite database" if path.exists() else "isn't there yet; the first start makes it"
        return (wrong if path.exists() else skipped)("database", f"{path} {state}")
    fault = damage.problem(path, "quick_check", seconds=60)
    if fault is not None:
        back = backing_up.way_back(path, settings.backup_folder)
        return wrong("database", f"{path} is damaged ({fault}). {back}")
    try:
        damage.require_ours(path)
        held = copies.contents(path).words()
        starting.require_whole_servers(path)
    except (sqlite3.Error, Conflict, UnusableFile) as bad:
        return wrong("database", str(bad))
    return good("database", f"{path}, {_size(path.stat().st_size)}, {held}")


def _disk(settings: Settings) -> Finding:
    free = shutil.disk_usage(settings.database.parent).free
    size = settings.database.stat().st_size if settings.database.exists() else 0
    words = f"{_size(free)} free beside the database"
    if free < max(LEAST_SPACE, 2 * size):
        return wrong("disk", f"{words}: make space, or backups and posts will fail")
    return good("disk", words)


def _backups(settings: Settings, today: date) -> Finding:
    folder = settings.backup_folder
    if folder is None:
        return skipped("backups", "off (BACKUPS=off): nothing but your own copies protects the leagues")
    if not backing_up.can_be_written(folder):
        return wrong("backups", f"{folder} can't be written by this user: let the bot's user write there")
    elsewhere = not folder.resolve().is_relative_to(settings.database.parent.resolve())
    service = f" {backing_up.SERVICE}" if elsewhere else ""
    newest = backing_up.newest(settings.database, folder)
    if newest is None:
        return skipped("backups", f"none in {folder} yet; the bot makes the first one when it starts.{service}")
    age = today - backups.days(folder, settings.database)[0]
    if age > OLDEST_BACKUP:
        return wrong(
            "backups",
            f"the newest, {newest}, is {age.days} days old: the bot's log says why, or it isn't running.{service}",
        )
    fault = damage.problem(newest, "quick_check", seconds=60)
    if fault is not None:
        return wrong("backups", f"{newest} is damaged ({fault}): check the disk")
    return good("backups", f"{len(backups.days(folder, settings.database))} in {folder}, the newest {newest.name}")


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"
