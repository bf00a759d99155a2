"""Two players agree on a time: each proposal, answer and change, and what becomes of them."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.league.errors import Conflict, Invalid, LeagueError, NotAllowed, NotFound, WrongPhase
from bot.league.formats import ALL
from bot.services.base.order import Order
from bot.services.matches.agreed_times import of_match
from bot.services.matches.outcome import Outcome
from bot.services.matches.views import MatchView
from bot.services.organising import rounds_by_hand, swapping
from bot.services.people import notifying
from bot.services.play import clearing, decisions, reporting
from bot.services.times import accepting, own_zone, proposing, timetable
from bot.services.times.proposing import Proposed
from storage.tables import times
from storage.tables.outbox import outbox_rows
from storage.tables.people.notify import How, Topic
from storage.tables.times import TimeAnswer, TimeProposalRow
from tests.files import do, look_into, see
from tests.services.conftest import MODERATOR, ORGANISER, STRANGER, World

TUESDAY = datetime(2026, 11, 24, 19, tzinfo=UTC)
WEDNESDAY, THURSDAY = TUESDAY + timedelta(days=1), TUESDAY + timedelta(days=2)


async def match(world: World, name: str = "dok") -> MatchView:
    found = await world.match_of(name)
    assert found is not None
    return found


async def propose(world: World, name: str, *starts: datetime, declines: int | None = None) -> Proposed:
    view, actor = await match(world), world.player(name)
    who: Any = {"actor": actor, "now": world.now, "match": view.match.id}
    return await do(proposing.propose, db=world.db, **who, chosen=starts, declines=declines)


async def waiting(world: World) -> dict[str, TimeProposalRow]:
    view = await match(world)
    with look_into(world.db) as conn:
        rows = times.waiting_proposals(conn, [view.match.id])
    return {view.side(row.entrant_id).name: row for row in rows}


async def accept(world: World, name: str, row: TimeProposalRow, start: datetime) -> MatchView:
    who: Any = {"actor": world.player(name), "now": world.now, "match": row.match_id}
    return await do(accepting.accept, db=world.db, **who, proposal=row.id, start=start)


async def players(world: World) -> tuple[str, str]:
    """Return dok and their opponent."""
    view = await match(world)
    return "dok", view.opponent_of(view.side_of(world.player("dok").user_id) or view.upper).name


async def due(world: World, kind: str) -> list[datetime]:
    """Return when messages of a kind that aren't sent yet are due."""
    with look_into(world.db) as conn:
        rows = conn.execute_fetchall(
            "SELECT due_at FROM outbox WHERE kind = ? AND state = 'due' AND message_id IS NULL AND removed = 0"
            " ORDER BY due_at",
            [kind],
        )
    return [datetime.fromtimestamp(row[0], UTC) for row in rows]


async def test_the_agreed_time_stands_until_the_other_accepts_another_and_reminders_move_with_it(
    world: World,
) -> None:
    await world.begin(4)
    me, other = await players(world)
    await propose(world, me, TUESDAY, WEDNESDAY)
    await accept(world, other, (await waiting(world))[me], TUESDAY)
    assert await due(world, "time-reminder") == [TUESDAY - timedelta(hours=24), TUESDAY - timedelta(hours=1)]
    await propose(world, other, THURSDAY)
    assert (await match(world)).match.agreed_at == TUESDAY
    assert await due(world, "time-reminder") == [TUESDAY - timedelta(hours=24), TUESDAY - timedelta(hours=1)]
    await accept(world, me, (await waiting(world))[other], THURSDAY)
    assert (await match(world)).match.agreed_at == THURSDAY
    assert await due(world, "time-reminder") == [THURSDAY - timedelta(hours=24), THURSDAY - timedelta(hours=1)]
    view = await match(world)
    with look_into(world.db) as conn:
        history = of_match(conn, view)
    assert [(one.by.name, one.answer, one.accepted) for one in history] == [
        (me, TimeAnswer.ACCEPTED, TUESDAY),
        (other, TimeAnswer.ACCEPTED, THURSDAY),
    ]
    assert "match.time" in [row.action for row in await world.audit()]


async def test_a_reminder_whose_moment_has_passed_is_left_out(world: World) -> None:
    await world.begin(4)
    me, other = await players(world)
    soon = world.now + timedelta(hours=5)
    await propose(world, me, soon)
    await accept(world, other, (await waiting(world))[me], soon)
    assert await due(world, "time-reminder") == [soon - timedelta(hours=1)]


async def test_both_propose_at_once_and_either_answer_counts(world: World) -> None:
    await world.begin(4)
    me, other = await players(world)
    await asyncio.gather(propose(world, me, TUESDAY), propose(world, other, WEDNESDAY, THURSDAY))
    rows = await waiting(world)
    assert set(rows) == {me, other}
    await accept(world, me, rows[other], THURSDAY)
    assert (await match(world)).match.agreed_at == THURSDAY
    assert await waiting(world) == {}
    with pytest.raises(Conflict, match="aren't open any more"):
        await accept(world, other, rows[me], TUESDAY)


async def test_who_proposes_a_time_the_other_proposed_too_has_agreed_on_it(world: World) -> None:
    await world.begin(4)
    me, other = await players(world)
    await propose(world, me, WEDNESDAY, TUESDAY)
    done = await propose(world, other, TUESDAY, WEDNESDAY, THURSDAY)
    assert done.agreed_at == TUESDAY == (await match(world)).match.agreed_at
    told = [each.mention.people for each in await world.announce() if each.row.kind == "agreed"]
    assert told == [(world.player(me).user_id,)]


async def test_two_presses_at_once_agree_on_one_time(world: World) -> None:
    await world.begin(4)
    me, other = await players(world)
    await propose(world, me, TUESDAY, WEDNESDAY)
    row = (await waiting(world))[me]
    both = (accept(world, other, row, TUESDAY), accept(world, other, row, WEDNESDAY))
    done = await asyncio.gather(*both, return_exceptions=True)
    (refused,) = [one for one in done if isinstance(one, LeagueError)]
    assert "agreed on a time already" in str(refused)
    assert len(await due(world, "agreed")) == 1


async def test_none_of_these_work_declines_once_other_times_are_sent(world: World) -> None:
    await world.begin(4)
    me, other = await players(world)
    await propose(world, me, TUESDAY)
    row = (await waiting(world))[me]
    await world.announce()
    await propose(world, other, WEDNESDAY, declines=row.id)
    assert set(await waiting(world)) == {other}
    (made,) = await world.announce()
    assert made.mention.people == (world.player(me).user_id,)
    view = await match(world)
    with look_into(world.db) as conn:
        posts = outbox_rows.of_round(conn, view.round.id)
    assert [post.removed for post in posts if post.kind == "times"] == [True, False]
    with pytest.raises(Conflict, match="aren't open any more"):
        await accept(world, other, row, TUESDAY)


async def test_only_the_two_can_agree_and_only_on_times_that_are_possible(world: World) -> None:
    await world.begin(4)
    me, other = await players(world)
    view = await match(world)
    assert view.deadline is not None
    who: Any = {"now": world.now, "match": view.match.id}
    for actor in (STRANGER, MODERATOR, ORGANISER):
        with pytest.raises(NotAllowed, match="Only"):
            await see(proposing.offer, db=world.db, actor=actor, **who)
    with pytest.raises(Invalid, match="has passed"):
        await propose(world, me, world.now - timedelta(minutes=1))
    with pytest.raises(Invalid, match="after the deadline"):
        await propose(world, me, TUESDAY, view.deadline + timedelta(minutes=1))
    await propose(world, me, TUESDAY)
    row = (await waiting(world))[me]
    with pytest.raises(Conflict, match="yourself"):
        await accept(world, me, row, TUESDAY)
    with pytest.raises(NotFound):
        await accept(world, other, row, WEDNESDAY)
    world.later(days=5)
    with pytest.raises(Invalid, match="To propose others, press None of these work"):
        await accept(world, other, row, TUESDAY)
    world.later(days=3)
    with pytest.raises(WrongPhase, match="The deadline has passed"):
        await propose(world, me, world.now + timedelta(hours=1))


async def test_a_result_lets_go_of_times_and_clearing_it_brings_the_reminders_of_the_agreed_one_back(
    world: World,
) -> None:
    await world.begin(4)
    me, other = await players(world)
    await propose(world, me, TUESDAY)
    await accept(world, other, (await waiting(world))[me], TUESDAY)
    await propose(world, other, WEDNESDAY)
    row, view = (await waiting(world))[other], await match(world)
    await world.db.write(
        reporting.report, Order(actor=world.player(me), now=world.now), match=view.match.id, result="won"
    )
    assert await waiting(world) == {}
    assert await due(world, "time-reminder") == await due(world, "times") == []
    with pytest.raises(WrongPhase, match="There's no time to agree on"):
        await accept(world, me, row, WEDNESDAY)
    await world.db.write(clearing.clear, Order(actor=MODERATOR, now=world.now), match=view.match.id, reason="a slip")
    assert len(await due(world, "time-reminder")) == 2
    await world.db.write(
        decisions.decide,
        Order(actor=MODERATOR, now=world.now),
        match=view.match.id,
        outcome=Outcome.UPPER,
        reason="seen",
    )
    assert await due(world, "time-reminder") == []


async def test_a_match_paired_by_hand_or_undone_forgets_its_times(world: World) -> None:
    await world.begin(4)
    me, other = await players(world)
    await propose(world, me, TUESDAY)
    await accept(world, other, (await waiting(world))[me], TUESDAY)
    third = next(name for name in world.players if name not in (me, other))
    lead: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(swapping.swap, db=world.db, **lead, first=other, second=third)
    assert (await match(world)).match.agreed_at is None
    assert await due(world, "time-reminder") == await due(world, "agreed") == []
    await propose(world, me, TUESDAY)
    view = await match(world)
    await do(rounds_by_hand.undo, db=world.db, **lead)
    with pytest.raises(NotFound, match="its round was undone"):
        await world.db.read(proposing.offer, Order(actor=world.player(me), now=world.now), match=view.match.id)


async def test_a_live_event_has_no_times_to_agree_on(world: World) -> None:
    await world.begin(4, pace="live")
    view = await match(world)
    with pytest.raises(WrongPhase, match="played live"):
        await world.db.read(proposing.offer, Order(actor=world.player("dok"), now=world.now), match=view.match.id)
    with pytest.raises(WrongPhase, match="played live"):
        await world.db.read(timetable.timetable, Order(actor=STRANGER, now=world.now, league_id=world.league_id))


async def test_a_zone_is_said_once_for_all_leagues_and_the_audit_log_keeps_it_private(world: World) -> None:
    who: Any = {"actor": world.player("dok"), "league_id": world.league_id}
    await do(own_zone.say, db=world.db, **who, now=world.now, time_zone="Europe/Berlin", hours="fri 18-22")
    found = await see(own_zone.own, db=world.db, **who)
    assert (found.zone and found.zone.key, found.hours) == ("Europe/Berlin", "Fri 18:00\N{EN DASH}22:00")
    assert all("Berlin" not in f"{row.before} {row.after} {row.subject}" for row in await world.audit())


@pytest.mark.long
async def test_every_format_and_stage_lets_its_players_agree(world: World) -> None:
    for format_ in ALL:
        finals = {"cut": 2} if format_.fixed_rounds else {}  # everyone meets everyone, and usually that is all
        await world.begin(12, format=format_.key, **finals)
        stages = set[str]()
        while (await world.status()).season.phase in ("running", "finals"):
            view = next(one for one in await open_matches(world))
            stages.add(view.round.stage)
            actor = world.player(view.upper.name)
            start = world.now + timedelta(hours=2)
            await world.db.write(
                proposing.propose, Order(actor=actor, now=world.now), match=view.match.id, chosen=[start]
            )
            await world.play_round()
        assert "finals" in stages


async def open_matches(world: World) -> tuple[MatchView, ...]:
    found = await world.db.read(timetable.timetable, Order(actor=STRANGER, now=world.now, league_id=world.league_id))
    return tuple(one.match for one in found.silent)


async def test_the_same_times_again_change_nothing_and_mention_nobody_twice(world: World) -> None:
    await world.begin(4)
    me, other = await players(world)
    await propose(world, me, TUESDAY, WEDNESDAY)
    await world.announce()
    before, row = len(await world.audit()), (await waiting(world))[me]
    again = await propose(world, me, WEDNESDAY, TUESDAY)
    assert (again.starts, again.opponent.name) == ((TUESDAY, WEDNESDAY), other)
    assert await world.announce() == []
    assert ((await waiting(world))[me], len(await world.audit())) == (row, before)


async def test_the_same_times_again_still_decline_what_the_opponent_proposed_meanwhile(world: World) -> None:
    await world.begin(4)
    me, other = await players(world)
    await propose(world, me, TUESDAY)
    await propose(world, other, WEDNESDAY)
    await propose(world, me, TUESDAY, declines=(await waiting(world))[other].id)
    assert list(await waiting(world)) == [me]


async def test_a_reminder_is_not_sent_directly_to_someone_who_turned_them_off_meanwhile(world: World) -> None:
    await world.begin(4)
    me, other = await players(world)
    who: Any = {"actor": world.player(me), "now": world.now, "league_id": world.league_id, "topic": Topic.TIME}
    await do(notifying.choose, db=world.db, **who, how=How.DIRECT)
    await propose(world, me, TUESDAY)
    await accept(world, other, (await waiting(world))[me], TUESDAY)
    await do(notifying.choose, db=world.db, **who, how=How.OFF)
    await world.announce()
    world.now = TUESDAY - timedelta(hours=24)
    told_now = [one.mention.people or (one.row.person_id,) for one in await world.announce()]
    assert told_now == [(world.player(other).user_id,)]
