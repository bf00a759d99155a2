"""What is imported while a season runs counts from the next one: its past and its ratings stay as they were."""

import json
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.services.base import cached
from bot.services.base.order import Order
from bot.services.leagues import exporting, set_up
from bot.services.signups import signing_up
from storage import rules_season
from storage.query import records
from storage.rows import LeagueId
from storage.tables import seasons
from tests.files import do, look_into
from tests.services.conftest import ADMIN, NAMES, World


def won(pair: tuple[str, str]) -> dict[str, Any]:
    return {"players": pair, "winner": pair[0], "kind": "played"}


def record(number: int, *pairs: tuple[str, str]) -> str:
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
    return json.dumps(file)


async def bring(world: World, league_id: LeagueId, *files: str) -> None:
    order = Order(actor=ADMIN, now=world.now, league_id=league_id)
    data, *others = [file.encode() for file in files]
    await steps.import_file(world.db, order, data=data, others=others)


async def imported(world: World, number: int, *pairs: tuple[str, str]) -> None:
    await bring(world, world.league_id, record(number, *pairs))


async def exported(world: World, league_id: LeagueId, number: int) -> str:
    order = Order(actor=ADMIN, now=world.now, league_id=league_id)
    return (await world.db.read(exporting.export, order, season_number=number)).text


async def another_league(world: World) -> LeagueId:
    return (await world.db.write(set_up.create, Order(actor=ADMIN, now=world.now), name="Other", channel_id=77)).id


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


@pytest.mark.parametrize("together", [True, False])
async def test_a_season_comes_in_with_the_meetings_it_knew_when_it_started(world: World, together: bool) -> None:
    await world.opened(format="ohs", number=2)
    await world.sign_up(*NAMES[:8])
    await world.start()
    first = await world.match_of(NAMES[0])
    assert first is not None
    await world.play_out()
    await imported(world, 1, (first.upper.name, first.lower.name))  # known only after season 2
    one, two = [await exported(world, world.league_id, number) for number in (1, 2)]
    assert json.loads(two)["past_seasons"] == []

    other = await another_league(world)
    for files in [(one, two)] if together else [(one,), (two,)]:
        await bring(world, other, *files)

    again = await exported(world, other, 2)
    assert json.loads(again)["past_seasons"] == []
    assert verify(reading.read(again.encode())).agrees


async def test_a_season_that_goes_on_elsewhere_knows_whom_those_met_who_come_in_later(world: World) -> None:
    await world.begin(4, rounds=3, cut=0, late_entry=3)
    running = await exported(world, world.league_id, 1)
    other = await another_league(world)
    met, later = (NAMES[0], NAMES[1]), (NAMES[0], "Zed")
    await bring(world, other, record(1, met, later))
    await bring(world, other, json.dumps({**json.loads(running), "season": 2}))
    who: Any = {"actor": ADMIN, "now": world.now, "league_id": other}
    await do(signing_up.add, db=world.db, **who, discord_id=4711, display_name="Zed", name="Zed")

    (past,) = reading.read((await exported(world, other, 2)).encode()).past
    assert [{*match.players} for match in past.matches] == [{*later}]
