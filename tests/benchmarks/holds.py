"""How long a season of as many players as Discord can bear keeps others waiting: the event loop, and the writer."""

import asyncio
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot import steps
from bot.league.formats import ALL, by_key
from bot.league.season.setting_values import MOST_PLAYERS
from bot.services.base.permissions import Actor
from bot.services.leagues import set_up
from bot.steps import File
from bot.worker import Worker
from storage.database import Connection, Database
from storage.query import insert_many
from tests.benchmarks.figures import Figure, Row
from tests.benchmarks.files import ten_thousand_rows
from tests.files import change_by_hand, do
from tests.story import AtServices

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
GUILD = 900
OWNER = Actor(user_id=1, name="owner", guild_id=GUILD, manage_guild=True)
BEAT = 0.005
STALL, HOLD, PREVIEW_STALL = 0.1, 1.0, 0.05
"""At most so many seconds."""
GROUP = 6
"""Players in a group, where a format has groups."""


class Timed(Database):
    """A database that notes the processor time its writer was held for: other programs count for nothing."""

    longest = 0.0

    async def write(self, use_case: Callable[..., Any], *args: Any, **given: Any) -> Any:
        def held(conn: Connection) -> Any:
            begun = time.thread_time()
            try:
                return use_case(conn, *args, **given)
            finally:
                self.longest = max(self.longest, time.thread_time() - begun)

        return await super().write(held)


def measured(format_: str, step: str, players: int, **settings: Any) -> tuple[float, float]:
    """Return the longest stall and the longest hold while a season starts, or goes on to its second round."""

    async def run() -> tuple[float, float]:
        with tempfile.TemporaryDirectory() as folder:
            db = await Timed.open(Path(folder) / "league.db")
            who: Any = {"db": db, "actor": OWNER, "now": NOW}
            who["league_id"] = (await do(set_up.create, **who, name="Bench", channel_id=901)).id
            story = AtServices(db=db, league_id=who["league_id"], organiser=OWNER, now=NOW)
            await story.open(format_, **settings, **({"group_size": GROUP} if by_key(format_).in_groups else {}))
            with change_by_hand(db) as conn:
                with_players(conn, players)
            if step == "start":
                found = await _watched(db, story.start())
            else:
                await story.start()
                match, loser = _play(db)
                last = Actor(user_id=loser, name="last", guild_id=GUILD)
                found = await _watched(db, story.report(last, "lost", match=match))
                with change_by_hand(db) as conn:
                    assert conn.execute_fetchall("SELECT 1 FROM rounds WHERE number = 2"), "no second round"
            await db.close()
            return found

    return asyncio.run(run())


def with_players(conn: Connection, players: int) -> None:
    everyone = range(1, players + 1)
    people = [{"id": n, "league_id": 1, "discord_id": 1000 + n, "name": f"p{n:04}"} for n in everyone]
    insert_many(conn, "players", people)
    seats = [{"id": n, "season_id": 1, "player_id": n, "name": f"p{n:04}", "mu": 25.0, "sigma": 8.0} for n in everyone]
    insert_many(conn, "entrants", seats)


def _play(db: Database) -> tuple[int, int]:
    """Let the upper players win all matches but the last; return it, and the account of its lower player."""
    with change_by_hand(db) as conn:
        ((last, lower),) = conn.execute_fetchall("SELECT id, lower_id FROM matches ORDER BY id DESC LIMIT 1")
        sql = "UPDATE matches SET state = 'confirmed', kind = 'played', winner_id = upper_id WHERE id <> ?"
        conn.execute(sql, (last,))
    return last, 1000 + lower


async def _watched(db: Timed, doing: Any) -> tuple[float, float]:
    db.longest = stall = 0.0
    task = asyncio.ensure_future(doing)
    while not task.done():
        before, busy = time.perf_counter(), time.process_time()
        await asyncio.sleep(BEAT)
        # No longer than this process was at work meanwhile: other programs count for nothing.
        stall = max(stall, min(time.perf_counter() - before - BEAT, time.process_time() - busy))
    await task
    return stall, db.longest


def _rows(format_: str, step: str, players: int = MOST_PLAYERS, **settings: Any) -> tuple[Row, Row]:
    title = ", ".join([format_, *(f"{name} {value}" for name, value in settings.items()), step, f"{players:,}"])

    def stall() -> Figure:
        value, _ = measured(format_, step, players, **settings)
        return _figure(f"{title}, the event loop's longest stall", value, STALL)

    def hold() -> Figure:
        _, value = measured(format_, step, players, **settings)
        return _figure(f"{title}, the writer's hold", value, HOLD)

    return stall, hold


def _preview() -> Figure:
    """Return the longest stall while the worker looks through a table of 10,000 rows, sent as bytes."""

    async def run() -> float:
        with tempfile.TemporaryDirectory() as folder:
            db = await Timed.open(Path(folder) / "league.db")
            worker = Worker()
            stall, _ = await _watched(db, steps.look_through([File(name="old.csv", data=ten_thousand_rows())], worker))
            await worker.close()
            await db.close()
            return stall

    return _figure("a preview of 10,000 rows, the event loop's longest stall", asyncio.run(run()), PREVIEW_STALL)


def _figure(title: str, value: float, most: float) -> Figure:
    return Figure(title=title, value=value, yardstick=most, against=f"{most:g} s", at_most=1)


ROWS: tuple[Row, ...] = (
    _preview,
    *(row for format_ in ALL if format_.paired for step in ("start", "next round") for row in _rows(format_.key, step)),
    *(row for step in ("start", "next round") for row in _rows("round-robin", step, 38 * GROUP)),
    *_rows("round-robin", "start", 38 * GROUP, schedule="open"),
)
