"""First choices are kept with each match: after a swap too, and in the file, which verifies."""

import json

import pytest

from bot import steps
from bot.league.checking.league_file.reading import read
from bot.league.checking.verify import verify
from bot.league.season.model import Name
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting
from bot.services.organising import swapping
from tests.looked_up import posted_round
from tests.services.conftest import ORGANISER, World


async def exported(world: World) -> bytes:
    return (
        await world.db.read(exporting.export, Order(actor=BOT, now=world.now, league_id=world.league_id))
    ).text.encode()


@pytest.mark.long
async def test_a_season_with_dice_offs_verifies_from_its_file_with_a_round_changed_by_hand(world: World) -> None:
    await world.begin(8, dice_off="equalizer", rounds=3)
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    first, second = view.matches[:2]
    await world.db.write(
        swapping.swap,
        Order(actor=ORGANISER, now=world.now, league_id=world.league_id),
        first=first.lower.name,
        second=second.lower.name,
    )
    await world.play_out()
    season = read(await exported(world))
    assert all(match.dice_off in match.players for round_ in season.rounds for match in round_.matches)
    assert verify(season).lines()[1:-1] == [f"round {r.number}: as the rules say" for r in season.rounds[1:]]
    assert "changed by hand" in verify(season).lines()[0]


async def test_an_imported_season_keeps_the_first_choices_of_its_file(world: World) -> None:
    await world.begin(6, dice_off="draw", rounds=2, cut=0)
    await world.play_out()
    data = json.loads(await exported(world))
    match = data["rounds"][0]["matches"][0]
    wrong = next(name for name in match["players"] if name != match["dice_off"])
    match["dice_off"] = wrong
    del data["rounds"][0]["matches"][1]["dice_off"]
    data["season"] = 0
    await steps.import_file(
        world.db, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), data=json.dumps(data).encode()
    )
    back = read(
        (
            await world.db.read(
                exporting.export, Order(actor=BOT, now=world.now, league_id=world.league_id), season_number=0
            )
        ).text.encode()
    )
    kept = back.rounds[0].matches
    assert kept[0].dice_off == Name(wrong)
    assert kept[1].dice_off in kept[1].players
