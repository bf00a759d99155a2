"""A seat taken over from the finals on, after rounds played at once were undone and are more or fewer now."""

import json
from collections.abc import Awaitable, Callable

import pytest

from bot.league.season.choices import Grouping
from bot.services.organising import rounds_by_hand
from bot.services.people import rejoining
from bot.services.seasons import given_groups
from tests.files import do
from tests.services.conftest import NAMES, World
from tests.services.leagues.test_kept_apart import exported
from tests.services.play.test_round_robin import file_of
from tests.services.seasons.test_given_groups import assign, who
from tests.services.seasons.test_groups_until_round_1 import require_whole
from tests.services.seats.test_seats import substitute

SEAT, SUBSTITUTE = NAMES[0], "Uma"


async def taken_over(world: World, grouping: Grouping = Grouping.DRAWN) -> None:
    """Post the three rounds of two groups of four at once, and let someone take over a seat from the finals on."""
    await world.create("round-robin", group_size=5, through=2, schedule="open", grouping=grouping)
    await world.sign_up(*NAMES[:8])
    if grouping is Grouping.GIVEN:
        await assign(world, NAMES[:4], NAMES[4:8])
    await world.start()
    taken = await substitute(world, SEAT, SUBSTITUTE)
    assert taken.when == "the finals"


async def undo(world: World) -> None:
    await do(rounds_by_hand.undo, **who(world))


async def begins_in(world: World) -> list[tuple[str, str, int]]:
    """Return the substitutes of the season's file, each with the seat and the first round."""
    file = json.loads(await exported(world, world.league_id))
    return [(row["seat"], row["player"], row["round"]) for row in file["substitutes"]]


async def joined(world: World) -> None:
    await undo(world)
    await world.sign_up(NAMES[8])


async def left(world: World) -> None:
    await joined(world)
    await world.drop(NAMES[1])


async def reinstated(world: World) -> None:
    await left(world)
    await do(rejoining.reinstate, **who(world), player=NAMES[1], reason="a mistake")


async def regrouped(world: World) -> None:
    await undo(world)
    await assign(world, NAMES[:2], NAMES[2:8])


async def exchanged(world: World) -> None:
    await regrouped(world)
    await assign(world, NAMES[:3], NAMES[3:8])
    await do(given_groups.exchange, **who(world), first=NAMES[0], second=NAMES[7])


async def impossible_in_between(world: World) -> None:
    await undo(world)
    for name in NAMES[1:7]:
        await world.drop(name)
    for name in NAMES[1:3]:
        await do(rejoining.reinstate, **who(world), player=name, reason="a mistake")


CHANGES: tuple[tuple[Callable[[World], Awaitable[None]], Grouping, int], ...] = (
    (undo, Grouping.DRAWN, 3),
    (joined, Grouping.DRAWN, 5),
    (left, Grouping.DRAWN, 3),
    (reinstated, Grouping.DRAWN, 5),
    (impossible_in_between, Grouping.DRAWN, 3),
    (joined, Grouping.GIVEN, 5),
    (regrouped, Grouping.GIVEN, 5),
    (exchanged, Grouping.GIVEN, 5),
)


@pytest.mark.parametrize(("change", "grouping", "planned"), CHANGES)
async def test_a_substitute_still_begins_after_all_rounds_that_are_played_at_once(
    world: World, change: Callable[[World], Awaitable[None]], grouping: Grouping, planned: int
) -> None:
    await taken_over(world, grouping)
    await change(world)
    assert await begins_in(world) == [(SEAT, SUBSTITUTE, planned + 1)]
    await do(rounds_by_hand.post, **who(world))
    assert len((await file_of(world)).rounds) == planned
    assert await begins_in(world) == [(SEAT, SUBSTITUTE, planned + 1)]
    await require_whole(world)
