"""Finals that wait for a tie: whatever happens meanwhile, no answer is lost and everyone who has to answer is asked."""

from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.services.base.order import Order
from bot.services.base.outbox import NoticePost
from bot.services.leagues import set_up
from bot.services.organising import rounds_by_hand
from bot.services.seasons import pausing
from bot.services.ties import tie_decisions, tie_match_reports
from bot.services.ties.tie_posts import TIE_MATCH
from storage.query import records
from storage.rows import TieRow
from tests.files import do, look_into
from tests.services.conftest import ORGANISER, World
from tests.services.seats.test_seats import substitute
from tests.services.ties.test_tie_match_reports import answer, called, question, say
from tests.services.ties.test_ties import below_the_cut, finalists, require_verified


def organiser(world: World) -> dict[str, Any]:
    return {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}


async def preview(world: World) -> None:
    await do(rounds_by_hand.preview, **organiser(world))


async def draw(world: World, tie: TieRow) -> None:
    await world.db.write(tie_decisions.take_draw, Order(actor=ORGANISER, now=world.now), tie_id=tie.id)


@pytest.mark.long
@pytest.mark.parametrize("ends", ["by itself", "early"])
async def test_a_tie_that_is_settled_in_a_pause_lets_the_finals_follow_after_it(world: World, ends: str) -> None:
    tie = await below_the_cut(world)
    await world.announce()
    await do(pausing.pause, **organiser(world), until=world.now + timedelta(days=3), agreed=None)
    await draw(world, tie)
    assert not [post for post in await world.posts("moving-up") if not post.removed], "nothing begins in a pause"
    if ends == "by itself":
        await steps.tick(world.db, world.later(days=3))
    else:
        await do(pausing.end, **organiser(world), agreed=None)
    await world.move_up()
    assert await finalists(world)
    await require_verified(world)


@pytest.mark.long
async def test_finals_follow_when_so_many_leave_that_no_tie_is_left(world: World) -> None:
    tie = await below_the_cut(world)
    for name in tie.names[:2]:
        await world.drop(name)
    assert await open_ties(world) == []
    await world.move_up()
    assert tie.names[2] in await finalists(world)
    await require_verified(world)


async def open_ties(world: World) -> list[int]:
    """Return the ties that wait, without asking again as a look of an organiser does."""
    with look_into(world.db) as conn:
        return [number for (number,) in records(conn, "SELECT id FROM ties WHERE settled_at IS NULL")]


@pytest.mark.long
async def test_who_has_a_seat_from_the_finals_on_is_asked_about_the_report_once_there_is_a_preview(
    world: World,
) -> None:
    tie = await called(world)
    first, second = tie.names
    await substitute(world, second, "Sam")
    await say(world, tie, first, won=True)
    assert (await question(world)).ping_ids == (world.player(second).user_id,), "who plays the round that is open"
    await world.announce()
    await preview(world)
    assert (await question(world)).ping_ids == (world.player("Sam").user_id,)
    told = [post.facts["only"] for post in await world.posts(TIE_MATCH) if "only" in post.facts]
    assert told == [[world.player("Sam").user_id]]
    assert (await answer(world, tie, "Sam", right=True)).settled


@pytest.mark.long
async def test_a_report_of_the_person_before_stands_once_there_is_a_preview(world: World) -> None:
    tie = await called(world)
    first, second = tie.names
    await say(world, tie, first, won=True)
    await substitute(world, first, "Sam")
    await world.announce()
    await preview(world)
    await preview(world)
    assert (await answer(world, tie, second, right=True)).settled


@pytest.mark.long
async def test_a_tie_is_another_one_once_a_player_has_left_who_is_in_the_preview(world: World) -> None:
    tie = await called(world)
    first, second = tie.names
    await preview(world)
    await say(world, tie, first, won=True)
    await world.announce()
    await world.drop(second)
    assert not [post for post in await world.posts("tie-question") if not post.removed]
    assert any("isn't played: results or players have changed" in text for text in await world.notices())
    assert tie.id not in await open_ties(world)


@pytest.mark.long
async def test_what_someone_says_in_a_dispute_reaches_those_who_decide(world: World) -> None:
    tie = await called(world)
    first, second = tie.names
    await say(world, tie, first, won=True)
    who: Any = {"actor": world.player(second), "now": world.now}
    await do(tie_match_reports.answer, db=world.db, **who, tie_id=tie.id, right=False, reason="I won 2-0")
    (stuck,) = [post for post in await world.posts("stuck") if "disagree" in str(post.facts["text"])]
    facts = await world.shown(stuck)
    assert isinstance(facts, NoticePost)
    assert facts.text.endswith(f"{second} says: “I won 2-0”")
    noted = {row.action: row.reason for row in await world.audit()}
    assert noted["round.tiebreak-dispute"] == "I won 2-0"
    assert not any("I won 2-0" in text for text in await world.notices()), "the league's channel"


async def test_what_someone_says_in_a_dispute_is_not_shown_where_everyone_reads(world: World) -> None:
    await do(set_up.change, **organiser(world), changes={"moderation_channel_id": None})
    tie = await called(world)
    first, second = tie.names
    await say(world, tie, first, won=True)
    who: Any = {"actor": world.player(second), "now": world.now}
    await do(tie_match_reports.answer, db=world.db, **who, tie_id=tie.id, right=False, reason="I won 2-0")
    (stuck,) = [post for post in await world.posts("stuck") if "disagree" in str(post.facts["text"])]
    facts = await world.shown(stuck)
    assert isinstance(facts, NoticePost)
    assert "I won" not in facts.text
