"""Going back to a backup: looked at first, asked, nothing lost, and never under a running bot."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from bot.hosting import backing_up, restoring
from bot.hosting.starting import owned_database
from bot.league.errors import Conflict
from bot.settings import Settings
from storage.files import copies, lock
from storage.migrate import UnusableFile
from tests.cogs.conftest import open_world, text_of
from tests.hosting.conftest import damage
from tests.test_program import run_process


@pytest.fixture
def backup(database: Path) -> Path:
    target = database.with_name("backup.db")
    copies.write_copy(database, target)
    return target


def rules_of(path: Path) -> str | None:
    with closing(sqlite3.connect(path)) as conn:
        return conn.execute("SELECT rules_text FROM leagues").fetchone()[0]


def later(database: Path) -> sqlite3.Connection:
    """Change something after the backup, and leave it in the log as a bot that was killed does."""
    conn = sqlite3.connect(database)
    conn.execute("PRAGMA wal_autocheckpoint = 0")
    with conn:
        conn.execute("UPDATE leagues SET rules_text = 'later'")
    return conn


def test_it_asks_what_it_replaces_and_changes_nothing_on_a_no(database: Path, backup: Path) -> None:
    later(database).close()
    asked: list[str] = []
    assert restoring.restore(backup, database, lambda text: bool(asked.append(text))) is None
    assert "newest season 3 of L7, last change 2026-03-01 12:00 UTC" in asked[0]
    assert rules_of(database) == "later"
    locks = ["league.db.beside.lock", "league.db.lock"]
    assert sorted(path.name for path in database.parent.iterdir()) == ["backup.db", "league.db", *locks]


@pytest.mark.long
def test_what_it_replaces_is_told_and_kept_with_all_that_was_in_its_log(database: Path, backup: Path) -> None:
    asked: list[str] = []
    with closing(later(database)) as conn:
        with conn:
            conn.execute("UPDATE leagues SET name = 'Later' WHERE name = 'L7'")
        done = restoring.restore(backup, database, lambda text: not asked.append(text))
    assert done is not None
    assert "newest season 3 of Later" in asked[0]
    assert rules_of(database) is None
    (aside,) = [
        path for path in database.parent.glob("*.replaced-*") if "-wal" not in path.name and "-shm" not in path.name
    ]
    assert rules_of(aside) == "later"
    assert rules_of(backup) is None


@pytest.mark.long
def test_what_is_replaced_twice_within_a_second_is_kept_twice(database: Path, backup: Path) -> None:
    later(database).close()
    for _ in range(3):
        assert restoring.restore(backup, database, lambda _: True) is not None
    kept = [path for path in database.parent.glob("*.replaced-*") if path.suffix != "-wal"]
    assert len(kept) == 3
    assert sorted(str(rules_of(path)) for path in kept) == ["None", "None", "later"]


@pytest.mark.long
def test_a_damaged_database_is_replaced(database: Path, backup: Path) -> None:
    damage(database)
    assert restoring.restore(backup, database, lambda _: True) is not None
    assert backing_up.check(database) is None
    database.unlink()
    assert restoring.restore(backup, database, lambda _: True) is not None
    assert backing_up.check(database) is None


def test_a_backup_that_is_no_good_is_refused_and_nothing_is_changed(database: Path, backup: Path) -> None:
    before = database.read_bytes()
    damage(backup)
    with pytest.raises(UnusableFile, match="is damaged too"):
        restoring.restore(backup, database, lambda _: True)
    backup.write_text("words")
    with pytest.raises(UnusableFile, match="isn't a database"):
        restoring.restore(backup, database, lambda _: True)
    with closing(sqlite3.connect(backup.with_name("other.db"))) as conn:
        conn.execute("CREATE TABLE t (x)")
    with pytest.raises(UnusableFile, match="belongs to another program"):
        restoring.restore(backup.with_name("other.db"), database, lambda _: True)
    assert database.read_bytes() == before
    assert not list(database.parent.glob("*.restoring*"))


async def test_no_backup_is_restored_under_a_running_bot(database: Path, backup: Path) -> None:
    async with owned_database(Settings(database=database, backups=None)):
        with pytest.raises(Conflict, match="in use by a bot"):
            restoring.restore(backup, database, lambda _: True)


def test_no_backup_is_restored_while_an_import_writes_into_what_it_replaces(database: Path, backup: Path) -> None:
    with lock.held_beside(database, "an import"), pytest.raises(Conflict, match="in use by an import"):
        restoring.restore(backup, database, lambda _: True)


@pytest.mark.long
def test_a_script_says_yes_beforehand(database: Path, backup: Path) -> None:
    asked = run_process("restore", backup.name, cwd=database.parent)
    assert (asked.returncode, asked.stdout, asked.stderr.count("\n")) == (2, "", 1)
    assert "This replaces league.db (1 league, newest season 3 of L7" in asked.stderr
    assert "add --yes" in asked.stderr
    done = run_process("restore", backup.name, "--yes", cwd=database.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Start the bot now." in done.stdout


@pytest.mark.long
async def test_posts_from_before_the_backup_are_gone_on_with_and_none_is_doubled(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        await world.league()
        await world.season(players=3)
        database, folder = tmp_path / "league.db", tmp_path / "backups"
        await asyncio.to_thread(backing_up.back_up, database, folder, date(2026, 3, 1))
        await world.players[3].click(world.post("Sign-ups are open"), label="Join")
        await world.env.bot.close()
        backup = folder / "league-2026-03-01.db"
        await asyncio.to_thread(restoring.restore, backup, database, lambda _: True)
        await world.restart()
        assert "3 players" in text_of(await world.organiser.slash(world.channel, "season status"))
        await world.players[3].click(world.post("Sign-ups are open"), label="Join")
        await world.jump(minutes=1)
        assert len(world.posts("Sign-ups are open")) == 1
        await world.organiser.slash(world.channel, "season start")
        assert len(world.rows()) == 2
