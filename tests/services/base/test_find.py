"""Who a typed name means, and who it doesn't."""

import logging
from dataclasses import replace
from typing import Any

import pytest

from bot import logs
from bot.league.errors import NotFound
from bot.services.base import find
from bot.services.base.order import Order
from bot.services.base.transaction import live, transaction
from bot.services.leagues import set_up
from bot.services.people import forgetting
from bot.services.play import decisions
from bot.services.threads import thread_notes
from storage.query import value
from tests.files import do, look_into, see
from tests.services.conftest import ADMIN, CHANNEL, MODERATOR, ORGANISER, STRANGER, World

LIKE_ANN = "\u0410nn"
"""Ann, with the first letter of another script."""


@pytest.mark.long
async def test_a_name_that_only_looks_like_the_typed_one_is_another_persons(world: World) -> None:
    await world.create()
    await world.sign_up("dok", LIKE_ANN)
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    with pytest.raises(NotFound, match="looks like it, but is written with other letters"):
        await do(forgetting.forget, db=world.db, **who, player="Ann")
    assert await do(forgetting.forget, db=world.db, **who, player="DOK ") != "dok"


async def test_no_result_is_decided_for_a_name_that_only_looks_like_a_players(world: World) -> None:
    await world.create()
    await world.sign_up("dok", LIKE_ANN)
    await world.start()
    match = await world.match_of("dok")
    assert match is not None
    asked: Any = {"actor": MODERATOR, "match": match.match.id}
    with pytest.raises(Exception, match="isn't an outcome of this match"):
        await see(decisions.decide_preview, db=world.db, **asked, outcome="Ann")
    found = await see(decisions.decide_preview, db=world.db, **asked, outcome="DOK")
    assert found is not None


async def test_the_number_of_a_player_is_that_of_a_player_of_this_league_alone(world: World) -> None:
    await world.create()
    await world.sign_up("dok")
    who: Any = {"actor": ORGANISER, "league_id": world.league_id}
    with look_into(world.db) as conn:
        number = value(conn, "SELECT id FROM players")
    assert await see(find.account_of, db=world.db, **who, named=number) == world.player("dok").user_id
    with pytest.raises(NotFound, match="isn't in Online HeroScape any more"):
        await see(find.account_of, db=world.db, **who, named=number + 1)


async def test_in_the_thread_of_a_match_its_league_is_meant(world: World) -> None:
    await world.begin(4, match_places="threads")
    match = await world.match_of("dok")
    assert match is not None
    await world.db.write(thread_notes.begin, match.match.id)
    await world.db.write(thread_notes.made, match.match.id, 555, now=world.now)
    who: Any = {"actor": ADMIN, "now": world.now}
    other = await do(set_up.create, db=world.db, **who, name="Another", channel_id=CHANNEL + 10)
    for thread, league in ((555, world.league), (556, other)):
        asked: Any = {"actor": replace(STRANGER, thread_id=thread), "channel_id": other.channel_id, "name": None}
        assert (await see(find.league_meant, db=world.db, **asked)).id == league.id


async def test_what_is_about_no_league_asks_which(world: World) -> None:
    with pytest.raises(NotFound, match="Which league"):
        await see(find.player_names, db=world.db, actor=STRANGER, typed="")


async def test_the_log_says_in_which_league_something_was_done(world: World, caplog: pytest.LogCaptureFixture) -> None:
    await world.create()
    with caplog.at_level(logging.INFO, "bot"), logs.one_action("/season status"), look_into(world.db) as conn:
        transaction(conn, Order(actor=STRANGER, now=world.now, league_id=world.league_id), live)
    assert f"league={world.league_id}" in caplog.text
