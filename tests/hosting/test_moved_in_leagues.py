"""Imports, merges, aliases and bans go along wherever a database goes, and can be taken back there."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bot import steps
from bot.hosting import backing_up, moving, restoring
from bot.services.base.order import Order
from bot.services.leagues import exporting, importing_records, taking_back
from bot.services.people import banning, keeping_apart, merging
from bot.services.people.merging import Merged
from bot.steps import File
from storage.database import Database
from storage.files import backups, server_rows
from storage.rows import LeagueId
from tests.files import look_into
from tests.hosting.conftest import NOW, ORGANISER

SEASON = "season,round,player,opponent,winner\n1,1,Jonathan,Pavel,Pavel\n1,2,Quinn,Pavel,Quinn\n"
LATER = "season,round,player,opponent,winner\n2,1,Jonahtan,Rosa,Rosa\n2,2,Quin,Rosa,Quin\n"


@dataclass
class MovedIn:
    """A league with all that comes of moving in, and how to take the last of it back."""

    league: LeagueId
    imported: importing_records.ImportId
    merged: Merged
    exported: tuple[str, ...]
    before: dict[str, list[Any]]

    @property
    def order(self) -> Order:
        return Order(actor=ORGANISER, now=NOW, league_id=self.league)


def rows(path: Path) -> dict[str, list[Any]]:
    """Return all rows of the server but those of the audit."""
    with closing(sqlite3.connect(path)) as conn:
        found = server_rows.of_server(conn, "main")
        return {
            table: sorted(conn.execute(f"SELECT * FROM {table} WHERE {condition}", {"guild": 7}).fetchall(), key=repr)
            for table, condition in found.items()
            if table != "audit"
        }


async def seasons(db: Database, order: Order) -> tuple[str, ...]:
    return tuple([(await db.read(exporting.export, order, season_number=number)).text for number in (1, 2, 3)])


@pytest.fixture
async def moved_in(database: Path) -> MovedIn:
    db = await Database.open(database)
    with look_into(db) as conn:
        league = LeagueId(conn.execute("SELECT id FROM leagues").fetchone()[0])
    order = Order(actor=ORGANISER, now=NOW, league_id=league)

    async def bring(text: str, **decided: str) -> importing_records.Brought:
        file = File(name="old.csv", data=text.encode())
        short = await steps.look_through([file])
        assert short is not None
        planned = await db.read(importing_records.plan, order, file=short, decided=decided)
        return await steps.bring_in(db, order, files=[file], short=short, planned=planned)

    await bring(SEASON)
    await db.write(banning.ban, order, player="Pavel", reason="rude")
    await db.write(keeping_apart.keep_apart, order, first="Jonathan", second="Pavel", reason="they asked")
    before = rows(database)
    brought = await bring(LATER, Jonahtan="Jonathan", Quin="")
    merged = await db.write(merging.merge, order, player="Quin", into="Quinn", reason="one person")
    exported = await seasons(db, order)
    await db.close()
    return MovedIn(league, brought.id, merged, exported, before)


async def moved(database: Path, tmp_path: Path) -> Path:
    target = tmp_path / "target.db"
    await moving.move(database, target, 7)
    return target


async def moved_back(database: Path, tmp_path: Path) -> Path:
    await moving.move(await moved(database, tmp_path), database, 7)
    return database


async def restored(database: Path, tmp_path: Path) -> Path:
    folder, day = tmp_path / "backups", date(2026, 3, 2)
    assert await asyncio.to_thread(backing_up.back_up, database, folder, day) is None
    with closing(sqlite3.connect(database)) as conn, conn:
        conn.execute("DELETE FROM bans")
    await asyncio.to_thread(restoring.restore, backups.path_on(folder, database, day), database, lambda _: True)
    return database


@pytest.mark.long
@pytest.mark.parametrize("go", [moved, moved_back, restored])
async def test_all_of_it_goes_along_and_is_taken_back_there(
    database: Path, moved_in: MovedIn, tmp_path: Path, go: Callable[[Path, Path], Coroutine[Any, Any, Path]]
) -> None:
    before = rows(database)
    assert all(before[table] for table in ("imports", "imported_seasons", "aliases", "merges", "bans", "apart"))
    there = await go(database, tmp_path)
    assert rows(there) == before
    db = await Database.open(there)
    assert await seasons(db, moved_in.order) == moved_in.exported
    await db.write(merging.take_back, moved_in.order, merge=moved_in.merged.id)
    await db.write(taking_back.take_back, moved_in.order, import_id=moved_in.imported)
    await db.close()
    left, before = rows(there), moved_in.before
    # Posts of the season that goes on were edited: they may name someone.
    assert [key for _, key, *_ in left.pop("outbox")] == [key for _, key, *_ in before.pop("outbox")]
    assert left == before


@pytest.mark.long
async def test_seasons_that_made_room_get_their_numbers_back_after_a_move(database: Path, tmp_path: Path) -> None:
    db = await Database.open(database)
    with look_into(db) as conn:
        league = LeagueId(conn.execute("SELECT id FROM leagues").fetchone()[0])
    order = Order(actor=ORGANISER, now=NOW, league_id=league)

    async def month(number: int) -> importing_records.Brought:
        file = File(name="old.csv", data=f"player,opponent,winner,date\nAnn,Ben,Ann,2024-{number:02}-05\n".encode())
        short = await steps.look_through([file])
        assert short is not None
        planned = await db.read(importing_records.plan, order, file=short, decided={})
        return await steps.bring_in(db, order, files=[file], short=short, planned=planned)

    await month(3)
    before = rows(database)
    january = await month(1)
    await db.close()
    brought = rows(database)
    there = await moved(database, tmp_path)
    assert rows(there) == brought
    db = await Database.open(there)
    await db.write(taking_back.take_back, order, import_id=january.id)
    await db.close()
    left = rows(there)
    assert [key for _, key, *_ in left.pop("outbox")] == [key for _, key, *_ in before.pop("outbox")]
    assert left == before
