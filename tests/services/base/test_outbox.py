"""Promised posts: queued once, edited when facts change, paged, failed and tried again."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.league.errors import Conflict, NotAllowed, NotFound
from bot.league.season.phases import SeasonPhase
from bot.services.base import failed_posts, outbox
from bot.services.base.addresses import channel_of
from bot.services.base.failed_posts import TroublePost
from bot.services.base.order import Order
from bot.services.base.outbox import NoticePost
from bot.services.base.permissions import BOT
from bot.services.delivery import delivery
from bot.services.organising import rounds_by_hand
from bot.services.play import reporting
from bot.services.play.round_posts import RoundPost
from bot.services.reads import tables
from bot.services.reads.board import BoardPost
from bot.services.reads.champion import ChampionPost
from storage.posts import PostRow, Target
from tests.files import change_by_hand, do
from tests.looked_up import posted_round
from tests.services.conftest import CHANNEL, FOREIGNER, MODERATION, MODERATOR, NAMES, ORGANISER, STRANGER, World


async def show(world: World, post: PostRow, message_id: int = 1) -> None:
    await world.db.write(
        delivery.sent, post.id, now=world.now, channel_id=CHANNEL, message_id=message_id, version=post.wanted
    )


async def queued(world: World) -> list[str]:
    return [post.key for lane in (await world.db.read(delivery.due, world.now)).values() for post in lane]


async def test_a_season_owes_its_posts_in_order(world: World) -> None:
    await world.begin(4)
    assert [post.kind for post in await world.posts()] == ["board", "round"]
    assert [len(lane) for lane in (await world.db.read(delivery.due, world.now)).values()] == [2]


async def test_sign_ups_count_and_the_post_is_edited(world: World) -> None:
    await world.create()
    (post,) = await world.posts()
    await show(world, post)
    assert await queued(world) == []
    await world.sign_up("dok", "Zoë")
    (again,) = await world.posts()
    assert (again.id, again.message_id) == (post.id, 1)
    shown = await world.shown(again)
    assert isinstance(shown, BoardPost)
    assert (shown.names, shown.season.phase) == (("dok", "Zoë"), SeasonPhase.SIGNUP)
    assert shown.in_short[0].startswith("You play four rounds")
    await world.start()
    closed = await world.shown(again)
    assert isinstance(closed, BoardPost)
    assert closed.season.phase is SeasonPhase.RUNNING


async def test_what_changes_while_a_post_is_sent_stays_owed(world: World) -> None:
    await world.begin(2)
    (post,) = await world.posts("round")
    (match,) = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches
    await world.db.write(
        reporting.report, Order(actor=world.player(match.upper.name), now=world.now), match=match.match.id, result="won"
    )
    await show(world, post)
    (again,) = await world.posts("round")
    assert (again.shown, again.wanted, again.message_id) == (post.wanted, post.wanted + 1, 1)
    await show(world, again)
    assert await world.posts("round") == ()


@pytest.mark.long
async def test_a_report_is_shown_by_its_page_alone(world: World) -> None:
    await world.create()
    await world.sign_up(*[f"player {number}" for number in range(27)])
    await world.start()
    pages = await world.posts("round")
    assert [post.facts["page"] for post in pages] == [1, 2]
    for post in await world.posts():
        await show(world, post)
    last = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[-1]
    await world.lose(last.lower.name)
    assert [(post.kind, post.id) for post in await world.posts() if post.kind != "board"] == [("round", pages[1].id)]


@pytest.mark.long
async def test_of_the_pages_of_an_undone_round_the_first_that_people_have_seen_says_why(world: World) -> None:
    await world.create()
    await world.sign_up(*[f"player {number}" for number in range(27)])
    await world.start()
    hidden, seen = await world.posts("round")
    await show(world, seen)
    undone: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id, "reason": "a typo"}
    await do(rounds_by_hand.undo, db=world.db, **undone)
    (told,) = await world.posts("withdrawn")
    assert (told.id, told.removed) == (seen.id, False)
    assert hidden.id not in {post.id for post in await world.posts()}


@pytest.mark.parametrize(("count", "pages"), [(24, [12]), (25, [12]), (26, [12, 1]), (90, [12, 12, 12, 9])])
async def test_rounds_are_paged_within_what_a_message_holds(world: World, count: int, pages: list[int]) -> None:
    await world.create()
    await world.sign_up(*[f"player {number}" for number in range(count)])
    await world.start()
    shown = [await world.shown(post) for post in await world.posts("round")]
    assert [len(page.view.matches) for page in shown if isinstance(page, RoundPost)] == pages
    pinged: list[int] = []
    for number, page in enumerate(shown, start=1):
        assert isinstance(page, RoundPost)
        assert (page.page, page.pages) == (number, len(pages))
        assert len(page.ping_ids) <= 25
        pinged += page.ping_ids
    assert len(pinged) == count == len(set(pinged))


async def test_a_refused_post_is_parked_and_the_organisers_hear_of_it_elsewhere(world: World) -> None:
    await world.begin(2)
    (post,) = await world.posts("round")
    await world.db.write(delivery.failed, post.id, now=world.now, problem="403 Forbidden", retry_at=None)
    assert post.id not in [one.id for one in await world.posts()]
    (trouble,) = await world.posts("trouble")
    assert trouble.target is Target.MODERATION
    shown = await world.shown(trouble)
    assert isinstance(shown, TroublePost)
    assert (shown.row.problem, shown.missing) == ("403 Forbidden", True)
    await world.db.write(delivery.failed, trouble.id, now=world.now, problem="403 Forbidden", retry_at=None)
    assert await world.posts("trouble") == ()
    for actor, refusal in ((STRANGER, NotAllowed), (FOREIGNER, NotFound)):
        with pytest.raises(refusal):
            await world.db.write(failed_posts.retry, Order(actor=actor, now=world.now), post_id=post.id)
    await world.db.write(failed_posts.retry, Order(actor=MODERATOR, now=world.now), post_id=post.id)
    assert [one.id for one in await world.posts("round")] == [post.id]
    with pytest.raises(Conflict):
        await world.db.write(failed_posts.retry, Order(actor=MODERATOR, now=world.now), post_id=post.id)
    with pytest.raises(NotFound):
        await world.db.write(failed_posts.retry, Order(actor=MODERATOR, now=world.now), post_id=9999)


async def test_a_failure_that_passes_waits_for_its_time(world: World) -> None:
    await world.begin(2)
    (post,) = await world.posts("round")
    await world.db.write(
        delivery.failed, post.id, now=world.now, problem="503", retry_at=world.now + timedelta(minutes=1)
    )
    assert post.key not in await queued(world)
    world.later(minutes=1)
    assert post.key in await queued(world)
    assert (await world.posts("round"))[0].attempts == 1


async def test_a_league_without_moderators_channel_has_one_channel(world: World) -> None:
    from dataclasses import replace

    assert channel_of(world.league, Target.MODERATION) == MODERATION
    assert channel_of(world.league, Target.LEAGUE) == CHANNEL
    assert channel_of(replace(world.league, moderation_channel_id=None), Target.MODERATION) == CHANNEL


async def test_what_is_told_once_is_one_post_and_other_notices_are_one_each(world: World) -> None:
    async def tell(once: str | None) -> None:
        with change_by_hand(world.db) as conn:
            outbox.tell(conn, world.league, "hello", now=world.now, pings=(7, None, 7, 8), once=once)

    await asyncio.gather(*(tell("greeting") for _ in range(3)))
    (post,) = await world.posts()
    shown = await world.shown(post)
    assert isinstance(shown, NoticePost)
    assert (shown.text, shown.ping_ids) == ("hello", (7, 8))
    await tell(None)
    await tell(None)
    assert len({post.key for post in await world.posts("notice")}) == 3


async def test_a_round_post_shows_its_matches_as_they_are_now(world: World) -> None:
    await world.begin(2)
    (post,) = await world.posts("round")
    (match,) = (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches
    await world.lose(match.lower.name)
    shown = await world.shown(post)
    assert isinstance(shown, RoundPost)
    assert [one.winner for one in shown.view.matches] == [match.upper.name]


async def test_names_of_the_field_are_all_there(world: World) -> None:
    await world.begin(len(NAMES))
    shown = await world.shown((await world.posts("board"))[0])
    assert isinstance(shown, BoardPost)
    assert shown.names == NAMES


@pytest.mark.long
async def test_the_champions_post_shows_the_table_that_standings_shows(world: World) -> None:
    await world.begin(6)
    await world.play_out()
    (post,) = await world.posts("champion")
    facts = await world.shown(post)
    assert isinstance(facts, ChampionPost)
    assert facts.ending is not None
    table = await world.db.read(tables.standings, Order(actor=STRANGER, now=world.now, league_id=world.league_id))
    assert facts.ending.standings == tuple(row.standing for row in table.rows)
    champion = facts.ending.standings[0]
    assert champion.place == 1
    assert champion.wins > 4, "the finals count"
