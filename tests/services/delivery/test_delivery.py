"""Delivering posts: failed and tried again, cancelled while being sent, and no more edits than show something."""

from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, NotFound
from bot.services.base import failed_posts, outbox
from bot.services.base.failed_posts import TROUBLE, TroubleFacts, TroublePost
from bot.services.base.order import Order
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Lane, Work
from bot.services.leagues import set_up
from bot.services.organising import rounds_by_hand
from bot.services.people import notifying
from bot.services.play import reporting
from bot.services.play.round_posts import REMINDER, RoundPost
from bot.services.seasons import lifecycle
from bot.services.threads import thread_notes
from storage.posts import PostId, PostRow, PostState, Target
from storage.tables import seasons
from storage.tables.outbox import deliveries, outbox_rows
from storage.tables.people.notify import How, Topic
from tests.files import change_by_hand, do
from tests.services.conftest import ADMIN, CHANNEL, FOREIGNER, GUILD, MODERATION, MODERATOR, ORGANISER, World


async def show(world: World, post: PostRow, channel_id: int = CHANNEL) -> None:
    await world.db.write(
        delivery.sent, post.id, now=world.now, channel_id=channel_id, message_id=post.id, version=post.wanted
    )


async def show_all(world: World) -> None:
    for post in await world.posts():
        await show(world, post)


async def park(world: World, post: PostRow, *, channel_closed: bool = True) -> None:
    await world.db.write(
        delivery.failed, post.id, now=world.now, problem="It's closed.", retry_at=None, channel_closed=channel_closed
    )


async def move(world: World, **changes: Any) -> None:
    await world.db.write(set_up.change, Order(actor=ADMIN, now=world.now, league_id=world.league_id), changes=changes)


async def owe_to_moderators(world: World) -> PostRow:
    with change_by_hand(world.db) as conn:
        outbox.tell(conn, world.league, "look here", now=world.now, target=Target.MODERATION)
    return (await world.posts("notice"))[-1]


async def test_a_parked_edit_is_tried_again_with_its_message_and_not_sent_a_second_time(world: World) -> None:
    await world.create()
    await show_all(world)
    await world.sign_up("dok")
    (edit,) = await world.posts("board")
    await park(world, edit)
    await world.db.write(failed_posts.retry, Order(actor=MODERATOR, now=world.now), post_id=edit.id)
    (again,) = await world.posts("board")
    assert (again.message_id, again.channel_id) == (edit.message_id, CHANNEL)
    await park(world, edit)
    await world.db.write(failed_posts.try_again, guild_id=GUILD, now=world.now)
    assert [post.message_id for post in await world.posts("board")] == [edit.message_id]


async def test_a_parked_edit_is_sent_again_where_the_leagues_channel_changed(world: World) -> None:
    await world.create()
    await show_all(world)
    await world.sign_up("dok")
    (edit,) = await world.posts("board")
    await park(world, edit)
    await move(world, channel_id=77)
    again = next(post for post in await world.posts("board") if not post.removed)
    assert (again.message_id, again.channel_id, again.shown) == (None, None, 0)
    found = await steps.load(world.db, again.id, world.now)
    assert found is not None
    assert found.channel_id == 77


async def test_what_is_cancelled_while_a_batch_is_sent_is_not_sent(world: World) -> None:
    await world.begin(4)
    (batch,) = (await world.db.read(delivery.due, world.now)).values()
    await world.db.write(
        lifecycle.cancel,
        Order(actor=ORGANISER, now=world.now, league_id=world.league_id),
        reason="the server is closed",
    )
    gone = [post for post in batch if await steps.load(world.db, post.id, world.now) is None]
    assert gone == list(batch)


async def cancelled_on_its_way(world: World) -> PostRow:
    """Return the post of a round whose season was cancelled while it was sent."""
    await world.begin(4)
    post = (await world.posts("round"))[0]
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(lifecycle.cancel, order, reason="closed")
    return post


async def test_what_is_cancelled_on_its_way_is_deleted_when_it_arrives(world: World) -> None:
    post = await cancelled_on_its_way(world)
    assert await world.posts("round") == ()
    await show(world, post)
    assert [(late.id, late.removed) for late in await world.posts("round")] == [(post.id, True)]


async def test_what_is_cancelled_on_its_way_is_looked_for_where_nobody_knows_whether_it_arrived(world: World) -> None:
    post = await cancelled_on_its_way(world)
    await world.db.write(delivery.failed, post.id, now=world.now, problem="Lost.", retry_at=world.now)
    assert [(late.id, late.removed) for late in await world.posts("round")] == [(post.id, True)]


async def test_what_is_cancelled_on_its_way_is_looked_for_where_the_bot_died_before_it_noted_the_message(
    world: World,
) -> None:
    post = await cancelled_on_its_way(world)
    await world.db.write(delivery.begin, world.now)
    (late,) = await world.posts("round")
    assert (late.id, late.removed, late.attempts) == (post.id, True, 1)
    await world.db.write(delivery.deleted, post.id, world.now)
    await world.db.write(delivery.begin, world.now)
    assert await world.posts("round") == ()


async def test_what_expires_or_is_taken_back_on_its_way_is_looked_for_in_the_next_life(world: World) -> None:
    expiring, taken_back = await owe_to_moderators(world), await owe_to_moderators(world)
    later = world.now + timedelta(minutes=1)
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE outbox SET expires_at = ? WHERE id = ?", (int(later.timestamp()), expiring.id))
        deliveries.expire(conn, expiring.league_id, later)
        outbox_rows.remove_with_copies(conn, taken_back.key, now=later)
    assert await world.posts("notice") == ()
    await world.db.write(delivery.begin, later)
    assert [(late.id, late.removed) for late in await world.posts("notice")] == [
        (expiring.id, True),
        (taken_back.id, True),
    ]


async def test_what_is_cancelled_on_its_way_and_refused_is_not_parked(world: World) -> None:
    post = await cancelled_on_its_way(world)
    await park(world, post)
    assert await world.posts("round") == await world.posts("trouble") == ()
    await world.db.write(failed_posts.try_again, guild_id=GUILD, now=world.now)
    assert await world.posts("round") == ()


async def test_a_failure_before_a_post_was_sent_lengthens_no_later_wait(world: World) -> None:
    await world.create()
    (post,) = await world.posts("board")
    await world.db.write(
        delivery.failed, post.id, now=world.now, problem="Busy.", retry_at=world.now, channel_closed=False
    )
    await show(world, post)
    await world.sign_up("dok")
    assert [edit.attempts for edit in await world.posts("board")] == [0]


async def test_a_post_tried_again_is_looked_for_first_because_one_attempt_stays_noted(world: World) -> None:
    await world.create()
    (post,) = await world.posts("board")
    await park(world, post)
    await world.db.write(failed_posts.retry, Order(actor=MODERATOR, now=world.now), post_id=post.id)
    assert [again.attempts for again in await world.posts("board")] == [1]


async def test_a_post_about_something_deleted_is_dropped(world: World) -> None:
    with change_by_hand(world.db) as conn:
        outbox.enqueue(conn, TROUBLE, world.league, TroubleFacts(post_id=PostId(4711)), now=world.now)
    (post,) = await world.posts("trouble")
    assert await steps.load(world.db, post.id, world.now) is None
    assert await world.posts() == ()


async def test_only_a_changed_channel_tries_parked_posts_again(world: World) -> None:
    await world.begin(2)
    (post,) = await world.posts("round")
    await park(world, post)
    await move(world, time_zone="Europe/Berlin")
    assert await world.posts("round") == ()
    await move(world, channel_id=77)
    assert [again.id for again in await world.posts("round")] == [post.id]


async def test_trouble_is_told_once_for_each_channel_in_the_other_one(world: World) -> None:
    await world.begin(4)
    for post in (*await world.posts("board"), *await world.posts("round"), await owe_to_moderators(world)):
        await park(world, post)
    assert [post.target for post in await world.posts("trouble")] == [Target.MODERATION, Target.LEAGUE]


async def test_a_post_refused_for_itself_is_told_where_moderators_read(world: World) -> None:
    await park(world, await owe_to_moderators(world), channel_closed=False)
    assert [post.target for post in await world.posts("trouble")] == [Target.MODERATION]


async def test_the_note_about_a_missing_post_says_when_it_is_fixed(world: World) -> None:
    await world.begin(2)
    (post,) = await world.posts("round")
    await park(world, post)
    (note,) = await world.posts("trouble")
    await show(world, note, MODERATION)
    await world.db.write(failed_posts.retry, Order(actor=MODERATOR, now=world.now), post_id=post.id)
    assert await world.posts("trouble") == ()
    await show(world, post)
    (edit,) = await world.posts("trouble")
    shown = await world.shown(edit)
    assert isinstance(shown, TroublePost)
    assert (edit.message_id, shown.made, shown.row.state) == (note.id, True, PostState.DONE)


async def test_a_cancelled_season_edits_only_posts_that_show_it(world: World) -> None:
    await world.begin(8, rounds=3)
    await world.play_round()
    await show_all(world)
    await world.lose("dok")
    await show_all(world)
    await world.db.write(
        lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason="closed"
    )
    assert [post.kind for post in await world.posts()] == ["notice", "board", "round"]


async def test_edits_have_a_lane_of_their_own_beside_the_new_posts_of_a_channel(world: World) -> None:
    await world.begin(4)
    await show_all(world)
    await world.play_round()
    lanes = await world.db.read(delivery.due, world.now)
    assert set(lanes) == {Lane(CHANNEL, Work.SEND), Lane(CHANNEL, Work.EDIT)}
    assert all((post.message_id is None) is (lane.work is Work.SEND) for lane, posts in lanes.items() for post in posts)


async def test_edits_of_a_message_are_merged_in_ten_seconds_and_of_an_old_one_in_a_minute(world: World) -> None:
    await world.create()
    await show_all(world)
    await world.sign_up("dok")
    await show_all(world)
    await world.sign_up("Zoë")
    assert await world.db.read(delivery.due, world.now) == {}
    world.later(seconds=10)
    await world.sign_up("Eve")
    (edit,) = await world.posts("board")
    await show(world, edit)
    world.later(hours=2)
    await world.sign_up("Ann")
    await show_all(world)
    world.later(seconds=59)
    await world.sign_up("Ben")
    assert await world.db.read(delivery.due, world.now) == {}
    world.later(seconds=1)
    assert len(await world.db.read(delivery.due, world.now)) == 1


async def test_an_unknown_post_is_a_clear_answer(world: World) -> None:
    await world.create()
    (post,) = await world.posts()
    asked = {"now": world.now, "post_id": post.id}
    with pytest.raises(NotFound, match="no such post here"):
        await world.db.write(failed_posts.retry, Order(actor=MODERATOR, now=world.now), post_id=4711)
    with pytest.raises(NotFound, match="isn't on this server"):
        await do(failed_posts.retry, db=world.db, actor=FOREIGNER, **asked)
    with pytest.raises(Conflict, match="isn't missing any more"):
        await do(failed_posts.retry, db=world.db, actor=MODERATOR, **asked)


async def lanes(world: World) -> list[list[str]]:
    return [[post.kind for post in lane] for lane in (await world.db.read(delivery.due, world.now)).values()]


async def test_posts_that_share_a_channel_wait_for_each_other_and_for_no_other_channel(world: World) -> None:
    await world.create()
    await show_all(world)
    await world.sign_up("dok")
    await owe_to_moderators(world)
    with change_by_hand(world.db) as conn:
        outbox.tell(conn, world.league, "to all", now=world.now)
    assert await lanes(world) == [["notice"], ["notice"], ["board"]]
    await move(world, moderation_channel_id=None)
    assert await lanes(world) == [["notice", "notice"], ["board"]]
    await move(world, channel_id=77)
    assert await lanes(world) == [["notice", "notice", "board"], ["board"]]


async def test_a_post_that_was_perhaps_sent_and_says_nothing_any_more_is_looked_for_and_deleted(world: World) -> None:
    """Discord failed after it took the message: its buttons would stand in the channel for ever."""
    post = await owe_to_moderators(world)
    busy: Any = {"problem": "Busy.", "retry_at": world.now, "channel_closed": False}
    await world.db.write(delivery.failed, post.id, now=world.now, **busy)
    await world.db.write(delivery.nothing_to_say, post.id, world.now)
    queued = [each for lane in (await world.db.read(delivery.due, world.now)).values() for each in lane]
    assert [(each.id, each.removed) for each in queued] == [(post.id, True)]
    await world.db.write(delivery.deleted, post.id, world.now)
    assert await world.db.read(delivery.due, world.now) == {}


async def test_posts_parked_like_one_that_could_be_deleted_are_due_again(world: World) -> None:
    """A channel that opens again is tried with one post; where that was a deletion, the others waited for hours."""
    gone, *others = [await owe_to_moderators(world) for _ in range(3)]
    await world.announce()
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE outbox SET state = 'due', wanted = wanted + 1, removed = id = ?", (gone.id,))
    for post in (gone, *others):
        await park(world, post)
    await world.db.write(failed_posts.try_again, guild_id=GUILD, now=world.now)
    assert [post.id for post in await world.posts("notice")] == [gone.id]
    await world.announce()
    kept = [await world.db.read(delivery.row, post.id) for post in (gone, *others)]
    assert [post.state for post in kept] == [PostState.WITHDRAWN, PostState.DONE, PostState.DONE]


async def test_a_parked_deletion_is_made_where_the_message_is_though_the_thread_works_again(world: World) -> None:
    await world.begin(2, match_places="threads")
    await world.announce()
    match = await world.match_of("dok")
    assert match is not None
    id_ = match.match.id
    await world.db.write(reporting.report, Order(actor=world.player("dok"), now=world.now), match=id_, result="won")
    (question,) = await world.posts("question")
    await show(world, question)  # in the channel, because the thread was closed then
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE outbox SET state = 'due', wanted = wanted + 1, removed = 1 WHERE id = ?", (question.id,))
    await world.db.write(thread_notes.begin, id_)
    await world.db.write(thread_notes.made, id_, 5012, now=world.now)
    await park(world, question)
    await world.db.write(failed_posts.retry, Order(actor=MODERATOR, now=world.now), post_id=question.id)
    again = await world.db.read(delivery.row, question.id)
    assert (again.state, again.channel_id, again.message_id) == (PostState.DUE, CHANNEL, question.id)


async def test_a_match_is_reminded_of_in_its_thread_and_those_without_one_in_the_channel(world: World) -> None:
    await world.begin(6, match_places="threads")
    match = await world.match_of("dok")
    assert match is not None
    await world.db.write(thread_notes.begin, match.match.id)
    await world.db.write(thread_notes.made, match.match.id, 5012, now=world.now)
    other = next(name for name in world.players if name not in [side.name for side in match.sides])
    begun = await world.match_of(other)
    assert begun is not None
    await world.db.write(thread_notes.begin, begun.match.id)  # and isn't made yet
    await world.announce()
    await steps.tick(world.db, world.later(days=4))
    reminders = [made for made in await world.announce() if made.row.kind == REMINDER]
    assert [(made.channel_id, made.row.match_id) for made in reminders] == [(CHANNEL, None), (5012, match.match.id)]
    channel, thread = (set(made.mention.people) for made in reminders)
    assert thread == {side.discord_id for side in match.sides}
    assert channel == {actor.user_id for actor in world.players.values()} - thread


async def test_a_reminder_in_a_direct_message_shows_ones_own_match_alone(world: World) -> None:
    await world.begin(6)
    who: Any = {"actor": world.player("dok"), "now": world.now, "league_id": world.league_id}
    await do(notifying.choose, db=world.db, **who, topic=Topic.DEADLINE, how=How.DIRECT)
    match = await world.match_of("dok")
    assert match is not None
    await steps.tick(world.db, world.later(days=4))
    (facts,) = [await world.shown(post) for post in await world.posts("reminder") if post.person_id is not None]
    assert isinstance(facts, RoundPost)
    assert [shown.match.id for shown in facts.view.matches] == [match.match.id]


async def test_a_dispute_goes_to_the_moderators_though_its_match_has_a_thread(world: World) -> None:
    await world.begin(2, match_places="threads")
    match = await world.match_of("dok")
    assert match is not None
    await world.db.write(thread_notes.begin, match.match.id)
    await world.db.write(thread_notes.made, match.match.id, 5012, now=world.now)
    for side in match.sides:
        said: Any = {"match": match.match.id, "result": "won"}
        await world.db.write(reporting.report, Order(actor=world.player(side.name), now=world.now), **said)
    made = {one.row.kind: one.channel_id for one in await world.announce()}
    assert (made["dispute"], made["disputed"]) == (MODERATION, 5012)


@pytest.mark.parametrize("tries", [0, 1])
async def test_a_thread_whose_card_is_not_known_to_stand_is_archived_when_its_round_is_undone(
    world: World, tries: int
) -> None:
    await world.begin(2, match_places="threads")
    match = await world.match_of("dok")
    assert match is not None
    await world.db.write(thread_notes.begin, match.match.id)
    await world.db.write(thread_notes.made, match.match.id, 5012, now=world.now)
    (card,) = await world.posts("thread")
    for _ in range(tries):
        later = world.now + timedelta(seconds=30)
        await world.db.write(delivery.failed, card.id, now=world.now, problem="No answer.", retry_at=later)
    asked: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "reason": "again"}
    await do(rounds_by_hand.undo, db=world.db, **asked)
    (over,) = await world.posts("thread-over")
    assert (over.id, over.channel_id, over.message_id, over.removed) == (card.id, 5012, None, False)


@pytest.mark.parametrize("failed", [False, True])
async def test_posts_that_were_perhaps_sent_are_looked_for_when_their_season_ends(
    world: World, *, failed: bool
) -> None:
    """One on the way to a closed channel, and one whose answer was lost, stood there for ever."""
    await world.create()
    await show_all(world)
    with change_by_hand(world.db) as conn:
        season = conn.execute("SELECT id FROM seasons").fetchone()[0]
        outbox.tell(conn, seasons.get(conn, season), "you'll be asked", now=world.now)
    (post,) = await world.posts("notice")
    wait = None if failed else world.now
    await world.db.write(delivery.failed, post.id, now=world.now, problem="Lost.", retry_at=wait)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(lifecycle.cancel, order, reason="too few")
    assert [(each.id, each.removed) for each in await world.posts("notice") if each.id == post.id] == [(post.id, True)]


async def test_a_post_that_expired_and_was_perhaps_sent_is_looked_for_once(world: World) -> None:
    post = await owe_to_moderators(world)
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE outbox SET expires_at = ? WHERE id = ?", (int(world.now.timestamp()) + 60, post.id))
    await world.db.write(delivery.failed, post.id, now=world.now, problem="Lost.", retry_at=world.now)
    later = world.now + timedelta(minutes=2)
    with change_by_hand(world.db) as conn:
        assert [deliveries.expire(conn, league, later) for league in deliveries.expired(conn, later)] == [True]
        assert deliveries.expired(conn, later) == ()
    assert [(each.id, each.removed) for each in await world.posts("notice")] == [(post.id, True)]


async def test_a_post_that_was_never_tried_and_says_nothing_any_more_is_dropped(world: World) -> None:
    post = await owe_to_moderators(world)
    await world.db.write(delivery.nothing_to_say, post.id, world.now)
    assert post.id not in [each.id for lane in (await world.db.read(delivery.due, world.now)).values() for each in lane]


async def test_a_post_that_was_due_when_the_bot_started_is_looked_for_though_it_says_nothing_any_more(
    world: World,
) -> None:
    """The bot died between the sending of a post and its note; what it told of is over before it is looked for."""
    post = await owe_to_moderators(world)
    await world.db.write(delivery.begin, world.now - timedelta(hours=2))  # the clock stood later when the bot died
    await world.db.write(delivery.nothing_to_say, post.id, world.now)
    queued = [each for lane in (await world.db.read(delivery.due, world.now)).values() for each in lane]
    assert (post.id, True) in [(each.id, each.removed) for each in queued]


async def test_the_wait_of_a_post_that_is_due_later_begins_when_it_is_due_though_the_bot_starts(world: World) -> None:
    post = await owe_to_moderators(world)
    due = world.now + timedelta(hours=1)
    with change_by_hand(world.db) as conn:
        conn.execute("DELETE FROM outbox WHERE id <> ?", (post.id,))
        conn.execute("UPDATE outbox SET due_at = ? WHERE id = ?", (int(due.timestamp()), post.id))
    for moment in (world.now, due):
        await world.db.write(delivery.begin, moment)
    assert await world.db.read(delivery.longest_wait, due + timedelta(seconds=5)) == 5
