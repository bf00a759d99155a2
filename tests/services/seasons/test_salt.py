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
from tests.files import change_by_hand, do, look_into
from tests.services.conftest import ADMIN, NAMES, ORGANISER, World


def asked(world: World) -> dict[str, Any]:
    return {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}


async def exported(world: World, league_id: Any = None) -> str:
    return (
        await world.db.read(exporting.export, Order(actor=BOT, now=world.now, league_id=league_id or world.league_id))
    ).text


def salt_by_names(world: World) -> None:
    """Let the newest season have the salt of versions 0.2 and 0.3 that is made of names alone."""
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE seasons SET salt_kind = 'names' WHERE id = (SELECT max(id) FROM seasons)")


async def begun(world: World, count: int = 8) -> None:
    await world.opened(format="ohs")
    salt_by_names(world)
    await world.sign_up(*NAMES[:count])
    await world.start()


@pytest.mark.parametrize("text", ["0123456789abcdef", "names"])
async def test_no_one_chooses_the_text_of_the_salt_or_one_of_names_alone(world: World, text: str) -> None:
    await do(planning.prepare, db=world.db, **asked(world), format="ohs")
    with pytest.raises(Invalid, match=r"made when sign-ups close\. Choose off or sealed"):
        await do(planning.change_settings, db=world.db, **asked(world), settings={"salt": text})


@pytest.mark.sealed
async def test_a_season_is_sealed_unless_organisers_say_off_or_copy_one_that_is_off(world: World) -> None:
    plan = await do(planning.prepare, db=world.db, **asked(world), format="ohs")
    assert (plan.value("salt"), plan.season.salt_kind) == ("sealed", "sealed")
    plan = await do(planning.change_settings, db=world.db, **asked(world), settings={"salt": None})
    assert (plan.value("salt"), plan.season.salt_kind) == (None, None)
    await do(planning.open_signups, db=world.db, **asked(world))
    await world.sign_up(*NAMES[:4])
    await world.start()
    await do(lifecycle.cancel, db=world.db, **asked(world), reason="storm")
    copied = await do(planning.prepare, db=world.db, **asked(world), format="ohs", copy_from=1)
    assert (copied.value("salt"), copied.changed) == (None, ())
    await do(planning.discard, db=world.db, **asked(world))
    assert (await do(planning.prepare, db=world.db, **asked(world), format="ohs")).season.salt_kind == "sealed"


@pytest.mark.sealed
async def test_a_season_copied_from_one_whose_salt_is_names_is_sealed(world: World) -> None:
    await begun(world)
    await do(lifecycle.cancel, db=world.db, **asked(world), reason="storm")
    plan = await do(planning.prepare, db=world.db, **asked(world), format="ohs", copy_from=1)
    assert (plan.value("salt"), plan.season.salt_kind, plan.changed) == ("sealed", "sealed", ("salt",))
    plan = await do(planning.change_settings, db=world.db, **asked(world), settings={"salt": None})
    assert (plan.value("salt"), plan.season.salt_kind, plan.changed) == (None, None, ("salt",))


async def test_a_season_whose_salt_is_names_keeps_it_whatever_else_changes(world: World) -> None:
    await do(planning.prepare, db=world.db, **asked(world), format="ohs")
    salt_by_names(world)
    plan = await do(planning.change_settings, db=world.db, **asked(world), settings={"rounds": 3})
    assert (plan.value("salt"), plan.season.salt_kind) == ("names", "names")
    assert "Protected draw: by all names only" in plan.in_short
    await do(planning.open_signups, db=world.db, **asked(world))
    await world.sign_up(*NAMES[:4])
    await do(planning.change_settings, db=world.db, **asked(world), settings={"rounds": 2})
    assert (await world.start()).season.salt == salt_of(map(Name, NAMES[:4]))
    assert verify(read((await exported(world)).encode())).agrees


async def test_a_season_whose_salt_is_names_can_be_sealed_until_it_starts(world: World) -> None:
    await world.opened(format="ohs")
    salt_by_names(world)
    await do(planning.change_settings, db=world.db, **asked(world), settings={"salt": "sealed"})
    [told] = await world.notices()
    assert "Protected draw: yes, sealed until round 1 (was by all names only)." in told
    await world.sign_up(*NAMES[:4])
    with look_into(world.db) as conn:
        ((secret,),) = conn.execute_fetchall("SELECT secret FROM sealed_salts")
    assert (await world.start()).season.salt == salt_of(map(Name, NAMES[:4]), secret)


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


@pytest.mark.long
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
