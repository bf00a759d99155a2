"""What organisers see of divisions before a season starts: who would be where, as the sign-ups are now."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from bot.league.formats import by_key
from bot.league.season.model import Name
from bot.services.base.order import Order
from bot.services.leagues import exporting
from bot.services.people import banning, forgetting
from bot.services.seasons import lifecycle, planning, plans
from bot.services.seasons.division_plan import DivisionPlan
from tests.files import do, see
from tests.services.conftest import ADMIN, World
from tests.services.leagues.test_kept_apart import exported, imported
from tests.services.leagues.test_whole_league import a_league, bring, out
from tests.services.seasons.test_divisions import IN_THREE, opened, played, record, who


async def planned(world: World) -> DivisionPlan:
    plan = await see(plans.plan, **who(world))
    assert plan.divisions is not None
    return plan.divisions


async def in_words(world: World) -> list[tuple[list[tuple[str, list[Name]]], int]]:
    return [(list(division.moving()), division.newcomers) for division in (await planned(world)).divisions]


async def prepare(world: World, **given: Any) -> None:
    await do(planning.prepare, **who(world), format="round-robin", **given)


def named(ladder: Sequence[str], *at: int) -> list[str]:
    return [ladder[place] for place in at]


@pytest.mark.long
async def test_the_plan_is_true_while_people_join_and_leave(world: World) -> None:
    ladder = await played(world)
    await prepare(world, copy_from=1)
    assert (await planned(world)).words == "By the ladder of season 1, if all its 12 players come back:"
    assert await in_words(world) == [
        ([("up", named(ladder, 2, 3)), ("stay", named(ladder, 0, 1))], 0),
        ([("up", named(ladder, 6, 7)), ("down", named(ladder, 4, 5))], 0),
        ([("stay", named(ladder, 10, 11)), ("down", named(ladder, 8, 9))], 0),
    ]
    await do(planning.open_signups, **who(world))
    await world.sign_up("Newcomer", *ladder[1:])
    assert (await planned(world)).words == "By the ladder of season 1: 11 of its players so far, and 1 new."
    assert await in_words(world) == [
        ([("up", named(ladder, 2, 3)), ("stay", named(ladder, 1, 4))], 0),
        ([("up", named(ladder, 6, 7)), ("stay", named(ladder, 8)), ("down", named(ladder, 5))], 0),
        ([("stay", named(ladder, 10, 11)), ("down", named(ladder, 9))], 1),
    ]
    await world.drop(ladder[11])
    first, second, third = (await planned(world)).divisions
    assert (first.players, second.players, third.players, third.newcomers) == (4, 4, 3, 1)


@pytest.mark.long
async def test_newcomers_are_named_only_where_no_draw_is_to_come(world: World) -> None:
    ladder = await played(world)
    await opened(world)
    await world.sign_up(*ladder[:6], "Newcomer", "Other")
    assert {*(await planned(world)).newcomers} == {"Newcomer", "Other"}
    await do(planning.change_settings, **who(world), settings={"salt": "sealed"})
    assert (await planned(world)).newcomers == ()
    assert [division.newcomers for division in (await planned(world)).divisions] == [0, 2]


@pytest.mark.long
async def test_banned_and_forgotten_people_are_not_in_the_next_ladder(world: World) -> None:
    ladder = await played(world)
    await do(banning.ban, **who(world), player=ladder[0], reason="cheated")
    await do(forgetting.forget, **who(world), player=ladder[5])
    await prepare(world, copy_from=1)
    assert (await planned(world)).words == "By the ladder of season 1, if all its 10 players come back:"
    names = [name for moving, _ in await in_words(world) for _, some in moving for name in some]
    assert {*names} == {*ladder} - {ladder[0], ladder[5]}


async def test_without_a_ladder_the_plan_says_why(world: World) -> None:
    await world.begin(8)
    await prepare(world, copy_from=1)
    await do(planning.change_settings, **who(world), settings=IN_THREE)
    assert (await planned(world)).words == "The ladder comes when season 1 is over."
    await world.play_out()
    assert (await planned(world)).words == "Season 1 left no ladder, so rating alone fills them."
    await do(planning.discard, **who(world))
    await prepare(world)
    await do(planning.change_settings, **who(world), settings=IN_THREE)
    assert (await planned(world)).words.startswith("Filled by rating alone. To begin with the last season's ladder")


@pytest.mark.long
async def test_a_season_that_has_started_has_no_plan(world: World) -> None:
    ladder = await played(world)
    await opened(world)
    await world.sign_up(*ladder)
    await world.start()
    assert (await see(plans.plan, **who(world))).divisions is None
    assert by_key("round-robin").kept_groups(await record(world))


async def plan_in(world: World, league_id: Any) -> DivisionPlan:
    plan = await world.db.read(plans.plan, Order(actor=ADMIN, now=world.now, league_id=league_id))
    assert plan.divisions is not None
    return plan.divisions


@pytest.mark.long
async def test_a_season_that_comes_in_without_the_one_before_goes_by_the_ladder_of_its_file(world: World) -> None:
    ladder = await played(world)
    await opened(world)
    await world.sign_up("Newcomer", *reversed(ladder[:9]))
    copy = await imported(world, json.loads(await exported(world, world.league_id)))
    plan = await plan_in(world, copy)
    assert plan.words == "By the ladder in the imported file: 9 of its players so far, and 1 new."
    planned_groups = [[name for name, _ in division.returning] for division in plan.divisions]
    assert planned_groups == [[*ladder[:4]], [*ladder[4:7]], [*ladder[7:9]]]
    assert [division.newcomers for division in plan.divisions] == [0, 0, 1]
    await world.db.write(lifecycle.start, Order(actor=ADMIN, now=world.now, league_id=copy))
    begun = json.loads(await exported(world, copy))
    assert begun["ladder"] == [*ladder[:9]]


@pytest.mark.long
async def test_the_ladder_of_a_season_in_sign_ups_follows_the_season_before_in_the_copy_of_a_league_too(
    world: World,
) -> None:
    ladder = await played(world)
    await opened(world)
    await world.sign_up("Newcomer", *reversed(ladder))
    copy = await a_league(world)
    await bring(world, {name: text.encode() for name, text in await out(world)}, copy)
    for league_id in (world.league_id, copy):
        order = Order(actor=ADMIN, now=world.now, league_id=league_id)
        await world.db.write(forgetting.forget, order, player=ladder[3])
        plan = await plan_in(world, league_id)
        assert plan.words == "By the ladder of season 1: 11 of its players so far, and 1 new."
        await world.db.write(lifecycle.start, order)
    ours, theirs = [
        (await world.db.read(exporting.export, Order(actor=ADMIN, now=world.now, league_id=league_id))).text
        for league_id in (world.league_id, copy)
    ]
    assert json.loads(theirs)["ladder"] == json.loads(ours)["ladder"]
    assert json.loads(theirs)["ladder"] == [name for name in ladder if name != ladder[3]]
