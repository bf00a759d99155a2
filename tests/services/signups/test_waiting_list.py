"""A full season has a waiting list: a place that becomes free is offered to the first, then to the next."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, NotFound
from bot.services.base.accounts import Newcomer
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.delivery.delivery import Delivery
from bot.services.organising import rounds_by_hand
from bot.services.people import banning, merging
from bot.services.reads import guidance
from bot.services.seasons import lifecycle, planning
from bot.services.seats import substitutes
from bot.services.signups import signing_up, waiting_list
from bot.services.signups.free_places import PLACE, PlacePost
from bot.services.signups.signing_up import LateEntry, SignedUp
from bot.services.signups.waiting_list import Waits
from storage.tables.signups import waitlist
from tests.files import do, look_into
from tests.services.conftest import ORGANISER, World


async def enter(world: World, name: str) -> SignedUp | Waits:
    who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
    return await do(signing_up.sign_up, db=world.db, **who, display_name=name)


async def full(world: World, *names: str, **settings: Any) -> None:
    """Open a season with as many places as these names, and let them all in."""
    await world.create(max_players=len(names), **settings)
    await world.sign_up(*names)


async def wait(world: World, *names: str) -> list[int]:
    """Let players join the full season, and return their places on its waiting list."""
    found = [await enter(world, name) for name in names]
    return [waits.place for waits in found if isinstance(waits, Waits)]


async def line(world: World) -> dict[str, bool]:
    """Return who waits in order, and whether a place is kept for them."""
    season = (await world.status()).season
    with look_into(world.db) as conn:
        return {row.name: row.asked_at is not None for row in waitlist.of_season(conn, season.id)}


async def inside(world: World) -> list[str]:
    return [who.name for who in (await world.status()).entrants if who.active]


async def asked(world: World) -> list[Delivery]:
    return [made for made in await world.announce() if made.row.kind == PLACE]


async def waiting_id(world: World, name: str) -> int:
    season, known = (await world.status()).season, world.player(name).user_id
    with look_into(world.db) as conn:
        row = waitlist.by_discord(conn, season.id, known or 0)
    assert row is not None
    return row.id


async def take(world: World, name: str, *, by: str = "", agreed: int = 1) -> SignedUp | Waits:
    who: Any = {"actor": world.player(by or name), "now": world.now, "waiting_id": await waiting_id(world, name)}
    return await do(signing_up.take_place, db=world.db, **who, agreed=agreed)


async def tick(world: World) -> int:
    return await steps.tick(world.db, world.now)


async def set_places(world: World, number: int | None) -> None:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(planning.change_settings, db=world.db, **who, settings={"max_players": number})


async def test_a_full_season_puts_people_on_its_waiting_list_and_shows_their_place(world: World) -> None:
    await full(world, "dok", "Xorlof")
    assert await wait(world, "Zoë", "Ann") == [1, 2]
    again = await enter(world, "Ann")
    assert isinstance(again, Waits)
    assert (again.place, again.already) == (2, True)
    assert await inside(world) == ["dok", "Xorlof"]
    (board,) = await world.posts("board")
    assert (await world.shown(board)).waiting == 2  # type: ignore[union-attr]
    assert "Waiting for one: 2" in (await world.status()).next_step
    told = await world.db.read(
        guidance.guidance, Order(actor=world.player("Ann"), now=world.now, league_id=world.league_id)
    )
    assert "number 2 on the waiting list" in told.parts["As a player"][0]


async def test_when_someone_leaves_the_first_is_asked_and_takes_the_place(world: World) -> None:
    await full(world, "dok", "Xorlof", confirm_hours=6)
    await wait(world, "Zoë", "Ann")
    await world.drop("dok")
    (question,) = await asked(world)
    assert question.mention.people == (world.player("Zoë").user_id,)
    assert isinstance(question.post, PlacePost)
    assert question.post.until == world.now + timedelta(hours=6)
    assert await line(world) == {"Zoë": True, "Ann": False}
    assert await wait(world, "Bo") == [3]
    with pytest.raises(NotFound, match="isn't offered to you"):
        await take(world, "Zoë", by="Ann")
    with pytest.raises(Conflict, match="still on the waiting list"):
        await take(world, "Ann")
    await take(world, "Zoë")
    assert await inside(world) == ["Xorlof", "Zoë"]
    assert await line(world) == {"Ann": False, "Bo": False}


async def test_joining_once_more_takes_the_place_that_is_kept(world: World) -> None:
    await full(world, "dok", "Xorlof")
    await wait(world, "Zoë")
    await world.drop("dok")
    assert isinstance(await enter(world, "Zoë"), SignedUp)
    assert await line(world) == {}


async def test_the_time_to_answer_begins_once_the_question_was_sent_and_then_the_next_is_asked(world: World) -> None:
    await full(world, "dok", "Xorlof", confirm_hours=6)
    await wait(world, "Zoë", "Ann")
    await world.drop("dok")
    world.later(days=2)
    assert await tick(world) == 0
    assert len(await asked(world)) == 1
    world.later(hours=6)
    assert await asyncio.gather(tick(world), tick(world)) in ([1, 0], [0, 1])
    assert await line(world) == {"Ann": True}
    (question,) = await asked(world)
    assert question.mention.people == (world.player("Ann").user_id,)
    assert await tick(world) == 0


async def test_saying_no_asks_the_next_and_two_free_places_ask_two(world: World) -> None:
    await full(world, "dok", "Xorlof")
    await wait(world, "Zoë", "Ann", "Bo")
    await world.drop("dok")
    await world.db.write(
        waiting_list.decline, Order(actor=world.player("Zoë"), now=world.now), waiting_id=await waiting_id(world, "Zoë")
    )
    assert await line(world) == {"Ann": True, "Bo": False}
    await world.drop("Xorlof")
    assert await line(world) == {"Ann": True, "Bo": True}


async def test_two_who_press_at_once_share_no_place(world: World) -> None:
    await full(world, "dok", "Xorlof")
    await wait(world, "Zoë", "Ann")
    await world.drop("dok")
    pressed = await asyncio.gather(
        take(world, "Zoë"), enter(world, "Bo"), take(world, "Ann"), take(world, "Zoë"), return_exceptions=True
    )
    assert sum(isinstance(done, SignedUp) for done in pressed) >= 1
    assert sorted(await inside(world)) == ["Xorlof", "Zoë"]
    assert list(await line(world)) == ["Ann", "Bo"]


async def test_more_places_ask_the_next_ones_and_fewer_take_the_offers_back(world: World) -> None:
    await full(world, "dok", "Xorlof")
    await wait(world, "Zoë", "Ann", "Bo")
    await set_places(world, 4)
    assert await line(world) == {"Zoë": True, "Ann": True, "Bo": False}
    assert len(await asked(world)) == 2
    await set_places(world, 3)
    assert await line(world) == {"Zoë": True, "Ann": False, "Bo": False}
    with pytest.raises(Conflict, match="isn't free any more"):
        await take(world, "Ann")
    await set_places(world, None)
    assert set((await line(world)).values()) == {True}
    assert {made.mention.people[0] for made in await asked(world)} == {
        world.player("Ann").user_id,
        world.player("Bo").user_id,
    }


async def test_leaving_the_waiting_list_asks_only_where_something_is_lost(world: World) -> None:
    await full(world, "dok", "Xorlof")
    await wait(world, "Zoë", "Ann")
    assert (await world.drop("Ann", agreed="")).waited
    await wait(world, "Ann")
    with pytest.raises(Conflict, match="at its end"):
        await world.drop("Zoë", agreed="")
    await world.drop("dok")
    with pytest.raises(Conflict, match="kept for you"):
        await world.drop("Zoë", agreed="")
    assert (await world.drop("Zoë")).waited
    assert await line(world) == {"Ann": True}


async def test_an_organiser_adds_no_one_past_the_waiting_list(world: World) -> None:
    await full(world, "dok", "Xorlof")
    await wait(world, "Zoë")
    await world.drop("dok")
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    with pytest.raises(Conflict, match="max_players"):
        await do(signing_up.add, db=world.db, **who, discord_id=77, display_name="Gus")
    zoe = world.player("Zoë").user_id or 0
    await do(signing_up.add, db=world.db, **who, discord_id=zoe, display_name="Zoë")
    assert await inside(world) == ["Xorlof", "Zoë"]


async def test_the_list_goes_on_after_the_start_while_late_entry_is_possible(world: World) -> None:
    await full(world, "dok", "Xorlof", "Kinseth", "Ann")
    await wait(world, "Zoë", "Bo")
    await world.announce()
    await world.start()
    (told,) = [text for text in await world.notices() if "waiting list" in text]
    assert "until round 2 is paired" in told
    await world.drop("dok")
    (question,) = await asked(world)
    assert isinstance(question.post, PlacePost)
    assert question.post.first == 2
    with pytest.raises(LateEntry):
        await take(world, "Zoë")
    await take(world, "Zoë", agreed=2)
    await world.play_round()
    assert await line(world) == {}
    (closed,) = [post for post in await world.posts("own-place") if "list is closed" in str(post.facts["text"])]
    assert closed.facts["pings"] == [world.player("Bo").user_id]


async def test_who_is_offered_a_place_at_the_start_is_not_told_that_all_are_taken(world: World) -> None:
    await full(world, "dok", "Xorlof", "Bo", "Cy", "Dee", late_entry=3)
    await wait(world, "Zoë", "Ann")
    await world.drop("dok")
    await asked(world)
    await world.start()
    (told,) = [post for post in await world.posts("notice") if "all places are taken" in str(post.facts["text"])]
    assert told.facts["pings"] == [world.player("Ann").user_id]


async def test_the_start_is_told_once_though_round_1_is_posted_twice(world: World) -> None:
    await full(world, "dok", "Xorlof", "Bo", "Cy", late_entry=3)
    await wait(world, "Zoë")
    await world.start()
    organiser = Order(actor=ORGANISER, now=world.later(minutes=3), league_id=world.league_id)
    await world.db.write(rounds_by_hand.undo, organiser)
    await world.db.write(rounds_by_hand.post, organiser)
    assert len([post for post in await world.posts("notice") if "all places are taken" in str(post.facts["text"])]) == 1


async def shown_place(world: World) -> PlacePost:
    """Return what the question about a place is edited to show."""
    (post,) = await world.posts(PLACE)
    assert post.message_id is not None
    facts = await world.shown(post)
    assert isinstance(facts, PlacePost)
    return facts


async def test_an_offered_place_shows_what_is_missed_and_until_when_as_that_changes(world: World) -> None:
    closing = world.now + timedelta(hours=10)
    settings = {"max_players": 5, "confirm_hours": 100, "late_entry": 4}
    await world.opened(format="ohs", settings=settings, signups_close=closing)
    await world.sign_up("dok", "Xorlof", "Bo", "Cy", "Dee")
    await wait(world, "Zoë")
    await world.drop("dok")
    (question,) = await asked(world)
    assert isinstance(question.post, PlacePost)
    assert question.post.until == closing
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(planning.change_settings, db=world.db, **who, signups_close=closing + timedelta(hours=1))
    assert (await shown_place(world)).until == closing + timedelta(hours=1)
    await world.announce()
    await world.start()
    assert (await shown_place(world)).first == 2
    await world.announce()
    await world.play_round()
    assert (await shown_place(world)).first == 3


async def test_who_still_waits_at_the_start_is_told_and_questions_go(world: World) -> None:
    await full(world, "dok", "Xorlof", late_entry=1)
    await wait(world, "Zoë", "Ann")
    await set_places(world, 3)
    assert len(await asked(world)) == 1
    await world.start()
    assert await line(world) == {}
    (told,) = [post for post in await world.posts("own-place") if "list is closed" in str(post.facts["text"])]
    assert told.facts["pings"] == [world.player(name).user_id for name in ("Zoë", "Ann")]
    assert [post.kind for post in await world.posts() if post.removed] == [PLACE]


@pytest.mark.parametrize("late_entry", [1, 2])
async def test_who_waited_as_the_list_was_closed_waits_again_once_that_round_is_undone(
    world: World, late_entry: int
) -> None:
    await full(world, "dok", "Xorlof", "Ann", "Bo", late_entry=late_entry)
    await wait(world, "Zoë", "Cy", "Dee", "Eve")
    await world.start()
    if late_entry == 2:
        await world.play_round()
    assert await line(world) == {}
    who: Any = {"db": world.db, "actor": ORGANISER, "league_id": world.league_id}
    world.later(minutes=5)
    await do(banning.ban, **who, now=world.now, player="Dee", reason="x")
    await do(rounds_by_hand.undo, **who, now=world.now)
    assert await line(world) == {"Zoë": False, "Cy": False, "Eve": False}
    (told,) = [post for post in await world.posts("own-place") if "in the same order" in str(post.facts["text"])]
    assert told.facts["text"] == (
        f"Round {late_entry} was undone, so you're on the waiting list of season 1 again, in the same order. "
        "/drop takes you off the list."
    )
    assert told.facts["pings"] == [world.player(name).user_id for name in ("Zoë", "Cy", "Eve")]
    await world.drop("dok")
    assert await line(world) == {"Zoë": True, "Cy": False, "Eve": False}
    await do(rounds_by_hand.post, **who, now=world.later(minutes=5))
    assert await line(world) == {}


async def test_two_who_waited_and_are_one_player_by_now_wait_once_when_the_round_is_undone(world: World) -> None:
    await full(world, "dok", "Xorlof", late_entry=1)
    await wait(world, "Zoë", "Cy")
    await world.start()
    who: Any = {"db": world.db, "actor": ORGANISER, "league_id": world.league_id, "now": world.later(minutes=5)}
    await do(merging.merge, **who, player="Zoë", into="Cy", reason="one person")
    await do(rounds_by_hand.undo, **who)
    assert await line(world) == {"Cy": False}


async def test_a_cancelled_season_leaves_no_one_waiting_and_tells_them(world: World) -> None:
    await full(world, "dok", "Xorlof")
    await wait(world, "Zoë", "Ann")
    await world.drop("dok")
    await world.db.write(lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    assert await world.posts("place") == ()
    (told,) = [post for post in await world.posts("own-place") if "list is closed" in str(post.facts["text"])]
    assert told.facts["pings"] == [world.player(name).user_id for name in ("Zoë", "Ann")]
    assert [row.subject for row in await world.audit() if row.action == "waitlist.close"] == ["season 1"]
    await world.create()
    assert isinstance(await enter(world, "Zoë"), SignedUp)


async def test_a_substitute_waits_no_more_and_their_place_goes_to_the_next(world: World) -> None:
    await full(world, "dok", "Xorlof", late_entry=3)
    await wait(world, "Zoë", "Ann")
    await world.start()
    await set_places(world, 3)
    assert await line(world) == {"Zoë": True, "Ann": False}
    zoe: Any = {"actor": world.player("Zoë"), "now": world.now}
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "old": "dok"}
    newcomer = Newcomer(discord_id=world.player("Zoë").user_id or 0, wanted=None, display_name="Zoë", by_organiser=True)
    with pytest.raises(ConfirmationNeeded, match="Zoë leaves the waiting list"):
        await do(substitutes.substitute, db=world.db, **who, newcomer=newcomer, agreed="")
    question = await waiting_id(world, "Zoë")
    await do(substitutes.substitute, db=world.db, **who, newcomer=newcomer)
    assert await line(world) == {"Ann": True}
    with pytest.raises(NotFound, match="isn't offered to you"):
        await do(signing_up.take_place, db=world.db, **zoe, waiting_id=question)
    with pytest.raises(Conflict, match="Zoë substitutes for dok this season"):
        await enter(world, "Zoë")
    await take(world, "Ann", agreed=2)
    assert await line(world) == {}


async def test_the_audit_log_says_whose_offer_was_taken_back_and_who_waited_when_the_list_closed(world: World) -> None:
    await full(world, "dok", "Xorlof", "Bo", late_entry=1)
    await wait(world, "Zoë", "Ann")
    await world.drop("dok")
    await set_places(world, 2)
    withdrawn = [row.subject for row in await world.audit() if row.action == "waitlist.withdraw-place"]
    assert withdrawn == ["Zoë"]
    await set_places(world, 3)
    await take(world, "Zoë")
    await world.start()
    (closed,) = [row for row in await world.audit() if row.action == "waitlist.close"]
    assert closed.before == {"waiting": ["Ann"]}
