"""Whether players stay, where another person plays in their seat: asked of the one who plays on, answered or not."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.services.people import banning, forgetting
from bot.services.problems.stay_or_leave import STAYING, StayPost
from storage.query import records
from storage.tables.people.memberships import StayReason
from tests.files import do, look_into
from tests.services.conftest import ORGANISER, World
from tests.services.problems.test_stay_or_leave import asked, forfeit, keep, look
from tests.services.seats.test_seats import substitute


async def sent(world: World) -> list[StayPost]:
    return [made.post for made in await world.announce() if isinstance(made.post, StayPost)]


@pytest.mark.long
async def test_a_substitute_answers_for_matches_they_missed_themselves(world: World) -> None:
    await world.begin(8, no_show="forfeit", rounds=6)
    await forfeit(world, "dok")
    await world.play_round()
    await forfeit(world, "dok")
    (facts,) = await asked(world)
    await keep(world, facts)
    await substitute(world, "dok", "Uma")
    await world.play_round()
    await forfeit(world, "dok")
    await world.play_round()
    assert len(await asked(world)) == 1
    await forfeit(world, "dok")
    assert [one.player.called for one in await asked(world)][-1] == "Uma (for dok)"


async def absent(world: World) -> None:
    for _ in range(2):
        await world.play_round()
        await forfeit(world, "dok")


async def gone(world: World) -> None:
    await look(world, "dok", there=False)


@pytest.mark.long
@pytest.mark.parametrize("how", [absent, gone])
async def test_a_question_no_one_answered_ends_with_a_substitute_and_is_asked_again_when_they_are_taken_back(
    world: World, how: Callable[[World], Awaitable[None]]
) -> None:
    await world.begin(8, no_show="forfeit", rounds=6)
    await how(world)
    (before,) = await sent(world)
    await substitute(world, "dok", "Uma")
    await look(world, "dok", there=False)
    assert await sent(world) == [], "dok plays no round that is still to come"
    with look_into(world.db) as conn:
        assert list(records(conn, "SELECT removed, message_id FROM outbox WHERE kind = ?", STAYING)) == [(1, None)]
    await substitute(world, "dok", "dok")
    again = await sent(world)
    assert {facts.stay.reason for facts in again} == {before.stay.reason, StayReason.GONE}
    assert {facts.player.called for facts in again} == {"dok"}


@pytest.mark.parametrize("how", [absent, gone])
async def test_a_question_that_was_answered_is_not_asked_again_after_a_substitute(
    world: World, how: Callable[[World], Awaitable[None]]
) -> None:
    await world.begin(8, no_show="forfeit", rounds=6)
    await how(world)
    (facts,) = await asked(world)
    await keep(world, facts)
    await substitute(world, "dok", "Uma")
    await substitute(world, "dok", "dok")
    assert [one.stay.id for one in await asked(world)] == [facts.stay.id]


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("how", [absent, gone])
async def test_who_is_back_after_a_substitute_has_played_is_asked_about_again_unless_that_was_answered(
    world: World, how: Callable[[World], Awaitable[None]], answered: bool
) -> None:
    await world.begin(8, no_show="forfeit", rounds=6)
    await how(world)
    (before,) = await asked(world)
    if answered:
        await keep(world, before)
    await world.announce()
    await substitute(world, "dok", "Uma")
    await world.play_round()
    await substitute(world, "dok", "dok")
    assert await sent(world) == [], "Uma still plays this round"
    await world.play_round()
    again = await sent(world)
    expected = [] if answered else [("dok", before.stay.reason)]
    assert [(facts.player.called, facts.stay.reason) for facts in again] == expected


async def ban(world: World, name: str) -> None:
    await do(banning.ban, **by_organiser(world), player=name, reason="cheated")


async def forget(world: World, name: str) -> None:
    await do(forgetting.forget, **by_organiser(world), player=name)


def by_organiser(world: World) -> dict[str, Any]:
    return {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}


@pytest.mark.parametrize("fall_away", [ban, forget])
@pytest.mark.parametrize("how", [absent, gone])
async def test_a_question_that_ended_with_a_substitute_is_asked_again_when_they_fall_away_before_the_next_round(
    world: World,
    how: Callable[[World], Awaitable[None]],
    fall_away: Callable[[World, str], Awaitable[None]],
) -> None:
    await world.begin(8, no_show="forfeit", rounds=6)
    await how(world)
    (before,) = await sent(world)
    await substitute(world, "dok", "Uma")
    await fall_away(world, "Uma")
    (again,) = await sent(world)
    assert (again.player.called, again.stay.reason) == ("dok", before.stay.reason)
