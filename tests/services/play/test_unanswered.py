"""A report that waits: the opponent is asked, their time begins when they were, silence counts only after that."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.season.phases import MatchState
from bot.services.base.order import Order
from bot.services.base.outbox import ROUND
from bot.services.base.permissions import BOT
from bot.services.delivery import delivery
from bot.services.delivery.delivery import Delivery
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.people import notifying, removing
from bot.services.play import clearing, decisions, reporting
from bot.services.play.round_posts import COUNTED, QuestionPost
from bot.services.seasons import lifecycle
from cogs.posting.renderings import render
from storage.posts import PostRow, Target
from storage.rows import Confirmation
from storage.tables.people import notify, players
from storage.tables.people.notify import How, Topic
from tests.files import change_by_hand, do
from tests.looked_up import posted_round
from tests.services.conftest import MODERATOR, ORGANISER, World

DAY = timedelta(hours=24)


@pytest.fixture
async def match(world: World) -> MatchView:
    await world.begin(4)
    await world.announce()
    return (await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))).matches[0]


async def now(world: World) -> MatchView:
    return (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id), number=1)
    ).matches[0]


async def report(world: World, name: str, result: str = "won", score: str | None = None) -> None:
    view = await now(world)
    said: Any = {"match": view.match.id, "result": result, "score": score}
    await do(reporting.report, db=world.db, actor=world.player(name), now=world.now, **said)


async def answer(world: World, how: str) -> None:
    view = await now(world)
    says: Any = {"db": world.db, "now": world.now, "match": view.match.id}
    upper, lower = (world.player(side.name) for side in view.sides)
    match how:
        case "confirmed":
            await do(reporting.confirm, actor=lower, **says)
        case "disputed":
            await do(reporting.dispute, actor=lower, reason="no", **says)
        case "contradicted":
            await do(reporting.report, actor=lower, result="won", **says)
        case "conceded":
            await do(reporting.report, actor=upper, result="lost", **says)
        case "decided":
            await do(decisions.decide, actor=MODERATOR, outcome=Outcome.LOWER, reason="seen", **says)
        case "cleared":
            await do(clearing.clear, actor=MODERATOR, reason="wrong match", **says)
        case "left":
            await world.drop(view.lower.name)
        case _:
            asked: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
            await do(lifecycle.cancel, db=world.db, **asked)


def of(made: list[Delivery], kind: str) -> list[Delivery]:
    return [one for one in made if one.row.kind == kind]


def asked(made: list[Delivery]) -> list[Delivery]:
    return [one for one in made if isinstance(one.post, QuestionPost)]


async def choose(world: World, name: str, how: How) -> None:
    with change_by_hand(world.db) as conn:
        player = players.by_discord(conn, world.league_id, world.player(name).user_id or 0)
        assert player is not None
        notify.choose(conn, player.id, Topic.QUESTION, how)


async def park(world: World, post: PostRow) -> None:
    await world.db.write(delivery.failed, post.id, now=world.now, problem="closed", retry_at=None)


async def test_the_opponent_is_asked_and_the_time_begins_when_they_were(world: World, match: MatchView) -> None:
    await report(world, match.upper.name)
    assert (await now(world)).match.confirm_at is None
    world.later(hours=3)
    (question,) = asked(await world.announce())
    assert question.mention.people == (match.lower.discord_id,)
    assert isinstance(question.post, QuestionPost)
    assert question.post.counts_at == (await now(world)).match.confirm_at == world.now + DAY


async def test_nothing_is_confirmed_that_was_never_announced(world: World, match: MatchView) -> None:
    await report(world, match.upper.name)
    (question,) = await world.posts("question")
    await park(world, question)
    world.later(days=30)
    await steps.tick(world.db, world.now)
    assert (await now(world)).match.state is MatchState.REPORTED
    await world.announce()  # the clock lets a failed post be tried again
    assert (await now(world)).match.confirm_at == world.now + DAY


async def test_asked_again_once_at_half_time_in_place_of_the_first_question(world: World, match: MatchView) -> None:
    await report(world, match.upper.name)
    (first,) = asked(await world.announce())
    counts_at = (await now(world)).match.confirm_at
    world.later(hours=12, seconds=-1)
    assert await steps.tick(world.db, world.now) == 0
    world.later(seconds=1)
    assert sorted(await asyncio.gather(*(steps.tick(world.db, world.now) for _ in range(2)))) == [0, 1]
    again, removed = await world.posts("question")
    assert (removed.id, removed.removed, again.removed) == (first.row.id, True, False)
    (second,) = asked(await world.announce())
    assert second.mention == first.mention
    assert isinstance(second.post, QuestionPost)
    assert second.post.counts_at == counts_at
    assert (await now(world)).match.confirm_at == counts_at
    world.later(hours=6)
    assert await steps.tick(world.db, world.now) == 0


@pytest.mark.long
async def test_silence_confirms_and_a_message_mentions_who_was_silent(world: World, match: MatchView) -> None:
    await report(world, match.upper.name)
    await world.announce()
    world.later(hours=23, minutes=59)
    await steps.tick(world.db, world.now)
    await world.announce()
    world.later(minutes=1)
    assert await steps.tick(world.db, world.now) == 1
    assert await steps.tick(world.db, world.now) == 0
    assert [post.removed for post in await world.posts("question")] == [True]
    assert of(await world.announce(), COUNTED) == []
    world.later(minutes=10)
    (told,) = of(await world.announce(), COUNTED)
    assert told.mention.people == (match.lower.discord_id,)
    words = str(render(COUNTED, told.post).parts)
    assert f"**{match.upper.name}** beat {match.lower.name}. It counts now." in words
    assert "answer" not in words
    after = (await now(world)).match
    assert (after.winner_id, after.confirmed_by) == (match.upper.id, Confirmation.SILENCE)


@pytest.mark.long
async def test_what_counts_by_silence_within_minutes_is_one_message(world: World) -> None:
    await world.begin(6)
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    reported = view.matches[:2]
    for match in reported:
        said: Any = {"match": match.match.id, "result": "won", "now": world.now}
        await do(reporting.report, db=world.db, actor=world.player(match.upper.name), **said)
        await world.announce()
        world.later(minutes=2)
    world.later(hours=23, minutes=56)
    for _ in range(7):
        await steps.tick(world.db, world.later(minutes=2))
    (told,) = of(await world.announce(), COUNTED)
    assert told.mention.people == tuple(match.lower.discord_id for match in reported)
    words = str(render(COUNTED, told.post).parts)
    assert words.count("beat") == 2
    assert "These results count now." in words
    assert await world.posts(COUNTED) == ()


async def test_nobody_is_told_that_a_result_counts_where_the_next_round_follows_at_once(world: World) -> None:
    await world.begin(2, rounds=2)
    await world.announce()
    await report(world, (await now(world)).upper.name)
    await world.announce()
    await steps.tick(world.db, world.later(hours=24))
    made = await world.announce() + await later(world)
    assert [one.row.kind for one in made if one.row.kind in (COUNTED, ROUND)] == [ROUND]


async def later(world: World) -> list[Delivery]:
    world.later(minutes=10)
    return await world.announce()


async def test_who_wants_direct_messages_gets_their_own_result_there_and_the_channel_mentions_the_other(
    world: World,
) -> None:
    await world.begin(6)
    await world.announce()
    view = await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    one, other = view.matches[:2]
    who: Any = {"actor": world.player(one.lower.name), "now": world.now, "league_id": world.league_id}
    await do(notifying.choose, db=world.db, **who, topic=Topic.NEWS, how=How.DIRECT)
    for match in (one, other):
        said: Any = {"match": match.match.id, "result": "won", "now": world.now}
        await do(reporting.report, db=world.db, actor=world.player(match.upper.name), **said)
    await world.announce()
    await steps.tick(world.db, world.later(hours=24))
    channel, direct = sorted(of(await later(world), COUNTED), key=lambda made: made.row.target is Target.PERSON)
    assert channel.mention.people == (other.lower.discord_id,)
    assert str(render(COUNTED, channel.post).parts).count("beat") == 2
    assert direct.row.person_id == one.lower.discord_id
    assert str(render(COUNTED, direct.post).parts).count("beat") == 1


ANSWERS = ["confirmed", "disputed", "contradicted", "conceded", "decided", "cleared", "left", "cancelled"]


@pytest.mark.parametrize("sent", [True, False])
@pytest.mark.parametrize("how", ANSWERS)
async def test_however_it_was_answered_the_question_is_deleted_or_never_sent(
    world: World, match: MatchView, how: str, sent: bool
) -> None:
    await report(world, match.upper.name)
    if sent:
        await world.announce()
    await answer(world, how)
    assert [post.removed for post in await world.posts("question")] == [True] * sent
    assert not asked(await world.announce())


async def test_a_question_answered_while_it_is_sent_begins_nothing_and_is_deleted(
    world: World, match: MatchView
) -> None:
    await report(world, match.upper.name)
    (question,) = await world.posts("question")
    await answer(world, "confirmed")
    await world.db.write(delivery.sent, question.id, now=world.now, channel_id=1, message_id=7, version=1)
    assert (await now(world)).match.confirm_at is None
    assert [(post.message_id, post.removed) for post in await world.posts("question")] == [(7, True)]


async def test_a_replaced_report_is_a_new_question_with_its_own_time(world: World, match: MatchView) -> None:
    await report(world, match.upper.name)
    (first,) = asked(await world.announce())
    world.later(hours=20)
    await report(world, match.upper.name, score="1-0")
    assert [post.id for post in await world.posts("question") if post.removed] == [first.row.id]
    assert len(asked(await world.announce())) == 1
    assert (await now(world)).match.confirm_at == world.now + DAY


async def test_the_question_goes_to_the_direct_messages_of_those_who_want_that(world: World, match: MatchView) -> None:
    await choose(world, match.lower.name, How.DIRECT)
    await report(world, match.upper.name)
    (question,) = asked(await world.announce())
    assert (question.row.target, question.row.person_id) == (Target.PERSON, match.lower.discord_id)
    assert (await now(world)).match.confirm_at == world.now + DAY


async def test_closed_direct_messages_begin_no_time_before_the_mention(world: World, match: MatchView) -> None:
    await choose(world, match.lower.name, How.DIRECT)
    await report(world, match.upper.name)
    (post,) = [post for post in await world.posts("question") if post.target is Target.PERSON]
    await world.db.write(delivery.refused, post.id, world.now)
    assert (await now(world)).match.confirm_at is None
    world.later(hours=1)
    (question,) = asked(await world.announce())
    assert question.mention.people == (match.lower.discord_id,)
    assert (await now(world)).match.confirm_at == world.now + DAY


async def test_a_choice_changed_while_a_question_waits_loses_no_question(world: World, match: MatchView) -> None:
    await report(world, match.upper.name)
    await choose(world, match.lower.name, How.DIRECT)
    (question,) = asked(await world.announce())
    assert question.mention.people == (match.lower.discord_id,)


async def test_the_time_of_an_opponent_without_an_account_begins_at_once(world: World, match: MatchView) -> None:
    with change_by_hand(world.db) as conn:
        player = players.by_discord(conn, world.league_id, match.lower.discord_id or 0)
        assert player is not None
        players.change(conn, player.id, discord_id=None)
    await report(world, match.upper.name)
    assert await world.posts("question") == ()
    assert (await now(world)).match.confirm_at == world.now + DAY


async def test_a_match_of_someone_disqualified_is_not_asked_about(world: World, match: MatchView) -> None:
    await report(world, match.upper.name)
    asked_of: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(removing.disqualify, db=world.db, **asked_of, player=match.upper.name, reason="cheats")
    assert not asked(await world.announce())


async def test_a_question_that_can_reach_nobody_starts_its_time_at_once(world: World, match: MatchView) -> None:
    """The opponent's account is taken away after the report, before they were asked."""
    await report(world, match.upper.name)
    with change_by_hand(world.db) as conn:
        player = players.by_discord(conn, world.league_id, match.lower.discord_id or 0)
        assert player is not None
        players.change(conn, player.id, discord_id=None)
    assert not asked(await world.announce())
    assert (await now(world)).match.confirm_at == world.now + DAY


async def test_a_direct_question_does_not_start_its_time_before_it_is_sent(world: World, match: MatchView) -> None:
    await choose(world, match.lower.name, How.DIRECT)
    await report(world, match.upper.name)
    in_channel = next(post for post in await world.posts("question") if post.target is not Target.PERSON)
    assert await steps.load(world.db, in_channel.id, world.now) is None
    assert (await now(world)).match.confirm_at is None
