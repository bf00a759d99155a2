"""Check-in before the start, and the last day before sign-ups close."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import NotFound, WrongPhase
from bot.league.season.phases import SeasonPhase
from bot.services.base.outbox import BOARD
from bot.services.delivery.delivery import Delivery
from bot.services.people import rejoining, removing
from bot.services.seasons import planning
from bot.services.signups import check_in, signing_up
from bot.services.signups.check_in import CHECK_IN, CheckInPost
from cogs.posting.renderings import render
from storage.tables.signups import waitlist
from tests.files import do, look_into
from tests.services.conftest import ORGANISER, World


async def opened(world: World, *names: str, hours: int = 48, **settings: Any) -> None:
    given = {"check_in_hours": 12, "late_entry": 1, **settings}
    await world.opened(format="ohs", settings=given, signups_close=world.now + timedelta(hours=hours))
    await world.sign_up(*names)


async def tick(world: World) -> int:
    return await steps.tick(world.db, world.now)


async def questions(world: World) -> list[Delivery]:
    return [made for made in await world.announce() if made.row.kind == CHECK_IN]


async def im_in(world: World, *names: str) -> list[bool]:
    """Let players press I'm in, and return who had said so already."""
    found = []
    for name in names:
        who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
        found.append((await do(check_in.check_in, db=world.db, **who)).already)
    return found


async def wait(world: World, *names: str) -> None:
    for name in names:
        who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
        await do(signing_up.sign_up, db=world.db, **who, display_name=name)


async def inside(world: World) -> list[str]:
    return [who.name for who in (await world.status()).entrants if who.active]


async def waiting(world: World) -> list[str]:
    season = (await world.status()).season
    with look_into(world.db) as conn:
        return [row.name for row in waitlist.of_season(conn, season.id)]


async def test_everyone_signed_up_is_asked_once_so_many_hours_before_the_close(world: World) -> None:
    await opened(world, "dok", "Xorlof", "Zoë")
    world.later(hours=36, seconds=-1)
    await tick(world)
    assert await questions(world) == []
    with pytest.raises(WrongPhase, match="nothing to check in for"):
        await im_in(world, "dok")
    world.later(seconds=1)
    assert await asyncio.gather(tick(world), tick(world)) in ([1, 0], [0, 1])
    (question,) = await questions(world)
    assert len(question.mention.people) == 3
    assert await im_in(world, "dok", "dok") == [False, True]
    (edited,) = await world.posts("check-in")
    facts = await world.shown(edited)
    assert isinstance(facts, CheckInPost)
    assert [who.name for who in facts.silent] == ["Xorlof", "Zoë"]
    await wait(world, "Ann")
    assert await im_in(world, "Ann") == [True]
    with pytest.raises(NotFound):
        await im_in(world, "Bo")


async def test_the_silent_lose_their_places_to_who_waits_in_order_of_the_list(world: World) -> None:
    await opened(world, "dok", "Xorlof", "Zoë", "Kinseth", max_players=4)
    await wait(world, "Ann", "Bo")
    world.later(hours=36)
    await tick(world)
    await world.announce()
    await im_in(world, "Zoë")
    world.later(hours=12)
    await tick(world)
    assert await inside(world) == ["dok", "Zoë", "Ann", "Bo"]
    assert await waiting(world) == []
    (told,) = [post for post in await world.posts("own-place") if "check in" in str(post.facts["text"])]
    assert told.facts["pings"] == [world.player(name).user_id for name in ("Xorlof", "Kinseth", "Ann", "Bo")]
    assert (await world.status()).season.phase is SeasonPhase.RUNNING


async def test_where_no_one_was_asked_no_one_loses_a_place(world: World) -> None:
    await opened(world, "dok", "Xorlof", "Zoë", max_players=3)
    await wait(world, "Ann")
    world.later(hours=48)
    await tick(world)  # the bot was down meanwhile
    assert await inside(world) == ["dok", "Xorlof", "Zoë"]


async def asked_while_full(world: World) -> None:
    """Ask three players, who have all places, whether they're still in; Ann waits."""
    await opened(world, "dok", "Xorlof", "Zoë", max_players=3)
    await wait(world, "Ann")
    world.later(hours=36)
    await tick(world)
    await world.announce()


async def test_one_who_waits_takes_the_place_of_the_silent_player_who_signed_up_last(world: World) -> None:
    await asked_while_full(world)
    world.later(hours=12)
    await tick(world)
    assert await inside(world) == ["dok", "Xorlof", "Ann"]


async def test_a_free_place_is_filled_before_anyone_loses_theirs(world: World) -> None:
    await opened(world, "dok", "Xorlof", "Zoë", max_players=3)
    await wait(world, "Ann")
    world.later(hours=36)
    await tick(world)
    await world.drop("Zoë")
    world.later(hours=12)
    await tick(world)
    assert await inside(world) == ["dok", "Xorlof", "Ann"]


@pytest.mark.parametrize("in_", [(), ("dok", "Xorlof"), ("dok", "Xorlof", "Zoë")])
async def test_with_more_players_than_places_no_one_loses_a_place_that_no_one_takes(
    world: World, in_: tuple[str, ...]
) -> None:
    await opened(world, "dok", "Xorlof", "Zoë", max_players=3)
    who: Any = {"actor": ORGANISER, "league_id": world.league_id, "reason": "a mistake"}
    await do(removing.disqualify, db=world.db, **who, now=world.now, player="Zoë")
    await wait(world, "Ann")
    await do(rejoining.reinstate, db=world.db, **who, now=world.now, player="Zoë")
    await wait(world, "Bo")
    world.later(hours=36)
    await tick(world)
    await world.announce()
    await im_in(world, *in_)
    world.later(hours=12)
    await tick(world)
    assert len(await inside(world)) == 4
    assert "Bo" in await inside(world)
    assert await waiting(world) == []


async def test_without_anyone_who_waits_the_silent_stay(world: World) -> None:
    await opened(world, "dok", "Xorlof", max_players=2)
    world.later(hours=36)
    await tick(world)
    assert len(await questions(world)) == 1
    world.later(hours=12)
    await tick(world)
    assert await inside(world) == ["dok", "Xorlof"]
    assert [post.kind for post in await world.posts() if post.removed] == [CHECK_IN]


async def test_a_later_close_asks_those_again_who_have_not_said_so(world: World) -> None:
    await opened(world, "dok", "Xorlof")
    world.later(hours=36)
    await tick(world)
    await questions(world)
    await im_in(world, "dok")
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(planning.change_settings, db=world.db, **who, signups_close=world.now + timedelta(days=5))
    await tick(world)
    assert await questions(world) == []
    world.later(days=4, hours=12)
    await tick(world)
    (again,) = await questions(world)
    assert again.mention.people == (world.player("Xorlof").user_id,)


async def settings(world: World, **given: Any) -> None:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(planning.change_settings, db=world.db, **who, **given)


async def test_a_check_in_that_is_turned_off_costs_no_one_their_place(world: World) -> None:
    await asked_while_full(world)
    await settings(world, settings={"check_in_hours": None})
    assert [post.removed for post in await world.posts(CHECK_IN)] == [True]
    await settings(world, settings={"check_in_hours": 12})
    await tick(world)
    assert len((await questions(world))[0].mention.people) == 3, "they are asked again once it's on again"
    await settings(world, settings={"check_in_hours": None})
    world.later(hours=12)
    await tick(world)
    assert await inside(world) == ["dok", "Xorlof", "Zoë"]


async def test_a_check_in_whose_close_moves_away_does_not_ask_before_the_old_one(world: World) -> None:
    await opened(world, "dok", "Xorlof")
    world.later(hours=36)
    await tick(world)
    await world.announce()
    await settings(world, signups_close=world.now + timedelta(days=9))
    assert [post.removed for post in await world.posts(CHECK_IN)] == [True]


async def test_a_season_that_could_not_start_asks_no_one_to_check_in_any_more(world: World) -> None:
    await opened(world, "dok")
    world.later(hours=36)
    await tick(world)
    await world.announce()
    world.later(hours=12)
    await tick(world)
    assert [post.removed for post in await world.posts(CHECK_IN)] == [True]


async def test_the_day_before_sign_ups_close_the_board_says_how_many_are_in(world: World) -> None:
    await opened(world, "dok", "Xorlof", check_in_hours=0)
    world.later(hours=24, seconds=-1)
    assert await tick(world) == 0
    world.later(seconds=1)
    assert await tick(world) == 1
    assert await tick(world) == 0
    (board,) = await world.posts("board")
    assert "**Last day to join:** 2 players are in." in str(render(BOARD, await world.shown(board)).parts[0])
    assert await world.posts("stuck") == ()


async def test_organisers_hear_a_day_before_that_too_few_are_in(world: World) -> None:
    await opened(world, "dok", check_in_hours=0)
    world.later(hours=24)
    await tick(world)
    (told,) = await world.posts("stuck")
    assert "only 1 player is in; it takes 2" in str(told.facts["text"])
    await tick(world)
    assert len(await world.posts("stuck")) == 1


async def test_sign_ups_that_open_for_less_than_a_day_alarm_no_one(world: World) -> None:
    await opened(world, hours=12, check_in_hours=0)
    assert await tick(world) == 0
    assert await world.posts("stuck") == ()


async def test_the_audit_log_asks_no_one_who_is_put_in_a_line_later(world: World) -> None:
    await opened(world, "dok", "Xorlof", "Zoë", "Kinseth", max_players=4)
    await wait(world, "Ann", "Bo")
    world.later(hours=36)
    await tick(world)
    await world.announce()
    await im_in(world, "Zoë")
    world.later(hours=12)
    await tick(world)
    done = [row.action for row in await world.audit()]
    assert "waitlist.ask" not in done
    assert done.count("waitlist.check-in") == 2


async def test_nobody_is_asked_or_told_of_the_last_day_where_the_bot_was_off_until_sign_ups_closed(
    world: World,
) -> None:
    await opened(world, "dok", "Xorlof")
    before = (await world.status()).season
    world.later(hours=49)
    await tick(world)
    season = (await world.status()).season
    assert season.phase is SeasonPhase.RUNNING
    assert (season.last_day, season.check_in) == (before.last_day, None)
    assert await questions(world) == []
