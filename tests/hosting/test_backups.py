"""Backups by themselves: one a day, kept a week and four weeks, checked, without making anyone wait."""

import asyncio
import os
import shlex
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.hosting import backing_up, doctor, restoring, starting
from bot.league.errors import Invalid
from cogs.runtime.backups import RETRY_SECONDS, SECONDS
from storage.files import backups, copies, wal_reset
from storage.files.damage import DamagedFile
from tests.cogs.conftest import open_world
from tests.hosting.conftest import damage, fill, small_disk

FIRST = date(2026, 3, 2)


def dates(folder: Path, database: Path) -> list[str]:
    return [day.isoformat() for day in backups.days(folder, database)]


def change(database: Path, text: str) -> None:
    with closing(sqlite3.connect(database)) as conn, conn:
        conn.execute("UPDATE leagues SET rules_text = ?", (text,))


@pytest.mark.long
def test_over_forty_days_seven_days_and_four_weeks_are_kept(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    for number in range(40):
        change(database, f"day {number}")
        assert backing_up.back_up(database, folder, FIRST + timedelta(days=number)) is None
    days = ["2026-04-10", "2026-04-09", "2026-04-08", "2026-04-07", "2026-04-06", "2026-04-05", "2026-04-04"]
    weeks = ["2026-04-03", "2026-03-29", "2026-03-22", "2026-03-15"]
    assert dates(folder, database) == days + weeks
    assert len(list(folder.iterdir())) == 11
    for number, kept in [(39, days[0]), (33, days[-1]), (13, weeks[-1])]:
        with closing(sqlite3.connect(backups.path_on(folder, database, date.fromisoformat(kept)))) as conn:
            assert conn.execute("SELECT rules_text FROM leagues").fetchone() == (f"day {number}",)


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["league[1].db", "league*.db", "le?gue.db", "[!l]eague.d[b]", "file:league.db?mode=memory", "a#b%20c d'.db"]
)
def test_a_database_with_any_name_keeps_eleven_backups_and_is_missed_and_put_back(tmp_path: Path, name: str) -> None:
    path, folder = tmp_path / name, tmp_path / "backups"
    asyncio.run(fill(path))
    folder.mkdir()
    for number in range(40):
        backups.path_on(folder, path, FIRST + timedelta(days=number)).write_bytes(b"")
    backups.unfinished(backups.path_on(folder, path, FIRST)).write_bytes(b"")
    other = folder / "l1-2026-03-02.db"
    other.write_bytes(b"")
    day = FIRST + timedelta(days=40)
    assert backing_up.back_up(path, folder, day) is None
    newest = backups.path_on(folder, path, day)
    assert backups.newest_first(folder, path)[0] == newest
    assert len(list(folder.iterdir())) == 11 + 1
    assert wal_reset.replicated(path) is False
    path.unlink()
    with pytest.raises(DamagedFile, match="but there are backups of it"):
        starting.require_not_lost(path, folder)
    assert shlex.quote(str(newest)) in backing_up.way_back(path, folder)
    restoring.restore(newest, path, lambda _: True)
    restoring.restore(newest, path, lambda _: True)
    assert copies.contents(path).leagues == 1
    beside = {each.name.removeprefix(name).partition("-")[0] for each in tmp_path.iterdir()}
    assert beside == {"", ".lock", ".beside.lock", ".replaced", "backups"}


@pytest.mark.long
def test_a_clock_that_jumps_ahead_deletes_nothing_more(database: Path, tmp_path: Path) -> None:
    for number in range(30):
        backing_up.back_up(database, tmp_path, FIRST + timedelta(days=number))
    before = dates(tmp_path, database)
    backing_up.back_up(database, tmp_path, FIRST + timedelta(days=4000))
    assert len(set(before) - set(dates(tmp_path, database))) == 1
    backing_up.back_up(database, tmp_path, FIRST + timedelta(days=30))
    assert len(dates(tmp_path, database)) >= 10


@pytest.mark.long
def test_files_of_people_and_of_other_databases_in_the_folder_are_left_alone(database: Path, tmp_path: Path) -> None:
    others = [
        tmp_path / name for name in ("league-old.db", "league-2026-02-30.db", "league-20260301.db", "x-2026-03-01.db")
    ]
    for other in others:
        other.write_text("mine")
    for number in range(20):
        backing_up.back_up(database, tmp_path, FIRST + timedelta(days=number))
    assert all(other.read_text() == "mine" for other in others)


@pytest.mark.long
def test_a_damaged_database_is_no_backup_and_deletes_none(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    for number in range(8):
        backing_up.back_up(database, folder, FIRST + timedelta(days=number))
    before = sorted(folder.iterdir())
    damage(database, table="matches")
    with pytest.raises(DamagedFile):
        backing_up.back_up(database, folder, FIRST + timedelta(days=30))
    assert sorted(folder.iterdir()) == before


@pytest.mark.long
def test_a_season_that_differs_from_the_rules_is_kept_and_told_and_deletes_none(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    for number in range(7):
        backing_up.back_up(database, folder, FIRST + timedelta(days=number))
    with closing(sqlite3.connect(database)) as conn, conn:
        conn.execute("UPDATE matches SET winner_id = CASE winner_id WHEN upper_id THEN lower_id ELSE upper_id END")
    found = backing_up.back_up(database, folder, FIRST + timedelta(days=7))
    assert found is not None
    assert "round 2: differs" in found
    assert len(dates(folder, database)) == 8


def test_a_backup_that_does_not_fit_is_refused_before_the_disk_is_full(database: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 2) as disk, pytest.raises(Invalid, match="space"):
        backing_up.back_up(database, disk / "backups", FIRST)
    assert not (tmp_path / "disk" / "backups").exists()


def test_what_a_killed_program_left_is_cleared_away(database: Path, tmp_path: Path) -> None:
    left = backups.unfinished(backups.path_on(tmp_path, database, FIRST))
    left.write_text("half a backup")
    backing_up.back_up(database, tmp_path, FIRST + timedelta(days=1))
    assert not left.exists()
    assert dates(tmp_path, database) == ["2026-03-03"]


def test_a_writer_never_waits_for_a_backup(database: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE leagues SET rules_text = 'half'")
        copies.write_copy(database, tmp_path / "copy.db")
        writer.execute("COMMIT")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("SELECT rules_text FROM leagues").fetchone() == (None,)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for the process that writes backups."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 (made by another process)
            await asyncio.sleep(0.05)


@pytest.mark.long
async def test_the_bot_makes_one_backup_a_day_while_it_runs(tmp_path: Path) -> None:
    database, folder = tmp_path / "league.db", tmp_path / "kept"
    async with open_world(tmp_path, backups=folder) as world:
        await world.started(players=4)
        for number in range(1, 4):
            await until(lambda made=number: len(backups.days(folder, database)) == made)
            await world.jump(days=number < 3, minutes=1)
        found = sorted(backups.days(folder, database))
    assert [day - found[0] for day in found] == [timedelta(days=number) for number in range(3)]
    newest = backups.path_on(folder, database, found[-1])
    assert copies.contents(newest).season == "newest season 1 of Arena League"
    assert await asyncio.to_thread(backing_up.check, newest) is None


@pytest.mark.long
async def test_a_backup_that_fails_is_told_in_the_log_and_tried_again_an_hour_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "taken"
    folder.write_text("no folder")
    async with open_world(tmp_path, backups=folder) as world:
        await until(lambda: "no backup of" in caplog.text)
        await world.jump(minutes=1)
        assert caplog.text.count("no backup of") == 1
        assert "set BACKUPS to another folder" in world.env.bot.cogs["Backups"].problem
        folder.unlink()
        await world.env.advance_time(RETRY_SECONDS + SECONDS)
        await until(lambda: len(backups.days(folder, tmp_path / "league.db")) == 1)


async def _told(environment: dict[str, str]) -> list[str]:
    return [finding.line() async for finding in doctor.findings(environment, environment, FIRST)]


def test_a_folder_that_cannot_be_written_is_told_with_what_a_service_needs(database: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 80) as disk:
        assert os.system(f"mount -o remount,ro {disk}") == 0
        with pytest.raises(Invalid, match=r"can't be written.*ReadWritePaths"):
            backing_up.back_up(database, disk, date(2026, 3, 1))
        with pytest.raises(Invalid, match="can't write "):
            copies.write_copy(database, disk / "copy.db")
        given = {"DATABASE": str(database), "BACKUPS": str(disk)}
        told = asyncio.run(_told(given))
        assert any("can't be written by this user" in line for line in told)
