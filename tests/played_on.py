"""Databases of released versions, opened by this one: what is in them, and their seasons played to the end."""

import asyncio
import gzip
import json
import random
import re
import sqlite3
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bot import steps
from bot.services.base import post_kinds
from storage.database import Database
from storage.facts import read
from storage.tables import leagues
from tests.files import look_into
from tests.loopback import objects
from tests.model import ending
from tests.model.announcing import announce, discord_of, gone_on_from
from tests.model.facts import File
from tests.model.walk import Walk
from tests.services.conftest import GUILD

NAMED_NOW = {
    "claims": "problems",
    "claim_id": "problem_id",
    "asked_names": "signup_answers",
    "stays": "stay_decisions",
    "parked_at": "failed_at",
}
"""Tables and columns that have another name since a migration."""
TABLES_GONE = {"screenshots"}
"""Tables that a migration drops."""
NAMES_CHANGED = {"outbox": {"kind", "key", "facts", "state"}, "audit": {"action"}}
"""Columns in which posts and notes about problems have another name since then."""
_CHANNELS = "SELECT channel_id FROM leagues UNION SELECT moderation_channel_id FROM leagues"


@dataclass
class Release:
    """The file of a version, made at the moment `now`; its first three days with this version are played once."""

    folder: Path
    now: datetime
    _later: list[tuple[Walk, bytes]] = field(default_factory=list[tuple[Walk, bytes]])

    def unpack(self, path: Path) -> Path:
        """Put the file as that version left it at a path."""
        path.write_bytes(gzip.decompress((self.folder / "league.gz").read_bytes()))
        return path

    def league_files(self) -> dict[str, dict[str, Any]]:
        """Return what that version exported: league files by league and number of the season."""
        return json.loads(gzip.decompress((self.folder / "files.gz").read_bytes()))

    async def play_on(self, path: Path, name: str) -> None:
        """Bring the season of a league to its end, from a copy of the file and of its Discord after three days."""
        if not self._later:
            async with self._walking(path, name) as walk:
                here = discord_of(walk).server
                here.channels |= {place: objects.channel(place) for place in walk.file.column(_CHANNELS)}
                await steps.tick(walk.db, self.now)
                await announce(walk)
                for _ in range(3):
                    walk.pass_time(days=1)
                    await steps.tick(walk.db, walk.now)
                    await announce(walk)
                walk.bot.dead = True
            self._later.append((walk, await asyncio.to_thread(path.read_bytes)))
        before, file = self._later[0]
        await asyncio.to_thread(path.write_bytes, file)
        async with self._walking(path, name) as walk:
            gone_on_from(before, walk)
            await ending.finish(walk)
            await announce(walk)
            await ending.require_exported(walk)
            assert walk.file.facts().live(walk.league.id) is None

    @asynccontextmanager
    async def _walking(self, path: Path, name: str) -> AsyncGenerator[Walk]:
        """Open the file and walk in the league of that name."""
        db = await Database.open(path)
        with look_into(db) as conn:
            league = next(row for row in leagues.of_guild(conn, GUILD) if row.name == name)
        chance = random.Random(name)
        walk = Walk(path=path, db=db, file=File(path), league=league, format="", chance=chance, now=self.now)
        walk.together = []
        try:
            yield walk
        finally:
            await walk.close()


@pytest.fixture
def path(release: Release, tmp_path: Path) -> Path:
    """The file as that version left it."""
    return release.unpack(tmp_path / "league.db")


@pytest.fixture
async def db(path: Path) -> AsyncGenerator[Database]:
    """The file, opened by this version."""
    db = await Database.open(path)
    yield db
    await db.close()


def rows_of(path: Path, without: Mapping[str, str] | None = None) -> dict[str, dict[Any, dict[str, Any]]]:
    """Return every row of every table by its rowid, but those for which a condition `without` holds."""
    leave_out = without or {}
    with closing(sqlite3.connect(path)) as conn:
        conn.row_factory = sqlite3.Row
        named = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        return {
            table: {
                row["row_id"]: {key: row[key] for key in row.keys() if key != "row_id"}  # noqa: SIM118 (of a sqlite3.Row)
                for row in conn.execute(
                    f"SELECT rowid AS row_id, * FROM {table} WHERE NOT coalesce({leave_out.get(table, 'FALSE')}, FALSE)"
                )
            }
            for (table,) in conn.execute(named).fetchall()
        }


def require_kept(
    before: Mapping[str, Mapping[Any, Mapping[str, Any]]],
    after: Mapping[str, Mapping[Any, Mapping[str, Any]]],
    changed: Mapping[str, set[str]],
) -> None:
    """Fail unless every row that was in a file is in it after the migrations, but for columns they change."""
    assert not TABLES_GONE & after.keys()
    for table, rows in before.items():
        if table in TABLES_GONE:
            continue
        kept = set(next(iter(rows.values()), {})) - changed.get(table, set())
        now = after[NAMED_NOW.get(table, table)]
        assert {key: {name: row[NAMED_NOW.get(name, name)] for name in kept} for key, row in now.items()} == {
            key: {name: row[name] for name in kept} for key, row in rows.items()
        }, table


def require_facts_read(path: Path) -> None:
    """Require that the facts of every post in a file are those of its kind."""
    with closing(sqlite3.connect(path)) as conn:
        kinds = {str(kind): kind for kind in post_kinds.every()}
        for kind, facts in conn.execute("SELECT kind, facts FROM outbox").fetchall():
            read(kinds[kind].keeps, json.loads(facts))


def with_one_choice(season: Mapping[str, Any]) -> dict[str, Any]:
    """Return a season's columns with what its salt is made of as one, as today."""
    others = {name: value for name, value in season.items() if name not in ("salted", "sealed")}
    return others | {"salt_kind": "sealed" if season.get("sealed") else "names" if season["salted"] else None}


def require_problems_named(before: Mapping[str, Mapping[Any, Mapping[str, Any]]], path: Path) -> None:
    """Fail unless posts and notes about problems have their names of today, and all others stayed as they were."""
    after = rows_of(path)
    for key, row in after["outbox"].items():
        old = before["outbox"][key]
        if old["kind"] == "join-request":
            assert json.loads(row["facts"])["page"] == json.loads(old["facts"])["request_id"]
            continue
        facts = {NAMED_NOW.get(name, name): value for name, value in json.loads(old["facts"]).items()}
        if "salted" in facts.get("was", ()):
            facts["was"] = with_one_choice(facts["was"])
        assert json.loads(row["facts"]) == facts
        if old["kind"] == "claim":
            assert (row["kind"], row["key"]) == ("settle-problem", old["key"].replace("claim", "settle-problem"))
        else:
            own = re.sub(rf":(gone|down|withdrawn|forgotten):{key}$", "", old["key"])
            assert (row["kind"], row["key"], row["superseded"]) == (old["kind"], own, own != old["key"])
    actions = {key: row["action"] for key, row in before["audit"].items()}
    assert "problem.claim" in actions.values()
    renamed = {"problem.claim": "problem.tell", "league.move_in": "league.import_records"}
    assert {key: row["action"] for key, row in after["audit"].items()} == {
        key: renamed.get(action, action) for key, action in actions.items()
    }
