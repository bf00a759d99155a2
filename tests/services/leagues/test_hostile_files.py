"""League files with any value in any place: taken in and readable, or refused in words; never a bug."""

import contextlib
import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Invalid, LeagueError
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting, set_up
from bot.services.reads import overview, tables
from storage.tables.outbox import deliveries
from tests.examples import mostly_long
from tests.files import change_by_hand, look_into
from tests.looked_up import posted_round
from tests.services.conftest import ADMIN, World

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FILE: dict[str, Any] = {
    "fairpair": 1,
    "league": "L",
    "season": 1,
    "format": "ohs",
    "settings": {"rounds": 2, "cut": 2},
    "players": [
        {"name": "a", "rating": {"mu": 25.0, "sigma": 8.0}, "entered": 1, "seed": 1, "former_names": ["old a"]},
        {"name": "b"},
        {"name": "c"},
        {"name": "d"},
    ],
    "past_seasons": [{"season": 0, "matches": [["a", "b"]]}],
    "rounds": [
        {
            "number": 1,
            "stage": "regular",
            "bye": None,
            "matches": [
                {"players": ["a", "b"], "winner": "a", "games": [1, 0], "kind": "played"},
                {"players": ["c", "d"], "kind": "open"},
            ],
        }
    ],
    "departures": [],
}
VALUES = (None, True, -1, 2, 2**63, 10**39, 1e308, "", "draw", "zz", "x" * 5000, "\ud83d", "\0", [], {}, ["a", "a"])


def places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Walk every place of a file."""
    yield here
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from places(member, (*here, key))


def changed(place: tuple[Any, ...], value: Any) -> Any:
    """Return the file with another value in one place."""
    file = copy.deepcopy(FILE)
    if not place:
        return value
    spot = file
    for key in place[:-1]:
        spot = spot[key]
    spot[place[-1]] = value
    return file


@pytest.mark.long
@pytest.mark.parametrize("value", mostly_long(VALUES, quick=4), ids=[repr(value)[:12] for value in VALUES])
async def test_any_value_in_any_place_is_taken_or_refused(world: World, value: Any) -> None:
    for number, place in enumerate(places(FILE)):
        league = await world.db.write(
            set_up.create, Order(actor=ADMIN, now=NOW), name=f"L{number}", channel_id=number + 1
        )
        text = json.dumps(changed(place, value))
        try:
            await steps.import_file(world.db, Order(actor=ADMIN, now=NOW, league_id=league.id), data=text.encode())
        except LeagueError:
            with pytest.raises(LeagueError):
                await world.db.read(overview.status, Order(actor=BOT, now=world.now, league_id=league.id))
        else:
            await read_all(world, league.id)
        with change_by_hand(world.db) as conn:
            conn.execute("UPDATE leagues SET guild_id = guild_id + id + 1000 WHERE id = ?", (league.id,))


async def read_all(world: World, league_id: Any) -> None:
    """Look at an imported season from every side."""
    for look in (overview.status, tables.standings, tables.bracket, posted_round, exporting.export):
        with contextlib.suppress(LeagueError):
            await world.db.read(look, Order(actor=ADMIN, now=NOW, league_id=league_id))
    await steps.tick(world.db, NOW)
    with look_into(world.db) as conn:
        due = deliveries.due(conn, NOW)
    for post in due:
        await world.shown(post)


async def test_a_name_with_a_zero_byte_is_refused(world: World) -> None:
    for place in (("players", 0, "former_names"), ("players", 3, "name")):
        text = json.dumps(changed(place, ["\0old"] if place[-1] == "former_names" else "d\0"))
        text = text.replace('["c", "d"]', '["c", "d\\u0000"]') if place[-1] == "name" else text
        with pytest.raises(Invalid, match="zero byte"):
            await steps.import_file(
                world.db, Order(actor=ADMIN, now=NOW, league_id=world.league_id), data=text.encode()
            )
