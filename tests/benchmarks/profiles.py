"""How long `/profile` takes in a league with many seasons: the first look after a change, and the next ones."""

import asyncio
import random
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.reads.past import profiles
from storage.database import Connection, Database
from storage.query import insert, insert_many
from storage.rows import LeagueId
from tests.benchmarks.figures import Figure, Row
from tests.files import change_by_hand

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
GUILD = 900
SEASONS, PLAYERS, ROUNDS = 20, 200, 8
FIRST, NEXT = 1.5, 0.15
"""At most so many seconds of processor time."""


def measured() -> tuple[float, float]:
    """Return the processor time of the first profile of a league, and of another player's after it."""

    async def run() -> tuple[float, float]:
        with tempfile.TemporaryDirectory() as folder:
            db = await Database.open(Path(folder) / "league.db")
            with change_by_hand(db) as conn:
                _fill(conn)
            order = Order(actor=Actor(user_id=1001, name="p1", guild_id=GUILD), now=NOW, league_id=LeagueId(1))
            begun = time.process_time()
            await db.read(profiles.profile, order, player="p7")
            looked = time.process_time()
            await db.read(profiles.profile, order, player="p8")
            done = time.process_time()
            await db.close()
            return looked - begun, done - looked

    return asyncio.run(run())


def _fill(conn: Connection) -> None:
    chance = random.Random(1)
    everyone = range(1, PLAYERS + 1)
    insert(conn, "leagues", id=1, guild_id=GUILD, name="L", name_key="l", channel_id=1, time_zone="UTC")
    insert(conn, "audit", league_id=1, at=NOW, actor="owner", action="league.create", subject="L")
    people = [{"id": n, "league_id": 1, "discord_id": 1000 + n, "name": f"p{n}"} for n in everyone]
    insert_many(conn, "players", people)
    names = [{"league_id": 1, "player_id": n, "name": f"p{n}", "name_key": f"p{n}", "skeleton": ""} for n in everyone]
    insert_many(conn, "player_names", names)
    for number in range(1, SEASONS + 1):
        times = {"settings": {}, "started_at": NOW, "ended_at": NOW}
        insert(
            conn, "seasons", id=number, league_id=1, number=number, format="keyforge-swiss", phase="finished", **times
        )
        seats = {n: number * 1000 + n for n in everyone}
        entrants = [{"id": seat, "season_id": number, "player_id": n, "name": f"p{n}"} for n, seat in seats.items()]
        insert_many(conn, "entrants", [{**row, "mu": 25.0, "sigma": 8.0} for row in entrants])
        for played in range(1, ROUNDS + 1):
            _play(conn, number, played, chance.sample(list(seats.values()), PLAYERS), chance)


def _play(conn: Connection, season: int, number: int, order: list[int], chance: random.Random) -> None:
    row = season * 100 + number
    what = {"stage": "regular", "name": f"Round {number}", "phase": "closed", "posted_at": NOW}
    insert(conn, "rounds", id=row, season_id=season, number=number, **what)
    pairs = zip(order[::2], order[1::2], strict=True)
    matches = [
        {
            "id": row * PLAYERS + at,
            "round_id": row,
            "position": at,
            "upper_id": upper,
            "lower_id": lower,
            "state": "confirmed",
            "kind": "played",
            "winner_id": chance.choice((upper, lower)),
        }
        for at, (upper, lower) in enumerate(pairs, start=1)
    ]
    insert_many(conn, "matches", matches)
    for side in ("upper_id", "lower_id"):
        insert_many(
            conn, "seats", [{"round_id": row, "entrant_id": one[side], "match_id": one["id"]} for one in matches]
        )


def _row(title: str, at: int, most: float) -> Row:
    def measure() -> Figure:
        return Figure(
            title=f"/profile, {SEASONS} seasons of {PLAYERS}, {title}",
            value=measured()[at],
            yardstick=most,
            against=f"{most:g} s",
            at_most=1,
        )

    return measure


ROWS: tuple[Row, ...] = (_row("the first look", 0, FIRST), _row("the next ones", 1, NEXT))
