"""Where and when people can play: said by anyone, and deleted by them, also by those who never joined."""

from typing import Any

import pytest

from bot.services.times import own_zone
from storage.query import records
from tests.files import do, look_into, see
from tests.services.conftest import World


@pytest.mark.parametrize("joined", [True, False])
async def test_what_someone_said_is_deleted_by_them(world: World, joined: bool) -> None:
    await world.create()
    if joined:
        await world.sign_up("Ann")
    who: Any = {"db": world.db, "actor": world.player("Ann"), "now": world.now, "league_id": world.league_id}
    await do(own_zone.say, **who, time_zone="Europe/Berlin", hours="fri 18-20")
    await do(own_zone.forget, **who)
    assert (await see(own_zone.own, **who)).zone is None
    with look_into(world.db) as conn:
        assert records(conn, "SELECT * FROM availability") == ()
        log = [str(value) for row in records(conn, "SELECT * FROM audit") for value in row]
    known = [value for value in log if value == "Ann" or str(world.player("Ann").user_id) in value]
    assert bool(known) is joined, "the log keeps no name of someone who never joined"
    await do(own_zone.forget, **who)
