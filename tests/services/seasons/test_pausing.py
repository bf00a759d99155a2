"""A break in a season: nothing is posted, open deadlines move by its length, and it goes on by itself."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, NotAllowed, WrongPhase
from bot.league.season.phases import MatchState
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.matches.views import RoundView
from bot.services.organising import rounds_by_hand
from bot.services.play import reporting
from bot.services.seasons import pausing
from bot.services.times import proposing
from storage.rows import SeasonRow
from tests.files import do
from tests.looked_up import posted_round
from tests.services.conftest import ORGANISER, STRANGER, World

WEEK = timedelta(days=7)


async def pause(world: World, **length: float) -> SeasonRow:
    until = world.now + timedelta(**length)
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    return await do(pausing.pause, db=world.db, **who, until=until)


async def end(world: World) -> SeasonRow:
    return await world.db.write(pausing.end, Order(actor=ORGANISER, now=world.now, league_id=world.league_id))


async def current(world: World) -> RoundView:
    return await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))


async def deadline(world: World) -> datetime:
    found = (await current(world)).round.deadline
    assert found is not None
    return found


async def tick(world: World) -> int:
    return await steps.tick(world.db, world.now)


async def test_the_open_deadline_moves_by_the_length_of_the_pause(world: World) -> None:
    await world.begin(4)
    start = world.now
    world.later(days=2)
    await pause(world, days=10)
    assert await deadline(world) == start + WEEK + timedelta(days=10)


async def test_a_season_whose_first_round_was_taken_back_can_be_paused(world: World) -> None:
    await world.begin(4)
    asked: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(rounds_by_hand.undo, db=world.db, **asked, reason="too early")
    assert (await pause(world, days=3)).paused_until == world.now + timedelta(days=3)


async def test_a_pause_that_is_made_longer_or_ended_early_moves_it_by_what_it_lasted(world: World) -> None:
    await world.begin(4)
    before = await deadline(world)
    await pause(world, days=3)
    world.later(days=1)
    await pause(world, days=9)
    assert await deadline(world) == before + timedelta(days=10)
    world.later(days=4)
    assert (await end(world)).paused_until is None
    assert await deadline(world) == before + timedelta(days=5)
    with pytest.raises(Conflict, match="isn't paused"):
        await end(world)


async def test_a_time_agreed_on_in_the_pause_can_still_be_played_where_it_ends_early(world: World) -> None:
    await world.begin(4, overdue="double_loss")
    await pause(world, days=20)
    later, agreed = await deadline(world), world.now + timedelta(days=15)
    match = (await current(world)).matches[0]
    for side in match.sides:  # who proposes the same agrees
        who: Any = {"actor": world.player(side.name), "now": world.now, "match": match.match.id}
        await do(proposing.propose, db=world.db, **who, chosen=[agreed])
    await end(world)
    kept, other = (await current(world)).matches
    assert (kept.deadline, other.deadline) == (later, later - timedelta(days=20))
    told = [post.facts["until"] for post in await world.posts("decision")]
    assert told == [int(later.timestamp())]
    world.now = agreed
    await tick(world)
    assert [view.match.state for view in (await current(world)).matches] == [MatchState.OPEN, MatchState.CONFIRMED]


async def test_a_match_with_more_time_of_its_own_keeps_it_and_a_passed_deadline_stays(world: World) -> None:
    await world.begin(4)
    who: Any = {"actor": ORGANISER, "league_id": world.league_id}
    await do(rounds_by_hand.extend, db=world.db, **who, now=world.now, days=3, match="R1 M1")
    world.later(days=8)
    await tick(world)
    passed = await deadline(world)
    await pause(world, days=5)
    first, second = (await current(world)).matches
    assert first.deadline == passed + timedelta(days=3 + 5)
    assert second.deadline == passed
    extended = await do(rounds_by_hand.extend, db=world.db, **who, now=world.now, days=2)
    assert extended.round.deadline == world.now + timedelta(days=5 + 2)


async def test_a_deadline_that_is_over_as_the_pause_begins_stays(world: World) -> None:
    await world.begin(4)
    who: Any = {"actor": ORGANISER, "league_id": world.league_id}
    await do(rounds_by_hand.extend, db=world.db, **who, now=world.now, days=3, match="R1 M1")
    over = (await current(world)).matches[0].deadline
    world.later(days=10)
    assert over == world.now
    await pause(world, days=5)
    assert (await current(world)).matches[0].deadline == over


async def test_a_finished_round_waits_for_the_end_of_the_pause_and_then_goes_on_by_the_clock(world: World) -> None:
    await world.begin(4)
    await pause(world, days=3)
    await world.play_round()
    world.later(days=2)
    await tick(world)
    assert (await current(world)).round.number == 1
    assert "goes on after its pause" in (await world.status()).next_step
    world.later(days=1)
    assert await asyncio.gather(tick(world), tick(world)) in ([1, 0], [0, 1])
    view = await current(world)
    assert (view.round.number, view.round.deadline) == (2, world.now + WEEK)
    assert await tick(world) == 0


async def test_no_round_is_posted_but_a_preview_is_possible(world: World) -> None:
    await world.begin(4)
    await pause(world, days=3)
    await world.play_round()
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    for act in (rounds_by_hand.post, rounds_by_hand.close):
        with pytest.raises(WrongPhase, match="is paused"):
            await do(act, db=world.db, **who)
    assert (await do(rounds_by_hand.preview, db=world.db, **who)).round.number == 2
    await end(world)
    assert (await do(rounds_by_hand.post, db=world.db, **who)).round.number == 2


async def test_reports_are_confirmed_by_silence_and_no_one_is_reminded(world: World) -> None:
    await world.begin(4)
    await pause(world, days=30)
    first, _ = (await current(world)).matches
    reporter = world.player(first.upper.name)
    await world.db.write(reporting.report, Order(actor=reporter, now=world.now), match=first.match.id, result="won")
    await world.announce()
    world.later(days=2)
    assert await tick(world) > 0
    assert (await current(world)).matches[0].match.state == "confirmed"
    world.later(days=20)
    await tick(world)
    assert await world.posts("reminder") == ()


async def test_half_of_a_round_is_later_by_the_whole_pause(world: World) -> None:
    await world.begin(4)
    start = world.now
    await pause(world, days=4)
    world.later(days=4)
    await tick(world)
    world.now = start + timedelta(days=7, hours=12, seconds=-1)
    await tick(world)
    assert "reminder" not in {made.row.kind for made in await world.announce()}
    world.later(seconds=1)
    await tick(world)
    assert "reminder" in {made.row.kind for made in await world.announce()}


async def test_players_are_told_once_and_again_only_where_it_ends_early(world: World) -> None:
    await world.begin(4)
    await world.announce()
    await pause(world, days=4)
    (told,) = [made for made in await world.announce() if made.row.kind == "pause"]
    assert len(told.mention.people) == 4
    await pause(world, days=4)
    assert [made for made in await world.announce() if made.row.kind == "pause"] == []
    world.later(days=4)
    await tick(world)
    assert [made for made in await world.announce() if made.row.kind == "pause"] == []


async def test_only_organisers_pause_and_only_a_season_that_is_played(world: World) -> None:
    await world.create()
    with pytest.raises(WrongPhase, match="hasn't started"):
        await pause(world, days=1)
    await world.sign_up("dok", "Xorlof")
    await world.start()
    who: Any = {"actor": STRANGER, "now": world.now, "league_id": world.league_id}
    with pytest.raises(NotAllowed):
        await do(pausing.pause, db=world.db, **who, until=world.now + WEEK)
