"""A database of 0.2 opens with everything in it, and each of its seasons goes on and ends."""

import asyncio
import json
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.season.list_rules import fingerprint
from bot.league.season.names import skeleton
from bot.services.base.order import Order
from bot.services.leagues import exporting
from storage.database import Database
from storage.tables import leagues
from tests.files import look_into
from tests.model import ending
from tests.model.announcing import announce, gone_on_from
from tests.model.facts import File
from tests.model.walk import Walk
from tests.services.conftest import ADMIN
from tests.version_0_2.conftest import NOW, league_files

CHANGED = {"seasons": {"settings"}, "lists": {"sha256", "sealed_at"}, "outbox": {"wanted", "state"}}
"""Columns whose values a migration changes; its test says how."""
GONE = {"outbox": "kind IN ('unscheduled', 'late-list')"}
"""Rows that a migration deletes."""


def rows_of(path: Path) -> dict[str, dict[Any, dict[str, Any]]]:
    """Return every row of every table by its rowid, but those a migration deletes."""
    with closing(sqlite3.connect(path)) as conn:
        conn.row_factory = sqlite3.Row
        named = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        return {
            table: {
                row["row_id"]: {key: row[key] for key in row.keys() if key != "row_id"}  # noqa: SIM118 (of a sqlite3.Row)
                for row in conn.execute(
                    f"SELECT rowid AS row_id, * FROM {table} WHERE NOT coalesce({GONE.get(table, 'FALSE')}, FALSE)"
                )
            }
            for (table,) in conn.execute(named).fetchall()
        }


async def test_everything_in_it_is_there_after_the_migrations(path: Path) -> None:
    before = rows_of(path)
    await (await Database.open(path)).close()
    after = rows_of(path)
    for table, rows in before.items():
        kept = set(next(iter(rows.values()), {})) - CHANGED.get(table, set())
        assert {key: {name: row[name] for name in kept} for key, row in after[table].items()} == {
            key: {name: row[name] for name in kept} for key, row in rows.items()
        }, table
    assert path.with_name("league.db.version-1").exists()


async def test_its_league_files_are_those_that_0_2_exported(db: Database) -> None:
    with look_into(db) as conn:
        ids = {league.name: league.id for league in leagues.of_guild(conn, ADMIN.guild_id)}
    assert len(league_files()) == 19
    for name, old in league_files().items():
        league, _, number = name.rpartition(" ")
        made = await db.read(
            exporting.export, Order(actor=ADMIN, now=NOW, league_id=ids[league]), season_number=int(number)
        )
        new = json.loads(made.text)
        same = old.keys() - {"settings", "lists"}
        assert {key: new[key] for key in same} == {key: old[key] for key in same}
        assert all(one in new["lists"] for one in old.get("lists", ()))
        assert new["settings"].items() <= old["settings"].items()
        for text in (made.text, json.dumps(old)):
            found = verify(reading.read(text.encode()))
            assert found.agrees, "\n".join(found.lines())


def names() -> list[str]:
    """Return the leagues of the file, as its README lists them."""
    walks = [f"Walk {key} {number}" for key in FORMATS for number in range(2)]
    return [
        *walks,
        "Sign-ups",
        "Check-in",
        "Round open",
        "Overdue",
        "Lost by both",
        "Preview",
        "Ties",
        "Paused",
        "Finals",
    ]


FORMATS = ("ohs", "two-loss-out", "keyforge-swiss", "lightseekers-swiss", "single-elimination")
_later: list[tuple[Walk, bytes]] = []


@pytest.mark.parametrize("name", names())
async def test_each_season_goes_on_and_ends(path: Path, name: str) -> None:
    """The first three days are the same for all of them: each goes on from a copy of the file and of its Discord."""
    if not _later:
        async with walking(path, name) as walk:
            await steps.tick(walk.db, NOW)
            await announce(walk)
            for _ in range(3):
                walk.pass_time(days=1)
                await steps.tick(walk.db, walk.now)
                await announce(walk)
            walk.bot.dead = True
        _later.append((walk, await asyncio.to_thread(path.read_bytes)))
    before, file = _later[0]
    await asyncio.to_thread(path.write_bytes, file)
    async with walking(path, name) as walk:
        gone_on_from(before, walk)
        await ending.finish(walk)
        await announce(walk)
        await ending.require_exported(walk)
        assert walk.file.facts().live(walk.league.id) is None


@asynccontextmanager
async def walking(path: Path, name: str) -> AsyncIterator[Walk]:
    """Open the file and walk in the league of that name."""
    db = await Database.open(path)
    with look_into(db) as conn:
        league = next(row for row in leagues.of_guild(conn, ADMIN.guild_id) if row.name == name)
    walk = Walk(path=path, db=db, file=File(path), league=league, format="", chance=random.Random(name), now=NOW)
    walk.together = []
    try:
        yield walk
    finally:
        await walk.close()


async def test_the_times_to_answer_problems_and_offers_are_one_setting_now(path: Path) -> None:
    """League files of 0.2 have those two as well; they're read and ignored."""
    before = rows_of(path)["seasons"]
    await (await Database.open(path)).close()
    gone = {"claim_hours", "accept_hours"}
    assert any(gone & json.loads(row["settings"]).keys() for row in before.values())
    for key, row in rows_of(path)["seasons"].items():
        old = json.loads(before[key]["settings"])
        assert json.loads(row["settings"]) == {name: value for name, value in old.items() if name not in gone}
    assert any(gone & file["settings"].keys() for file in league_files().values())


async def test_late_lists_that_waited_for_a_moderator_are_sealed(path: Path) -> None:
    before = rows_of(path)["lists"]
    await (await Database.open(path)).close()
    waited = [key for key, row in before.items() if row["late"] and row["sealed_at"] is None]
    assert waited
    for key, row in rows_of(path)["lists"].items():
        if key not in waited:
            assert before[key].items() <= row.items()
        elif row["sealed_at"] is not None:
            assert row["sha256"] == fingerprint(row["key"], row["text"])
    assert any(rows_of(path)["lists"][key]["sealed_at"] for key in waited)


async def test_every_list_and_sit_out_knows_who_wrote_it_and_every_name_its_shape(path: Path) -> None:
    await (await Database.open(path)).close()
    after = rows_of(path)
    owners = {key: row["player_id"] for key, row in after["entrants"].items()}
    taken = {(row["entrant_id"], row["player_id"]) for row in after["substitutes"].values()}
    for table in ("lists", "sat_out"):
        assert after[table]
        for row in after[table].values():
            seat, writer = row["entrant_id"], row["player_id"]
            assert writer == owners[seat] or (seat, writer) in taken
    assert all(row["skeleton"] == skeleton(row["name"]) for row in after["player_names"].values())


async def test_every_message_that_can_be_answered_is_made_again_once(path: Path) -> None:
    """Its buttons say in another way what they do, so that those of 0.2 no longer work."""
    before, seasons = rows_of(path)["outbox"], rows_of(path)["seasons"]
    await (await Database.open(path)).close()
    after = rows_of(path)["outbox"]
    over = {key for key, row in seasons.items() if row["phase"] in ("finished", "cancelled")}
    live = {key for key, row in before.items() if row["state"] == "done" and row["season_id"] not in over}
    live -= {key for key, row in before.items() if row["removed"]}
    again = {key for key, row in after.items() if row["wanted"] > before[key]["wanted"]}
    assert live
    assert again == live & after.keys()
    assert all(after[key]["state"] == "due" and after[key]["shown"] == before[key]["shown"] for key in again)
