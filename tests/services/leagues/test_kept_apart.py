"""Players kept apart come into a league with a season's file and go out with it as they came."""

import json
from typing import Any

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.season.model import KeptApart, Name
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting, set_up
from storage import rules_season
from storage.rows import LeagueId
from storage.tables import seasons
from tests.files import look_into
from tests.services.conftest import ADMIN, NAMES, World


async def exported(world: World, league_id: LeagueId) -> str:
    file = await world.db.read(exporting.export, Order(actor=BOT, now=world.now, league_id=league_id))
    return file.text


async def imported(world: World, file: dict[str, Any]) -> LeagueId:
    league = await world.db.write(set_up.create, Order(actor=ADMIN, now=world.now), name="Copy", channel_id=77)
    order = Order(actor=ADMIN, now=world.now, league_id=league.id)
    await steps.import_file(world.db, order, data=json.dumps(file).encode())
    return league.id


def a_season(*rows: dict[str, Any]) -> dict[str, Any]:
    """Return a file of a season without rounds; from round 2 on Zed sits in the seat of the first."""
    return {
        "fairpair": 1,
        "league": "Copy",
        "season": 3,
        "format": "keyforge-swiss",
        "players": [{"name": name} for name in NAMES[:6]],
        "substitutes": [{"seat": NAMES[0], "player": "Zed", "round": 2}],
        "apart": list(rows),
    }


async def test_rows_of_a_file_go_out_as_stretches_of_the_people_who_sit_there(world: World) -> None:
    both = [NAMES[0], NAMES[1]]
    copy = await imported(world, a_season({"players": both, "round": 1}, {"players": both, "round": 4, "until": 2}))
    again = reading.read((await exported(world, copy)).encode())
    seats = (Name(NAMES[0]), Name(NAMES[1]))
    assert again.apart == (KeptApart(players=seats, round=1, until=2), KeptApart(players=seats, round=2))
    assert again.apart[1].holds_in(9)


async def test_a_season_that_is_over_keeps_nobody_apart_in_the_next_one(world: World) -> None:
    over = {
        **a_season({"players": [NAMES[2], NAMES[3]], "round": 1}),
        "format": "record",
        "season": 1,
        "substitutes": [],
    }
    copy = await imported(world, over)
    following = Order(actor=ADMIN, now=world.now, league_id=copy)
    await steps.import_file(world.db, following, data=json.dumps({**a_season(), "season": 2}).encode())
    with look_into(world.db) as conn:
        first, second = (seasons.by_number(conn, copy, number) for number in (1, 2))
        assert first is not None
        assert second is not None
        assert len(rules_season.load(conn, first.id).apart) == 1
        assert rules_season.load(conn, second.id).apart == ()
