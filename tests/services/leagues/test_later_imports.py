"""What is imported while a season runs counts from the next one: its past and its ratings stay as they were."""

import json
from typing import Any

from bot import steps
from bot.services.base import cached
from bot.services.base.order import Order
from storage import rules_season
from storage.query import records
from storage.tables import seasons
from tests.files import look_into
from tests.services.conftest import ADMIN, NAMES, World


def won(pair: tuple[str, str]) -> dict[str, Any]:
    return {"players": pair, "winner": pair[0], "kind": "played"}


async def imported(world: World, number: int, *pairs: tuple[str, str]) -> None:
    file: dict[str, Any] = {
        "fairpair": 1,
        "league": "x",
        "season": number,
        "format": "record",
        "settings": {},
        "players": [{"name": name} for name in dict.fromkeys(name for pair in pairs for name in pair)],
        "rounds": [
            {"number": index, "stage": "regular", "bye": None, "matches": [won(pair)]}
            for index, pair in enumerate(pairs, start=1)
        ],
    }
    order = Order(actor=ADMIN, now=world.now, league_id=world.league_id)
    await steps.import_file(world.db, order, data=json.dumps(file).encode())


async def test_a_running_season_keeps_its_past_and_its_ratings(world: World) -> None:
    await imported(world, 6, ("Zed", "Yan"))
    await world.begin(8)
    with look_into(world.db) as conn:
        live = seasons.live(conn, world.league_id)
        assert live is not None
        before = rules_season.load(conn, live.id)
        known = cached.ratings_before(conn, world.league_id, 7, imports=live.newest_import)

    await imported(world, 5, (NAMES[2], NAMES[3]), (NAMES[2], NAMES[0]))

    with look_into(world.db) as conn:
        assert rules_season.load(conn, live.id) == before
        assert cached.ratings_before(conn, world.league_id, 7, imports=live.newest_import) == known
        assert cached.ratings_before(conn, world.league_id, 7) != known
        after = cached.ratings_before(conn, world.league_id, 8)
        ids = dict(records(conn, "SELECT name, id FROM players"))
    # From the next season on, the ratings this one noted at its start give way to those of the whole history.
    assert after[ids[NAMES[2]]].mu > after[ids[NAMES[5]]].mu
