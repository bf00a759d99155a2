"""What waits for moderators is one list: inbox, help, status and the daily reminder count the same."""

from typing import Any

from bot import steps
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.delivery import delivery
from bot.services.play import reporting
from bot.services.reads import guidance, inbox, overview
from tests.files import see
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, ORGANISER, World


async def counted(world: World) -> tuple[int, str, str]:
    """Return how many things wait, what help says about it, and what the status says."""
    who: dict[str, Any] = {"now": world.now, "league_id": world.league_id}
    found = await see(inbox.inbox, db=world.db, actor=MODERATOR, **who)
    told = (await see(guidance.guidance, db=world.db, actor=MODERATOR, **who)).parts["As a moderator"][0]
    return (
        found.count,
        told,
        (
            await world.db.read(overview.status, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))
        ).next_step,
    )


async def test_help_says_nothing_waits_only_where_the_inbox_is_empty(world: World) -> None:
    await world.begin(4)
    count, told, status = await counted(world)
    assert (count, told.startswith("Nothing waits for you")) == (0, True)
    assert "/disputes" not in status
    match = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[0]
    upper = world.player(match.upper.name)
    await world.db.write(reporting.report, Order(actor=upper, now=world.now), match=match.match.id, result="won")
    count, told, status = await counted(world)
    assert count == 1, "an unanswered report"
    assert told.startswith("1 thing waits for you")
    assert "1 thing waits for you: /disputes" in status


async def test_a_report_waits_for_moderators_once_its_opponent_was_asked_twice(world: World) -> None:
    await world.begin(4)
    who = Order(actor=MODERATOR, now=world.now, league_id=world.league_id)
    match = (await world.db.read(posted_round, who)).matches[0]
    upper = world.player(match.upper.name)
    await world.db.write(reporting.report, Order(actor=upper, now=world.now), match=match.match.id, result="won")
    await world.announce()
    young = await world.db.read(inbox.inbox, who)
    assert (young.empty, young.soon) == (True, ("1 report waits for the opponent.",))
    assert (await counted(world))[1].startswith("Nothing waits for you")
    world.later(hours=13)
    await steps.tick(world.db, world.now)
    await world.announce()
    again = await world.db.read(inbox.inbox, who)
    assert [view.label for view in again.rows("stuck_reports")] == [match.label]
    assert [section.heading for section in again.sections] == ["Unanswered reports"]
    assert again.soon == ()


async def test_a_report_in_time_and_a_round_to_go_on_by_hand_are_mentioned_after_a_day(world: World) -> None:
    await world.begin(4, advance="manual", confirm_hours=72)
    await world.lose(
        (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id)))
        .matches[0]
        .lower.name
    )
    match = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[1]
    upper = world.player(match.upper.name)
    await world.db.write(reporting.report, Order(actor=upper, now=world.now), match=match.match.id, result="won")
    await world.announce()
    world.later(hours=49)
    await steps.tick(world.db, world.now)
    assert await world.posts("waiting") == (), "it counts by itself, and nobody has to do anything"
    world.later(hours=24)
    await steps.tick(world.db, world.now)
    await world.announce()
    found = await world.db.read(inbox.inbox, Order(actor=MODERATOR, now=world.now, league_id=world.league_id))
    assert [row.number for row in found.rows("rounds")] == [1]
    world.later(hours=24)
    await steps.tick(world.db, world.now)
    assert len(await world.posts("waiting")) == 1


async def test_a_report_whose_question_was_never_sent_is_mentioned_after_a_day(world: World) -> None:
    await world.begin(4)
    now = Order(actor=BOT, now=world.now, league_id=world.league_id)
    match = (await world.db.read(posted_round, now)).matches[0]
    upper = world.player(match.upper.name)
    await world.db.write(reporting.report, Order(actor=upper, now=world.now), match=match.match.id, result="won")
    for hours, told in ((23, 0), (1, 1)):
        world.later(hours=hours)
        await steps.tick(world.db, world.now)
        assert len(await world.posts("waiting")) == told


async def test_the_status_counts_posts_that_were_tried_in_vain_and_none_to_come(world: World) -> None:
    await world.begin(4)
    assert (await world.status()).late_posts == ""
    (post, *_) = await world.posts("round")
    await world.db.write(delivery.failed, post.id, now=world.now, problem="I may not write there", retry_at=None)
    assert "1 post isn't there yet" in (await world.status()).late_posts
