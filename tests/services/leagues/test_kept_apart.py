"""Players kept apart come into a league with a season's file and go out with it as they came."""

import json
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file import reading
from bot.league.checking.verify import verify
from bot.league.season.model import KeptApart, Name
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting, set_up, taking_back
from bot.services.people import keeping_apart
from storage import rules_season
from storage.query import records
from storage.rows import LeagueId
from storage.tables import seasons
from tests.files import change_by_hand, do, look_into
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


async def two_seasons(world: World) -> tuple[str, str, tuple[str, str]]:
    """Play a season and begin another; return their files, that of the second as it is, and who meets in it first."""
    await world.begin(6, rounds=3, cut=0)
    await world.play_out()
    first = await exported(world, world.league_id)
    await world.begin(6, rounds=3, cut=0)
    match = await world.match_of(NAMES[0])
    assert match is not None
    return first, await exported(world, world.league_id), (match.upper.name, match.lower.name)


async def keep_apart(world: World, league_id: LeagueId, two: tuple[str, str]) -> None:
    said: Any = {"db": world.db, "actor": ADMIN, "now": world.now, "league_id": league_id}
    await do(keeping_apart.keep_apart, **said, first=two[0], second=two[1], reason="they asked")


async def times(world: World) -> list[list[int | None]]:
    with look_into(world.db) as conn:
        return [
            [*row] for row in records(conn, "SELECT season, round, until_season, until_round FROM apart ORDER BY id")
        ]


async def test_keeping_two_apart_changes_no_season_that_is_imported_later(world: World) -> None:
    first, _, two = await two_seasons(world)
    await world.play_out()
    second = await exported(world, world.league_id)
    copy = await imported(world, json.loads(first))
    await keep_apart(world, copy, two)
    order = Order(actor=ADMIN, now=world.now, league_id=copy)
    brought = await steps.import_file(world.db, order, data=second.encode())

    again = reading.read((await exported(world, copy)).encode())
    assert again.apart == ()
    assert verify(again).agrees
    assert await times(world) == [[3, 1, None, None]]
    await world.db.write(taking_back.take_back, order, import_id=brought.id)
    assert await times(world) == [[2, 1, None, None]]


async def test_two_kept_apart_are_so_from_the_next_round_of_a_season_that_goes_on_here(world: World) -> None:
    first, second, two = await two_seasons(world)
    copy = await imported(world, json.loads(first))
    await keep_apart(world, copy, two)
    order = Order(actor=ADMIN, now=world.now, league_id=copy)
    await steps.import_file(world.db, order, data=second.encode())
    again = reading.read((await exported(world, copy)).encode())
    assert [(*row.players, row.round, row.until) for row in again.apart] == [(*two, 2, None)]
    assert verify(again).agrees


@pytest.mark.parametrize(
    ("row", "phase", "left"),
    [
        ("(1, 2, NULL, NULL)", "over", [[1, 2, 2, 1], [6, 1, None, None]]),
        ("(1, 2, 2, 1)", "over", [[1, 2, 2, 1]]),
        ("(2, 1, NULL, NULL)", "over", [[6, 1, None, None]]),
        ("(1, 2, NULL, NULL)", "signup", [[1, 2, 2, 1], [5, 1, None, None]]),
    ],
)
async def test_seasons_of_an_import_are_cut_out_of_those_in_which_two_are_kept_apart(
    world: World, row: str, phase: str, left: list[list[int | None]]
) -> None:
    """The league has had one season, and the file is of the fifth."""
    copy = await imported(world, {**a_season(), "format": "record", "season": 1, "substitutes": []})
    with change_by_hand(world.db) as conn:
        conn.execute(
            "INSERT INTO apart (league_id, first_id, second_id, season, round, until_season, until_round)"
            f" SELECT {copy}, min(p.id), max(p.id), row.* FROM players p, (VALUES {row}) row WHERE league_id = {copy}"
        )
    fifth = {**a_season(), "season": 5, **({"format": "record", "substitutes": []} if phase == "over" else {})}
    order = Order(actor=ADMIN, now=world.now, league_id=copy)
    await steps.import_file(world.db, order, data=json.dumps(fifth).encode())
    assert await times(world) == left
