"""The salt of a season: made once, of names that its league file says."""

import json
from typing import Any

import pytest

from bot import steps
from bot.league.checking.league_file.reading import read
from bot.league.checking.verify import verify
from bot.league.counting.draw import salt_of
from bot.league.errors import Invalid
from bot.league.season.model import Name
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.leagues import exporting, set_up
from bot.services.organising import rounds_by_hand
from bot.services.seasons import lifecycle, planning
from tests.files import do
from tests.services.conftest import ADMIN, NAMES, ORGANISER, World


def asked(world: World) -> dict[str, Any]:
    return {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}


async def exported(world: World, league_id: Any = None) -> str:
    return (
        await world.db.read(exporting.export, Order(actor=BOT, now=world.now, league_id=league_id or world.league_id))
    ).text


async def begun(world: World, count: int = 8) -> None:
    await world.opened(format="ohs", settings={"salt": "names"})
    await world.sign_up(*NAMES[:count])
    await world.start()


async def test_no_one_chooses_the_text_of_the_salt_and_a_copied_season_is_salted_too(world: World) -> None:
    with pytest.raises(Invalid, match="made from the names"):
        await world.create(salt="0123456789abcdef")
    await do(planning.discard, db=world.db, **asked(world))
    await begun(world)
    await do(lifecycle.cancel, db=world.db, **asked(world), reason="storm")
    plan = await do(planning.prepare, db=world.db, **asked(world), format="ohs", copy_from=1)
    assert (plan.value("salt"), plan.season.salted, plan.changed) == ("names", True, ())
    plan = await do(planning.change_settings, db=world.db, **asked(world), settings={"salt": None})
    assert (plan.value("salt"), plan.season.salted, plan.changed) == (None, False, ("salt",))


async def test_a_player_added_after_round_1_was_taken_back_does_not_make_the_salt_wrong(world: World) -> None:
    await begun(world)
    salt = (await world.status()).season.salt
    await do(rounds_by_hand.undo, db=world.db, **asked(world), reason="too early")
    await world.sign_up("Yara")
    await do(rounds_by_hand.post, db=world.db, **asked(world))
    assert (await world.status()).season.salt == salt
    season = read((await exported(world)).encode())
    assert "Yara" in {entrant.name for entrant in season.entrants if entrant.entered == 1}
    assert verify(season).agrees
    assert season.drawn_names == tuple(sorted(NAMES[:8]))


async def test_a_player_who_left_after_round_1_was_taken_back_is_one_of_the_drawn_names(world: World) -> None:
    await begun(world)
    await do(rounds_by_hand.undo, db=world.db, **asked(world), reason="too early")
    await world.drop(NAMES[0])
    await world.sign_up("Yara")
    await do(rounds_by_hand.post, db=world.db, **asked(world))
    season = read((await exported(world)).encode())
    assert NAMES[0] in season.drawn_names
    assert verify(season).agrees


async def test_the_drawn_names_come_back_with_an_imported_file(world: World) -> None:
    await begun(world)
    await do(rounds_by_hand.undo, db=world.db, **asked(world), reason="too early")
    await world.sign_up("Yara")
    await do(rounds_by_hand.post, db=world.db, **asked(world))
    text = await exported(world)
    other = (await world.db.write(set_up.create, Order(actor=ADMIN, now=world.now), name="Copy", channel_id=77)).id
    await steps.import_file(world.db, Order(actor=ADMIN, now=world.now, league_id=other), data=text.encode())
    again = read((await exported(world, other)).encode())
    assert again.drawn_names == tuple(sorted(NAMES[:8]))
    assert verify(again).agrees


async def test_a_season_without_salt_names_nobody(world: World) -> None:
    await world.begin(4)
    assert "drawn_names" not in json.loads(await exported(world))


async def test_a_file_that_says_other_names_than_the_salt_was_made_of_differs(world: World) -> None:
    await begun(world)
    file = json.loads(await exported(world))
    file["drawn_names"] = file["drawn_names"][1:]
    found = verify(read(json.dumps(file).encode()))
    assert not found.agrees
    due = salt_of(map(Name, file["drawn_names"]))
    assert found.lines()[0].startswith(f"salt: differs: the names in drawn_names give {due}, in the file it is ")
