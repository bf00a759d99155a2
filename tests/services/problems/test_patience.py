"""Players who haven't begun where all matches are open: asked once, then on the moderators' list, never punished."""

from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import Conflict, NotAllowed
from bot.services.base.order import Order
from bot.services.organising import rounds_by_hand
from bot.services.people import forgetting
from bot.services.play import reporting
from bot.services.problems import patience
from bot.services.problems.patience import FIRST_MATCH, IDLE
from bot.services.reads import inbox
from bot.services.seasons import pausing
from bot.services.times import accepting, proposing
from storage.tables import times
from storage.tables.field import first_matches
from storage.tables.field.first_matches import FirstMatchRow
from tests.files import look_into
from tests.services.conftest import MODERATOR, ORGANISER, World
from tests.services.people.test_moving_up import move_to_a_new_account
from tests.services.play.test_open_rounds import begin, open_of


async def begun(world: World, **settings: Any) -> None:
    await begin(world, **{"first_match_days": 7, **settings})
    await world.announce()


async def tick(world: World, **passed: float) -> list[str]:
    """Let time pass; return the kinds of the new messages about who hasn't begun."""
    world.later(**passed)
    await steps.tick(world.db, world.now)
    made = await world.announce()
    return [post.row.kind for post in made if post.row.kind in (FIRST_MATCH, IDLE)]


async def rows(world: World) -> tuple[FirstMatchRow, ...]:
    season_id = (await world.status()).season.id
    with look_into(world.db) as conn:
        return first_matches.of_season(conn, season_id)


def by(world: World, name: str | None = None) -> Order:
    actor = ORGANISER if name is None else world.player(name)
    return Order(actor=actor, now=world.now, league_id=world.league_id)


async def listed(world: World) -> list[str]:
    found = await world.db.read(inbox.inbox, Order(actor=MODERATOR, now=world.now, league_id=world.league_id))
    return sorted(idle.player.called for idle in dict(found.rows("not_begun") or {}).values())


async def report(world: World, name: str) -> str:
    """Let a player report a win; return the opponent."""
    view = (await open_of(world, name))[0]
    await world.db.write(reporting.report, by(world, name), match=view.match.id, result="won")
    return view.upper.name if view.lower.name == name else view.lower.name


@pytest.mark.long
async def test_who_has_not_begun_is_asked_once_in_one_message(world: World) -> None:
    await begun(world)
    assert await tick(world, days=6, hours=23) == []
    await report(world, "dok")
    assert await tick(world, hours=2) == [FIRST_MATCH]
    assert len(await rows(world)) == 8
    assert FIRST_MATCH not in await tick(world, days=5)


@pytest.mark.long
async def test_without_the_setting_nobody_is_asked(world: World) -> None:
    await begin(world)
    assert await tick(world, days=20) == []


@pytest.mark.long
async def test_moderators_are_told_once_and_nothing_is_decided(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    before = await open_of(world, "dok")
    assert await listed(world) == []
    assert await tick(world, hours=25) == [IDLE]
    assert len(await listed(world)) == 10
    assert await tick(world, days=3) == []
    assert await open_of(world, "dok") == before


@pytest.mark.long
async def test_a_question_that_was_not_sent_has_no_end(world: World) -> None:
    await begun(world)
    world.later(days=7, minutes=1)
    await steps.tick(world.db, world.now)
    world.later(days=5)
    await steps.tick(world.db, world.now)
    assert {row.until for row in await rows(world)} == {None}
    assert await listed(world) == []


@pytest.mark.long
async def test_a_late_answer_takes_both_players_off_the_list(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    await tick(world, hours=25)
    opponent = await report(world, "dok")
    assert {"dok", opponent}.isdisjoint(await listed(world))
    assert len(await listed(world)) == 8


@pytest.mark.long
async def test_proposed_times_and_an_agreed_one_are_an_answer(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    view = (await open_of(world, "dok"))[0]
    starts = [world.now + timedelta(days=2)]
    zone: Any = {"match": view.match.id}
    await world.db.write(proposing.propose, by(world, "dok"), **zone, chosen=starts)
    await tick(world, hours=25)
    assert "dok" not in await listed(world)
    other = view.upper.name if view.lower.name == "dok" else view.lower.name
    assert other in await listed(world)
    with look_into(world.db) as conn:
        (proposal,) = times.waiting_proposals(conn, [view.match.id])
    await world.db.write(accepting.accept, by(world, other), **zone, proposal=proposal.id, start=proposal.moments[0])
    assert other not in await listed(world)


@pytest.mark.long
async def test_who_leaves_is_off_the_list_and_so_is_who_moderators_let_be(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    await tick(world, hours=25)
    await world.drop("dok")
    assert "dok" not in await listed(world)
    row = (await rows(world))[-1]
    order = Order(actor=MODERATOR, now=world.now)
    player = await world.db.write(patience.let_be, order, question=row.id)
    assert player.called not in await listed(world)
    with pytest.raises(Conflict, match="settled"):
        await world.db.write(patience.let_be, order, question=row.id)
    with pytest.raises(NotAllowed):
        await world.db.write(patience.let_be, by(world, "Xorlof"), question=(await rows(world))[1].id)


@pytest.mark.long
async def test_a_pause_moves_both_moments(world: World) -> None:
    await begun(world)
    await tick(world, days=6)
    await world.db.write(pausing.pause, by(world), until=world.now + timedelta(days=3))
    assert await tick(world, days=2) == []
    assert await tick(world, days=1, hours=1) == []
    assert await tick(world, hours=24) == [FIRST_MATCH]


@pytest.mark.long
async def test_a_stage_that_is_taken_back_asks_again(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    await world.db.write(rounds_by_hand.undo, by(world))
    assert await rows(world) == ()
    await world.db.write(rounds_by_hand.post, by(world))
    assert await tick(world, days=6) == []
    assert await tick(world, days=1, minutes=1) == [FIRST_MATCH]


@pytest.mark.long
async def test_a_new_account_is_asked_again_with_the_whole_time(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    await move_to_a_new_account(world, "dok")
    (found,) = [made for made in await world.announce() if made.row.kind == FIRST_MATCH]
    assert found.mention.people == (7777,)


@pytest.mark.long
async def test_who_is_forgotten_was_never_asked(world: World) -> None:
    await begun(world)
    await tick(world, days=7, minutes=1)
    count = len(await rows(world))
    await world.db.write(forgetting.forget, by(world), player="dok", agreed=None)
    assert len(await rows(world)) == count - 1
    await tick(world, hours=25)
    assert len(await listed(world)) == count - 1


@pytest.mark.long
async def test_who_has_not_begun_by_the_deadline_is_listed_once_with_their_overdue_matches(world: World) -> None:
    await begun(world, overdue="moderators")
    await tick(world, days=7, minutes=1)
    await tick(world, hours=25)
    assert len(await listed(world)) == 10
    await tick(world, days=100)
    found = await world.db.read(inbox.inbox, Order(actor=MODERATOR, now=world.now, league_id=world.league_id))
    assert [section.heading for section in found.sections if section.lines] == ["Overdue"]


@pytest.mark.long
async def test_the_deadline_ends_the_asking(world: World) -> None:
    await begun(world, first_match_days=30, round_days=2)
    assert await tick(world, days=31) == []


async def test_the_setting_is_for_rounds_that_are_all_open(world: World) -> None:
    with pytest.raises(Conflict, match="First match is for seasons"):
        await world.create("round-robin", first_match_days=7)
