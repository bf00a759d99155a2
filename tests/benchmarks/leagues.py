"""A database with as many leagues as one process may hold, each with a round being played and seasons behind it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from storage.database import Connection, Database
from storage.query import insert_many
from tests.files import change_by_hand

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
PLAYERS = 8
ROUNDS = 4
"""Rounds of a season that is over."""


async def build(path: Path, leagues: int, *, seasons: int, deadline: datetime | None = None) -> Database:
    """Return a new database with so many leagues, each with so many seasons, the last in round 1."""
    db = await Database.open(path)
    with change_by_hand(db) as conn:
        await _fill(conn, leagues, seasons, deadline or NOW + timedelta(days=6))
    return db


async def _fill(conn: Connection, leagues: int, seasons: int, deadline: datetime) -> None:
    everyone = range(1, leagues + 1)
    insert_many(
        conn,
        "leagues",
        [
            {"id": n, "guild_id": n, "name": f"L{n}", "name_key": f"l{n}", "channel_id": n, "time_zone": "UTC"}
            for n in everyone
        ],
    )
    people = [(n, n * PLAYERS + place) for n in everyone for place in range(PLAYERS)]
    insert_many(
        conn,
        "players",
        [{"id": player, "league_id": n, "discord_id": 1000 + player, "name": f"p{player}"} for n, player in people],
    )
    for number in range(1, seasons + 1):
        await _season(conn, everyone, number, live=number == seasons, deadline=deadline)


async def _season(conn: Connection, everyone: range, number: int, *, live: bool, deadline: datetime) -> None:
    first = len(everyone) * (number - 1)
    over = {} if live else {"ended_at": NOW}
    rows: list[dict[str, Any]] = [
        {
            "id": first + n,
            "league_id": n,
            "number": number,
            "format": "ohs",
            "settings": {"overdue": "extend"},
            "phase": "running" if live else "finished",
            "started_at": NOW,
            **over,
        }
        for n in everyone
    ]
    insert_many(conn, "seasons", rows)
    entrants = [
        {
            "id": (first + n) * PLAYERS + place,
            "season_id": first + n,
            "player_id": n * PLAYERS + place,
            "name": f"p{n * PLAYERS + place}",
            "mu": 25.0,
            "sigma": 8.0,
        }
        for n in everyone
        for place in range(PLAYERS)
    ]
    insert_many(conn, "entrants", entrants)
    for played in range(1, 2 if live else ROUNDS + 1):
        await _round(conn, everyone, first, played, live=live, deadline=deadline)


async def _round(conn: Connection, everyone: range, first: int, number: int, *, live: bool, deadline: datetime) -> None:
    ids = {n: (first + n) * ROUNDS + number for n in everyone}
    phase = "open" if live else "closed"
    insert_many(
        conn,
        "rounds",
        [
            {
                "id": ids[n],
                "season_id": first + n,
                "stage": "regular",
                "number": number,
                "name": f"Round {number}",
                "phase": phase,
                "posted_at": NOW,
                "deadline": deadline,
            }
            for n in everyone
        ],
    )
    pairs = [(n, place) for n in everyone for place in range(PLAYERS // 2)]
    result: dict[str, Any] = {"state": "open"} if live else {"state": "confirmed", "kind": "double_loss"}
    matches = [
        {
            "id": ids[n] * PLAYERS + place,
            "round_id": ids[n],
            "position": place + 1,
            "upper_id": (first + n) * PLAYERS + 2 * place,
            "lower_id": (first + n) * PLAYERS + 2 * place + 1,
            **result,
        }
        for n, place in pairs
    ]
    insert_many(conn, "matches", matches)
    for side in ("upper_id", "lower_id"):
        seats = [{"round_id": row["round_id"], "entrant_id": row[side], "match_id": row["id"]} for row in matches]
        insert_many(conn, "seats", seats)
