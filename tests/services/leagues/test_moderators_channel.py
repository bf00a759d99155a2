"""A channel that moderators get while something waits for them: it's posted there, with what was said in private."""

from collections.abc import Mapping
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict
from bot.services import wiring
from bot.services.base import post_kinds
from bot.services.base.failed_posts import TROUBLE
from bot.services.base.order import Order
from bot.services.base.outbox import STUCK, NoticePost
from bot.services.leagues import set_up
from bot.services.matches.decision_posts import MatchPost
from bot.services.organising.daily_reminder import WAITING
from bot.services.people import rejoining
from bot.services.people.rejoining import REJOIN
from bot.services.play import decisions, reporting
from bot.services.play.round_posts import DISPUTE, OVERDUE
from bot.services.problems import on_server, telling
from bot.services.problems.evidence import SETTLE_PROBLEM, ProblemPost
from bot.services.problems.patience import IDLE
from bot.services.problems.stay_or_leave import STAYING
from bot.services.signups.approval import JOIN_REQUEST
from bot.services.signups.recognising import CLAIMS
from bot.services.ties import tie_decisions, tie_match_reports
from bot.services.ties.tie_posts import TIE
from storage.tables.outbox import outbox_rows
from storage.tables.people.memberships import Sought
from storage.tables.problems import ProblemKind
from tests.files import do, look_into
from tests.services.conftest import ADMIN, CHANNEL, GUILD, MODERATION, MODERATOR, ORGANISER, World
from tests.services.ties.test_tie_match_reports import called, say

WORDS = "my cat ate the cards"


async def channels(world: World, channel: int | None) -> None:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    world.league = await do(set_up.change, db=world.db, **who, changes={"moderation_channel_id": channel})


async def disputed(world: World) -> None:
    """Let a dispute, a decided dispute and a problem be posted while moderators have no channel."""
    await channels(world, None)
    await world.begin(6)
    found = [await world.match_of(name) for name in await upper(world)]
    first, second, third = [view for view in found if view is not None]
    for view in (first, second):
        said: Any = {"db": world.db, "now": world.now, "match": view.match.id}
        await do(reporting.report, **said, actor=world.player(view.upper.name), result="won")
        await do(reporting.dispute, **said, actor=world.player(view.lower.name), reason=WORDS)
    who: Any = {"db": world.db, "actor": MODERATOR, "now": world.now, "match": second.match.id, "reason": "seen"}
    await do(decisions.decide, **who, outcome=decisions.Outcome.UPPER)
    told: Any = {"db": world.db, "now": world.now, "match": third.match.id, "text": WORDS}
    await do(telling.tell_problem, **told, actor=world.player(third.upper.name), kind=ProblemKind.TOO_LATE)
    await world.announce()
    await steps.tick(world.db, world.later(hours=25))
    await world.announce()


async def upper(world: World) -> list[str]:
    view = (await world.status()).current_round
    assert view is not None
    return [match.upper.name for match in view.matches]


async def shown(world: World) -> Mapping[str, bool]:
    """Return whether moderators read private words, by the kinds of the new posts that wait for them."""
    found: dict[str, bool] = {}
    for post in await world.posts():
        if post.kind in (DISPUTE, SETTLE_PROBLEM) and not post.removed and post.message_id is None:
            facts = await world.shown(post)
            assert isinstance(facts, MatchPost | ProblemPost)
            found[post.kind] = facts.apart
    return found


@pytest.mark.long
async def test_what_waits_is_posted_again_with_its_words_where_moderators_get_a_channel(world: World) -> None:
    await disputed(world)
    assert await shown(world) == {}
    await channels(world, MODERATION)
    assert await shown(world) == {DISPUTE: True, SETTLE_PROBLEM: True}, "not the one that is decided"
    gone = [post.kind for post in await world.posts() if post.removed]
    assert sorted(gone) == sorted([DISPUTE, SETTLE_PROBLEM]), "the posts without words, in the league's channel"
    with look_into(world.db) as conn:
        assert {outbox_rows.get(conn, post.id).channel_id for post in await world.posts() if post.removed} == {CHANNEL}
    await world.announce()
    await channels(world, MODERATION)
    assert await shown(world) == {}, "once"
    await channels(world, MODERATION + 50)
    assert set(await shown(world)) == {DISPUTE, SETTLE_PROBLEM}


@pytest.mark.long
async def test_a_tie_and_a_dispute_of_its_match_are_posted_again_with_the_reason(world: World) -> None:
    await channels(world, None)
    tie = await called(world)
    first, second = tie.names
    await say(world, tie, first, won=True)
    who: Any = {"db": world.db, "actor": world.player(second), "now": world.now, "tie_id": tie.id}
    await do(tie_match_reports.answer, **who, right=False, reason=WORDS)
    await world.announce()
    await channels(world, MODERATION)
    made = {made.row.kind: made for made in await world.announce()}
    assert {kind: made[kind].channel_id for kind in (TIE, STUCK)} == {TIE: MODERATION, STUCK: MODERATION}
    stuck = made[STUCK].post
    assert isinstance(stuck, NoticePost)
    assert f"{second} says: “{WORDS}”" in stuck.text
    await world.db.write(tie_decisions.order, Order(actor=ORGANISER, now=world.now), named=first, tie_id=tie.id)
    await world.announce()
    await channels(world, MODERATION + 50)
    assert not {TIE, STUCK} & {made.row.kind for made in await world.announce()}, "it's decided"


@pytest.mark.long
async def test_what_organisers_are_asked_about_players_is_posted_again(world: World) -> None:
    await channels(world, None)
    await world.begin(6)
    await world.drop("Ann")
    back: Any = {"actor": world.player("Ann"), "now": world.now, "league_id": world.league_id}
    await do(rejoining.rejoin, db=world.db, **back)
    gone = Sought(guild_id=GUILD, discord_id=world.player("Bo").user_id or 0)
    await world.db.write(on_server.seen, gone, now=world.now, present=False)
    await world.announce()
    await channels(world, MODERATION)
    made = sorted(made.row.kind for made in await world.announce() if made.channel_id == MODERATION)
    assert made == sorted([REJOIN, STAYING])


def test_every_post_that_asks_moderators_something_is_known_as_one_to_post_again() -> None:
    asks = {kind for wait in wiring.ASKED.waits for kind in wait.asks}
    pages = {CLAIMS, JOIN_REQUEST}  # these know themselves on which someone waits
    asked = {kind for kind in post_kinds.every() if kind.for_moderators}
    assert asked - asks - pages == {IDLE, OVERDUE, TROUBLE, WAITING}


@pytest.mark.long
@pytest.mark.parametrize("how", ["taken away", "the league's own"])
async def test_nothing_is_posted_again_where_everyone_reads(world: World, how: str) -> None:
    await disputed(world)
    await channels(world, None if how == "taken away" else CHANNEL)
    assert await shown(world) == {}


@pytest.mark.long
async def test_no_channel_of_another_league_s_players_is_taken(world: World) -> None:
    await disputed(world)
    given: Any = {"name": "Other", "channel_id": CHANNEL + 7}
    await do(set_up.create, db=world.db, actor=ADMIN, now=world.now, **given)
    with pytest.raises(Conflict, match="The players of Other read that channel"):
        await channels(world, CHANNEL + 7)
    assert await shown(world) == {}
