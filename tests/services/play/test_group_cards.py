"""How much a stage whose matches are all open writes into its league's channel, and how often it edits there."""

from datetime import timedelta
from itertools import chain
from typing import Any

import pytest

from bot import steps
from bot.league.season.phases import SeasonPhase
from bot.services.base.order import Order
from bot.services.base.outbox import BOARD, GROUP
from bot.services.delivery import delivery
from bot.services.matches.group_cards import STAGE_NEWS, GroupPost
from bot.services.organising import rounds_by_hand
from bot.services.play import reporting
from bot.services.play.round_posts import REMINDER
from cogs.posting.renderings import render
from storage.posts import Target
from storage.tables.outbox import outbox_rows
from tests.files import look_into
from tests.services.conftest import ORGANISER, World
from tests.services.play.test_open_rounds import begin, lose, to_play

LIMIT = 60
"""So many requests a minute Discord allows in a channel: five in five seconds."""
GROUPS, LEAGUE = 4, 38
"""So many groups are played here, and in a league of 228 players in groups of six."""


async def requests(world: World) -> list[str]:
    """Send, edit and delete what is due, and return what that was in the league's channel."""
    made: list[str] = []
    while lanes := await world.db.read(delivery.due, world.now):
        for post in chain(*lanes.values()):
            if post.target is Target.LEAGUE:
                made.append("delete" if post.removed else "send" if post.message_id is None else f"edit {post.kind}")
            loaded = None if post.removed else await steps.load(world.db, post.id, world.now)
            if loaded is None:
                await world.db.write(delivery.deleted, post.id, world.now)
                continue
            sent: Any = {"channel_id": loaded.channel_id, "message_id": post.id, "version": loaded.row.wanted}
            await world.db.write(delivery.sent, post.id, now=world.now, rest=loaded.rest, **sent)
    return made


@pytest.mark.long
async def test_the_worst_evening_takes_a_tenth_of_the_requests_of_a_channel(world: World) -> None:
    """The matches of a week are reported in four hours, and each is confirmed half an hour later."""
    await begin(world, 16, group_size=4, round_days=7)
    await requests(world)
    waiting, reported = list(await to_play(world))[: 24 // 3], list[tuple[int, Any]]()
    minutes: list[list[str]] = []
    for minute in range(240):
        world.later(minutes=1)
        if waiting and minute % 20 == 0:
            match = waiting.pop()
            who = Order(actor=world.player(match.upper.name), now=world.now)
            await world.db.write(reporting.report, who, match=match.match.id, result="won")
            reported.append((minute, match))
        for match in [match for at, match in reported if at + 30 == minute]:
            who = Order(actor=world.player(match.lower.name), now=world.now)
            await world.db.write(reporting.confirm, who, match=match.match.id)
        minutes.append(await requests(world))
    made = list(chain(*minutes))
    assert made.count(f"edit {GROUP}") <= GROUPS * len(minutes) / 10, "each is drawn again once in ten minutes at most"
    assert made.count("send") + made.count("delete") == 2 * len(reported), "a question goes once it's answered"
    assert max(asked.count(f"edit {BOARD}") for asked in minutes) <= 1
    # In the large league each card and the board are edited as often as they can be, and 114 matches reported.
    assert LEAGUE / 10 + 2 * 114 / len(minutes) + 1 <= LIMIT / 10


async def test_a_stage_leaves_a_card_for_each_group_and_its_news(world: World) -> None:
    await begin(world, 16, group_size=4, round_days=7)
    posts = [post for post in await world.posts() if post.target is Target.LEAGUE]
    assert sum(post.kind == GROUP for post in posts) == GROUPS
    assert sum(post.kind == STAGE_NEWS for post in posts) == 2, (
        "three weeks, and the end of the stage is told otherwise"
    )
    assert sum(post.kind == "round" for post in posts) == 0


@pytest.mark.long
async def test_each_group_is_reminded_in_one_post_which_replaces_the_one_before(world: World) -> None:
    await begin(world, 16, group_size=4, round_days=7)
    await world.announce()
    first = (await to_play(world))[0]
    await lose(world, first)
    for left in (timedelta(days=10.5), timedelta(days=20)):
        world.later(seconds=left.total_seconds() + 3600 - (world.now - first.round.posted_at).total_seconds())
        await steps.tick(world.db, world.now)
        reminders = [post for post in await world.posts(REMINDER) if not post.removed]
        shown = [await world.shown(post) for post in reminders]
        assert [facts.group for facts in shown] == [f"group {letter}" for letter in "ABCD"]
        assert sum(len(facts.view.matches) for facts in shown) == len(await to_play(world)) == 23
        assert [len(facts.ping_ids) for facts in shown] == [4] * GROUPS
        assert "group A: still to play" in str(render(REMINDER, shown[0]).parts[0])
        await world.announce()
        with look_into(world.db) as conn:
            posts = outbox_rows.of_round(conn, first.round.id)
        assert len([post for post in posts if post.kind == REMINDER and post.message_id and not post.removed]) == GROUPS
    assert not await steps.tick(world.db, world.now)


@pytest.mark.long
async def test_a_match_with_more_time_is_reminded_alone_by_its_group(world: World) -> None:
    await begin(world, 4, group_size=4, round_days=7)
    match = (await to_play(world))[2]
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(rounds_by_hand.extend, order, days=6, match=match.code)
    world.later(days=21, hours=-1)
    await steps.tick(world.db, world.now)
    world.later(days=6)
    await steps.tick(world.db, world.now)
    reminders = [post for post in await world.posts(REMINDER) if not post.removed]
    assert [post.facts["matches"] for post in reminders] == [[match.match.id]]


@pytest.mark.long
async def test_a_groups_card_has_nothing_left_to_play_while_its_first_plays_in_the_finals(world: World) -> None:
    await begin(world, 8, group_size=4, through=1)
    cards = [post.id for post in await world.posts(GROUP)]
    await world.announce()
    while (await world.status()).season.phase is SeasonPhase.RUNNING:
        await lose(world, (await to_play(world))[0])
    loaded = [await steps.load(world.db, card, world.now) for card in cards]
    assert len(await to_play(world)) == 1, "the final"
    assert [card.post.left for card in loaded if card and isinstance(card.post, GroupPost)] == [(), ()]


@pytest.mark.long
async def test_a_report_alone_does_not_draw_a_groups_card_again(world: World) -> None:
    await begin(world, 4, group_size=4)
    await requests(world)
    match = (await to_play(world))[0]
    who = Order(actor=world.player(match.upper.name), now=world.now)
    await world.db.write(reporting.report, who, match=match.match.id, result="won")
    world.later(hours=1)
    assert f"edit {GROUP}" not in await requests(world), "a card shows what is confirmed"
    other = Order(actor=world.player(match.lower.name), now=world.now)
    await world.db.write(reporting.confirm, other, match=match.match.id)
    world.later(hours=1)
    assert (await requests(world)).count(f"edit {GROUP}") == 1
