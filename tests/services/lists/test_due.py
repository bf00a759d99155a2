"""When lists are due moves with a pause, and who is reminded of them only while they are."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.lists import visibility
from bot.services.lists.list_posts import LISTS_MISSING, MissingListsPost
from bot.services.organising import rounds_by_hand
from bot.services.people import notifying
from bot.services.seasons import lifecycle, pausing, planning
from cogs.posting.renderings import render
from cogs.ui.cards import texts_of
from storage.query import records
from storage.tables import lists
from storage.tables.people.notify import How, Topic
from tests.files import do, look_into, see
from tests.services.conftest import MODERATOR, NAMES, ORGANISER, World
from tests.services.lists.test_handing_in import hand_in, missing_people, substitute
from tests.services.seasons.test_pausing import WEEK, current, end, pause, tick
from tests.services.seats import test_seats
from tests.services.ties.test_ties import tied


async def test_due_dates_of_lists_move_with_the_pause(world: World) -> None:
    rules = {"number": 1, "per": "round", "due_hours": 48, "secret": "due"}
    await world.begin(4, lists=rules)
    start = world.now
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "until": world.now + WEEK}
    with pytest.raises(ConfirmationNeeded, match="Lists are due that much later too"):
        await do(pausing.pause, db=world.db, **who, agreed="")
    await pause(world, days=10)
    assert await lists_due(world) == start + timedelta(days=12)
    world.later(days=4)
    await end(world)
    assert await lists_due(world) == start + timedelta(days=6)
    world.later(days=1)
    await tick(world)
    assert not await world.posts("seals")
    world.later(days=1, minutes=1)
    await tick(world)
    assert await world.posts("lists-missing")


async def lists_due(world: World) -> datetime | None:
    row = (await current(world)).round
    with look_into(world.db) as conn:
        scope = lists.set_of(conn, row.season_id, row.number)
    assert scope is not None
    return scope.due_at


@pytest.mark.parametrize("how", ["no lists any more", "cancelled"])
async def test_no_one_is_reminded_of_lists_that_are_not_due_any_more(world: World, how: str) -> None:
    rules = {"number": 2, "per": "season", "due_hours": 0, "secret": "due"}
    await world.opened(format="ohs", settings={"lists": rules}, signups_close=world.now + timedelta(hours=40))
    await world.sign_up(*NAMES[:4])
    await tick_later(world, hours=17)
    assert [post.removed for post in await world.posts(LISTS_MISSING)] == [False]
    await world.announce()
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    if how == "cancelled":
        await do(lifecycle.cancel, **who)
    else:
        await do(planning.change_settings, **who, settings={"lists": None})
    assert [post.removed for post in await world.posts(LISTS_MISSING)] == [True]


@pytest.mark.parametrize(
    ("before", "now", "words"), [("season", "round", "round 1"), ("round", "season", "the season")]
)
async def test_players_are_reminded_of_the_lists_that_are_wanted_now_alone(
    world: World, before: str, now: str, words: str
) -> None:
    rules = {"number": 1, "per": before, "due_hours": 0, "secret": "due"}
    await world.opened(format="ohs", settings={"lists": rules}, signups_close=world.now + timedelta(hours=40))
    await world.sign_up(*NAMES[:4])
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(planning.change_settings, **who, settings={"lists": {**rules, "per": now}})
    await tick_later(world, hours=17)
    [reminder] = await world.posts(LISTS_MISSING)
    facts = await world.shown(reminder)
    assert isinstance(facts, MissingListsPost)
    assert facts.words == words


async def tick_later(world: World, **passed: float) -> None:
    world.later(**passed)
    await tick(world)


async def test_a_list_that_comes_in_deletes_ones_own_reminder_and_edits_the_one_in_the_channel(world: World) -> None:
    await world.begin(4, lists={"number": 1, "per": "round", "due_hours": 48, "secret": "due"})
    who: Any = {"actor": world.player("dok"), "now": world.now, "league_id": world.league_id}
    await do(notifying.choose, db=world.db, **who, topic=Topic.DEADLINE, how=How.DIRECT)
    await tick_later(world, hours=25)
    await world.announce()
    assert await world.posts(LISTS_MISSING) == ()
    await hand_in(world, "dok", "4 Dragons")
    changed = {post.person_id: post.removed for post in await world.posts(LISTS_MISSING)}
    assert changed == {None: False, world.player("dok").user_id: True}


async def test_the_list_of_who_takes_a_seat_over_next_deletes_their_own_reminder(world: World) -> None:
    """The one of the player who still sits there was to be deleted."""
    await world.begin(4, lists={"number": 1, "per": "round", "due_hours": 0, "secret": "due"})
    await substitute(world, "dok", "Hana", 2)
    deadline = (await current(world)).round.deadline
    assert deadline is not None
    who: Any = {"actor": world.player("Hana"), "now": world.now, "league_id": world.league_id}
    await do(notifying.choose, db=world.db, **who, topic=Topic.DEADLINE, how=How.DIRECT)
    before = {post.id for post in await world.posts(LISTS_MISSING)}
    world.now = deadline - timedelta(hours=23)
    await tick(world)
    await world.announce()
    await hand_in(world, "Hana", "4 Dragons")
    changed = {post.person_id: post.removed for post in await world.posts(LISTS_MISSING) if post.id not in before}
    assert changed == {None: False, world.player("Hana").user_id: True}


async def own_reminder(world: World, name: str) -> bool:
    """Whether someone's own reminder is there, or to be sent."""
    person = world.player(name).user_id
    with look_into(world.db) as conn:
        sql = "SELECT count(*) FROM outbox WHERE kind = ? AND person_id = ? AND removed = 0 AND state <> 'withdrawn'"
        return bool(records(conn, sql, LISTS_MISSING, person)[0][0])


@pytest.mark.parametrize("how", ["replaced", "left", "sent back"])
async def test_who_plays_the_next_round_no_more_keeps_no_reminder_of_their_list_for_it(world: World, how: str) -> None:
    await world.begin(4, rounds=5, lists={"number": 1, "per": "round", "due_hours": 0, "secret": "due"})
    if how == "sent back":
        await test_seats.substitute(world, "dok", "Hana")
    reminded = "Hana" if how == "sent back" else "dok"
    deadline = (await current(world)).round.deadline
    assert deadline is not None
    for name in (reminded, "Zoë"):
        who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
        await do(notifying.choose, db=world.db, **who, topic=Topic.DEADLINE, how=How.DIRECT)
    world.now = deadline - timedelta(hours=23)
    await tick(world)
    await world.announce()
    assert await own_reminder(world, reminded)
    if how == "left":
        await world.drop("dok")
    else:
        await test_seats.substitute(world, "dok", "dok" if how == "sent back" else "Hana")
    assert not await own_reminder(world, reminded)
    assert await own_reminder(world, "Zoë")


async def test_of_several_lists_it_says_they_are_missing(world: World) -> None:
    await world.begin(4, lists={"number": 2, "per": "round", "due_hours": 2, "secret": "due"})
    await tick_later(world, hours=3)
    (post,) = await world.posts(LISTS_MISSING)
    said = "\n".join(texts_of(render(LISTS_MISSING, await world.shown(post)).parts))
    assert "Your lists for round 1 are still missing. Hand them in with `/list`: they're sealed at once." in said


async def test_no_one_is_reminded_of_lists_of_a_round_that_was_undone_and_they_get_their_time_again(
    world: World,
) -> None:
    await world.begin(4, lists={"number": 1, "per": "round", "due_hours": 48, "secret": "due"})
    world.later(hours=25)
    await tick(world)
    assert await world.posts("lists-missing")
    await world.announce()
    who = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(rounds_by_hand.undo, who)
    (post,) = await world.posts("lists-missing")
    assert post.removed, "the reminder says when they were due"
    await world.announce()
    world.later(hours=5)
    await tick(world)
    assert not await world.posts("lists-missing")
    world.later(hours=20)
    await world.db.write(rounds_by_hand.post, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
    await tick(world)
    assert not await world.posts("seals")
    assert await lists_due(world) == world.now + timedelta(hours=48)
    world.later(hours=25)
    await tick(world)
    assert await world.posts("lists-missing")


async def test_lists_due_before_the_next_round_are_reminded_of_a_day_before_the_open_one_ends(world: World) -> None:
    await world.begin(4, lists={"number": 1, "per": "round", "due_hours": 0, "secret": "due"})
    start, deadline = len(await world.posts(LISTS_MISSING)), (await current(world)).round.deadline
    assert deadline is not None
    for minutes, more in ((-1, 0), (1, 1)):
        world.now = deadline - timedelta(days=1, minutes=-minutes)
        await tick(world)
        assert len(await world.posts(LISTS_MISSING)) == start + more


@pytest.mark.parametrize("change", ["later", "no lists"])
async def test_a_reminder_of_lists_goes_when_sign_ups_close_at_another_time_or_no_lists_are_taken(
    world: World, change: str
) -> None:
    lists_taken = {"number": 1, "per": "season", "due_hours": 0, "secret": "due"}
    closing = world.now + timedelta(days=3)
    await world.opened(format="ohs", settings={"lists": lists_taken}, signups_close=closing)
    await world.sign_up("dok", "Ann")
    world.later(days=2, hours=1)
    await tick(world)
    assert await world.posts("lists-missing")
    await world.announce()
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    changed: Any = {"settings": {"lists": None}} if change == "no lists" else {"signups_close": closing + WEEK}
    await do(planning.change_settings, db=world.db, **who, **changed)
    (post,) = await world.posts("lists-missing")
    assert post.removed, "the reminder says what isn't true any more"
    await world.announce()
    await tick(world)
    assert not await world.posts("lists-missing")
    world.later(days=7)
    await tick(world)
    assert len(await world.posts("lists-missing")) == (change == "later")


@pytest.mark.long
async def test_a_round_posted_again_after_its_lists_were_sealed_tells_whose_are_missing(world: World) -> None:
    await world.begin(4, lists={"number": 1, "per": "round", "due_hours": 24, "secret": "match"})
    await world.play_round()
    for name in NAMES[:4]:
        await hand_in(world, name, round=2)
    await tick_later(world, hours=25)
    await world.announce()
    who: Any = {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rounds_by_hand.undo, **who)
    await world.announce()
    await world.sign_up("Eve", "Mallory")
    await do(rounds_by_hand.post, **who)
    assert await missing_people(world) == [{"Eve", "Mallory"}]


async def test_who_withdraws_is_not_reminded_of_their_list_any_more(world: World) -> None:
    rules = {"number": 1, "per": "season", "due_hours": 0, "secret": "due"}
    await world.opened(format="ohs", settings={"lists": rules}, signups_close=world.now + timedelta(hours=40))
    await world.sign_up(*NAMES[:4])
    who: Any = {"db": world.db, "actor": world.player("dok"), "now": world.now, "league_id": world.league_id}
    await do(notifying.choose, **who, topic=Topic.DEADLINE, how=How.DIRECT)
    await tick_later(world, hours=17)
    reminded = [made.row for made in await world.announce() if made.row.kind == LISTS_MISSING]
    assert world.player("dok").user_id in {post.person_id for post in reminded}
    await world.drop("dok")
    await world.sign_up("Eve")
    await world.start()
    gone = {post.id for post in await world.posts(LISTS_MISSING) if post.removed}
    assert {post.id for post in reminded} <= gone


async def test_while_a_tie_waits_the_lists_of_all_of_it_are_missing(world: World) -> None:
    tie = await tied(world, lists={"per": "round"})
    who: Any = {"db": world.db, "actor": MODERATOR, "now": world.now, "league_id": world.league_id}
    coming = (await see(visibility.own_lists, **who)).progress[-1]
    assert coming.words == "the next round"
    assert {one.name for one in coming.expected} == set(tie.names)
