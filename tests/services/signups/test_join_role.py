"""A role to join: members without it can't join by themselves; organisers add whom they want."""

from typing import Any

import pytest

from bot.league.checking.league_file import reading
from bot.league.errors import Invalid, InvalidFile
from bot.services.leagues import exporting
from bot.services.seasons import planning
from bot.services.signups import signing_up
from bot.services.signups.signing_up import RoleNeeded
from tests.files import do, see
from tests.services.conftest import GUILD, ORGANISER, World, person

ROLE = 123456789012345678


async def sign_up(world: World, name: str, *roles: int, **more: Any) -> Any:
    account = world.player(name).user_id or 0
    who: Any = {"actor": person(account, name, *roles), "now": world.now, "league_id": world.league_id}
    return await do(signing_up.sign_up, db=world.db, **who, display_name=name, agreed=99, **more)


async def test_only_members_with_the_role_join_and_others_are_added(world: World) -> None:
    await world.create(join_role=ROLE)
    await sign_up(world, "Ann", 5, ROLE)
    with pytest.raises(RoleNeeded) as refused:
        await sign_up(world, "Bo", 5)
    assert refused.value.role_id == ROLE
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(signing_up.add, db=world.db, **who, discord_id=world.player("Cy").user_id or 0, display_name="Cy")
    assert [one.name for one in (await world.status()).entrants] == ["Ann", "Cy"]
    assert (await sign_up(world, "Cy")).already, "who is in stays in"


async def test_the_waiting_list_asks_for_the_role_too_but_not_in_a_direct_message(world: World) -> None:
    await world.create(join_role=ROLE, max_players=2)
    for name in ("Ann", "Bo", "Cy"):
        await sign_up(world, name, ROLE)
    with pytest.raises(RoleNeeded):
        await sign_up(world, "Dee")
    await world.drop("Ann")
    (asked,) = await world.posts("place")
    lost = person(world.player("Cy").user_id or 0, "Cy")
    waiting: Any = {"db": world.db, "now": world.now, "waiting_id": asked.facts["waiting_id"]}
    with pytest.raises(RoleNeeded):
        await do(signing_up.take_place, actor=lost, **waiting)
    from_message = type(lost)(user_id=lost.user_id, name="Cy", direct=True)
    await do(signing_up.take_place, actor=from_message, **waiting)


async def test_everyones_role_and_a_role_nobody_can_read_are_refused(world: World) -> None:
    await world.create()
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    with pytest.raises(Invalid, match="everyone has @everyone"):
        await do(planning.change_settings, db=world.db, **who, settings={"join_role": GUILD})
    with pytest.raises(Invalid, match="Role to join"):
        await do(planning.change_settings, db=world.db, **who, settings={"join_role": "x"})


async def test_no_file_tells_of_who_may_join(world: World) -> None:
    await world.create(join_role=ROLE, approval=False, rounds=3)
    await sign_up(world, "Ann", ROLE)
    await sign_up(world, "Bo", ROLE)
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    made = await see(exporting.export, db=world.db, **who, season_number=1)
    assert '"settings": {"rounds": 3}' in made.text
    for key in ("join_role", "approval"):
        with pytest.raises(InvalidFile, match="a league file has no such setting; leave it out") as wrong:
            reading.read(made.text.replace('"rounds": 3', f'"rounds": 3, "{key}": null').encode())
        assert f"settings.{key}" in str(wrong.value)
