"""Another league name during a season waits for its end, and meets everything that can happen until then."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from bot.league.checking.verify import verify
from bot.league.errors import Conflict
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.people import banning, forgetting, merging, renaming
from bot.services.people.renaming import Renamed
from bot.services.reads.past import profiles
from bot.services.seasons import lifecycle
from bot.services.signups import signing_up
from storage.rows import PlayerRow
from storage.tables.people import players
from tests.files import do, look_into, see
from tests.services.conftest import World
from tests.services.people.acting import by_organiser, pinged, season_file

NEW = "Zephyrine"


async def rename(world: World, player: str, name: str) -> Renamed:
    return await do(renaming.rename, db=world.db, **by_organiser(world, player=player, new_name=name, reason="a typo"))


def people(world: World) -> dict[str, PlayerRow]:
    with look_into(world.db) as conn:
        return {row.name: row for row in players.of_league(conn, world.league_id)}


def asked(world: World, **more: Any) -> dict[str, Any]:
    return {key: value for key, value in by_organiser(world, **more).items() if key != "reason"}


async def cancel(world: World) -> None:
    await do(lifecycle.cancel, db=world.db, **by_organiser(world, reason="over"))


@pytest.mark.long
async def test_a_name_given_during_a_season_comes_with_its_end(world: World) -> None:
    await world.begin(4, rounds=1, cut=2)
    done = await rename(world, "dok", NEW)
    assert done.after is not None
    assert (done.player.name, done.player.next_name) == ("dok", NEW)
    assert await pinged(world, f"dok, you're {NEW} once season 1 is over: an organiser renamed you.") == ["dok"]
    shown = await see(profiles.profile, db=world.db, **asked(world, player="dok"))
    assert shown.player.next_name == NEW
    await world.play_out()
    assert people(world)[NEW].next_name is None
    assert await pinged(world, f"you're {NEW} from now on.") == ["dok"]
    assert "dok" in [who.name for who in (await world.status(1)).entrants], "as it was drawn"
    assert verify(await season_file(world)).agrees


async def test_another_name_replaces_the_one_that_waits_and_the_old_one_ends_it(world: World) -> None:
    await world.begin(4)
    await rename(world, "dok", NEW)
    assert (await rename(world, "dok", "Doctor")).player.next_name == "Doctor"
    await rename(world, "dok", "Doctor")
    kept = await rename(world, "dok", "dok")
    assert (kept.player.next_name, kept.kept) == (None, "Doctor")
    assert await pinged(world, "dok, you keep this name: an organiser changed their mind about Doctor.") == ["dok"]
    actions = [row.action for row in await world.audit()]
    assert actions[:3] == ["player.rename-dropped", "player.rename-later", "player.rename-later"]
    await cancel(world)
    assert "dok" in people(world)


async def test_a_season_that_is_cancelled_gives_the_name_too(world: World) -> None:
    await world.begin(4)
    await rename(world, "dok", NEW)
    await cancel(world)
    assert NEW in people(world)


async def test_nobody_else_gets_a_name_that_waits(world: World) -> None:
    await world.begin(4, late_entry=3)
    await rename(world, "dok", NEW)
    with pytest.raises(Conflict, match="is taken"):
        await rename(world, "Xorlof", NEW)
    with pytest.raises(Conflict, match="looks too much like"):
        await rename(world, "Xorlof", NEW.upper())
    joins: Any = {"actor": world.player("New"), "now": world.now, "league_id": world.league_id, "agreed": 2}
    with pytest.raises(Conflict):
        await do(signing_up.sign_up, db=world.db, **joins, display_name="New", name=NEW)


async def test_a_name_that_an_import_brought_meanwhile_is_not_given(world: World) -> None:
    await world.begin(4)
    await rename(world, "dok", NEW)
    await world.db.write(bring, world.league_id)
    await cancel(world)
    assert people(world)["dok"].next_name is None
    assert await pinged(world, f"dok, you keep this name: {NEW} was taken during the season.") == ["dok"]


def bring(conn: Any, league_id: Any) -> None:
    """Bring someone into the league as an import does, which asks for no free name."""
    (brought,) = players.add_many(conn, league_id, [NEW]).values()  # type: ignore[list-item]
    players.add_names(conn, league_id, [(brought, NEW, NEW.casefold())])  # type: ignore[list-item]


async def test_who_is_forgotten_leaves_no_name_that_waits(world: World) -> None:
    await world.begin(4)
    await rename(world, "dok", NEW)
    await do(forgetting.forget, db=world.db, **asked(world, player="dok"))
    with closing(sqlite3.connect(world.db.path)) as file:
        assert not [line for line in file.iterdump() if NEW in line]


async def test_who_left_or_was_banned_is_renamed_all_the_same(world: World) -> None:
    await world.begin(4)
    await rename(world, "dok", NEW)
    await world.drop("dok")
    with pytest.raises(ConfirmationNeeded):
        await do(banning.ban, db=world.db, **by_organiser(world, player="Xorlof", reason="rude", agreed=""))
    await rename(world, "Xorlof", "Xavier")
    await do(banning.ban, db=world.db, **by_organiser(world, player="Xorlof", reason="rude"))
    await cancel(world)
    assert {NEW, "Xavier"} <= people(world).keys()


async def test_a_merge_drops_the_name_of_the_one_who_goes_and_says_so(world: World) -> None:
    await world.begin(4)
    await world.db.write(bring, world.league_id)
    await rename(world, NEW, "Zora")
    both: Any = by_organiser(world, player=NEW, into="dok", reason="one person")
    with pytest.raises(
        ConfirmationNeeded, match=f"Nobody is called Zora then, which {NEW} was to be after this season."
    ):
        await do(merging.merge, db=world.db, **both, agreed="")
    done = await do(merging.merge, db=world.db, **both)
    await rename(world, "dok", "Doctor")
    await do(merging.take_back, db=world.db, **asked(world, merge=done.id))
    assert [people(world)[name].next_name for name in (NEW, "dok")] == [None, "Doctor"]
