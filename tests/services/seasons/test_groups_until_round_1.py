"""Groups that are given can change until round 1 is posted, also where it was undone because a group got too small."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from bot.league.checking.verify import verify
from bot.league.errors import Conflict, PairingImpossible, WrongPhase
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.organising import rounds_by_hand
from bot.services.people import forgetting, rejoining
from bot.services.reads import pairings
from bot.services.seasons import given_groups, plans
from bot.services.times import own_zone
from tests.checker.engines import answered, difference
from tests.files import do, see
from tests.services.conftest import NAMES, World
from tests.services.leagues.test_kept_apart import exported, imported
from tests.services.play.test_round_robin import file_of
from tests.services.seasons.test_given_groups import assign, choose, given, listed, played_in, who

ONE = "Group B has one player, and a group needs two or more. Put someone else into it with Groups under"


async def undone(world: World, *groups: Sequence[str], left: Sequence[str] = (), **settings: Any) -> None:
    """Start a season with these groups and undo round 1; then some leave."""
    await given(world, sum(map(len, groups)), **settings)
    await assign(world, *groups)
    await world.start()
    await do(rounds_by_hand.undo, **who(world))
    for name in left:
        await world.drop(name)


async def post(world: World) -> Any:
    return await do(rounds_by_hand.post, **who(world))


async def preview(world: World) -> Any:
    return await do(rounds_by_hand.preview, **who(world))


async def gives_groups(world: World) -> bool:
    return (await see(plans.plan, **who(world))).gives_groups


async def require_whole(world: World) -> None:
    """Fail unless both engines agree on the season's file, and another league can take it in."""
    text = await exported(world, world.league_id)
    assert verify(await file_of(world)).agrees
    assert difference(text, answered([text])[0]) is None
    assert await imported(world, json.loads(text))


async def groups_now(world: World) -> list[set[str]]:
    """Return the groups of those who still play."""
    left = {row.name for row in (await world.status()).entrants if not row.active}
    return [names for group in await played_in(world) if (names := group - left)]


@pytest.mark.long
async def test_a_group_that_is_left_with_one_player_is_put_right_and_round_1_posted_again(world: World) -> None:
    await undone(world, NAMES[:3], NAMES[3:6], left=NAMES[4:6])
    assert any(ONE in text and "then run /round post" in text for text in await world.notices())
    for attempt in (post, preview):
        with pytest.raises(PairingImpossible, match=ONE):
            await attempt(world)
    assert await listed(world) == [[*NAMES[:3]], [NAMES[3]], []]
    assert await gives_groups(world)
    await assign(world, NAMES[:2], NAMES[2:4])
    assert next(row.subject for row in await world.audit() if row.action == "entrant.group") == NAMES[2]
    await post(world)
    assert await groups_now(world) == [{*NAMES[:2]}, {*NAMES[2:4]}]
    assert not await gives_groups(world)
    await world.play_out()
    await require_whole(world)


async def test_who_leaves_while_round_1_is_undone_has_no_results_to_lose(world: World) -> None:
    await undone(world, NAMES[:3], NAMES[3:6])
    with pytest.raises(ConfirmationNeeded) as asked:
        await world.drop(NAMES[5], agreed="")
    assert "are lost" not in asked.value.cost
    await world.drop(NAMES[5])
    assert f"{NAMES[5]} has left season 1." in await world.notices()


@pytest.mark.long
async def test_a_group_everyone_has_left_is_given_up_and_the_next_has_its_number(world: World) -> None:
    await undone(world, NAMES[:2], NAMES[2:4], NAMES[4:7], left=NAMES[2:4])
    assert await listed(world) == [[*NAMES[:2]], [*NAMES[4:7]], []]
    await post(world)
    view = await see(pairings.why, **who(world), player=NAMES[4])
    assert "of group B" in view.in_short
    assert "An organiser chose the groups." in view.sentences
    await require_whole(world)


@pytest.mark.long
async def test_two_change_places_and_the_preview_is_paired_again(world: World) -> None:
    await undone(world, NAMES[:3], NAMES[3:6])
    await preview(world)
    await do(given_groups.exchange, **who(world), first=NAMES[0], second=NAMES[3])
    assert any("Groups changed, so the preview of round 1 was paired again." in text for text in await world.notices())
    await post(world)
    assert await groups_now(world) == [{NAMES[3], *NAMES[1:3]}, {NAMES[0], *NAMES[4:6]}]
    await require_whole(world)


async def test_a_preview_that_groups_make_impossible_is_gone(world: World) -> None:
    await undone(world, NAMES[:3], NAMES[3:6])
    await preview(world)
    await assign(world, NAMES[:5], NAMES[5:6])
    assert any(ONE in text for text in await world.notices())
    with pytest.raises(PairingImpossible, match=ONE):
        await post(world)
    assert await listed(world) == [[*NAMES[:5]], [NAMES[5]], []]


@pytest.mark.long
async def test_groups_are_filled_again_by_time_zone_once_round_1_was_undone(world: World) -> None:
    await undone(world, NAMES[:3], NAMES[3:6], left=[NAMES[5]], group_size=3)
    zones = ("Asia/Tokyo", "Europe/Rome", "America/Lima", "Asia/Seoul", "Europe/Oslo")
    for name, zone in zip(NAMES[:5], zones, strict=True):
        await do(own_zone.say, **who(world, world.player(name)), time_zone=zone)
    with pytest.raises(ConfirmationNeeded, match="5 players already have a group"):
        await do(given_groups.fill, **who(world), agreed="")
    await do(given_groups.fill, **who(world))
    assert await listed(world) == [[NAMES[1], NAMES[2], NAMES[4]], [NAMES[0], NAMES[3]], []]
    await post(world)
    await require_whole(world)


@pytest.mark.long
async def test_who_joins_while_round_1_is_undone_comes_into_the_smallest_group(world: World) -> None:
    await undone(world, NAMES[:3], NAMES[3:6], left=[NAMES[5]])
    await world.sign_up(NAMES[6])
    assert await listed(world) == [[*NAMES[:3]], [*NAMES[3:5], NAMES[6]], []]
    await assign(world, without=[NAMES[0]])
    await post(world)
    assert {*NAMES[:3]} in await groups_now(world)
    await require_whole(world)


async def test_without_any_group_round_1_is_not_posted(world: World) -> None:
    await undone(world, NAMES[:3], NAMES[3:6])
    await assign(world, without=NAMES[:6])
    with pytest.raises(Conflict, match=r"No groups are set yet\. Press Groups under /season settings\.$"):
        await post(world)


async def test_who_is_put_back_is_in_their_group_again(world: World) -> None:
    await undone(world, NAMES[:3], NAMES[3:5], left=[NAMES[4]])
    await do(rejoining.reinstate, **who(world), player=NAMES[4], reason="a mistake")
    await post(world)
    assert await groups_now(world) == [{*NAMES[:3]}, {*NAMES[3:5]}]


async def test_groups_are_fixed_once_round_1_is_posted_and_the_way_to_change_them_is_said(world: World) -> None:
    await undone(world, NAMES[:3], NAMES[3:6])
    await post(world)
    with pytest.raises(WrongPhase, match="While round 1 has no result, /round undo takes it back"):
        await assign(world, NAMES[:2], NAMES[2:6])
    await world.play_round()
    with pytest.raises(WrongPhase, match=r"so its groups are fixed\.$"):
        await assign(world, NAMES[:2], NAMES[2:6])


@pytest.mark.long
async def test_a_stage_whose_rounds_are_all_open_has_other_groups_once_it_was_undone(world: World) -> None:
    await undone(world, NAMES[:3], NAMES[3:6], left=NAMES[4:6], schedule="open")
    with pytest.raises(PairingImpossible, match=ONE):
        await post(world)
    await assign(world, NAMES[:2], NAMES[2:4])
    await preview(world)
    await do(given_groups.exchange, **who(world), first=NAMES[0], second=NAMES[3])
    await post(world)
    assert await groups_now(world) == [{NAMES[3], NAMES[1]}, {NAMES[2], NAMES[0]}]
    await require_whole(world)


async def test_a_sealed_draw_stays_as_it_was_with_other_groups(world: World) -> None:
    await undone(world, NAMES[:3], NAMES[3:6], left=NAMES[4:6], salt="sealed")
    before = await file_of(world)
    await assign(world, NAMES[:2], NAMES[2:4])
    await post(world)
    after = await file_of(world)
    assert before.settings.salt is not None
    assert (after.settings.salt, after.sealed) == (before.settings.salt, before.sealed)
    await require_whole(world)


async def test_a_group_that_a_forgotten_player_leaves_is_put_right(world: World) -> None:
    await undone(world, NAMES[:3], NAMES[3:5])
    await do(forgetting.forget, **who(world), player=NAMES[4])
    with pytest.raises(PairingImpossible, match=ONE):
        await post(world)
    await assign(world, NAMES[:4])
    await post(world)
    await require_whole(world)


@pytest.mark.long
async def test_how_many_go_through_can_change_where_one_group_is_left_and_only_then(world: World) -> None:
    await world.create("round-robin", group_size=4, through=1)
    await world.sign_up(*NAMES[:8])
    await world.start()
    await do(rounds_by_hand.undo, **who(world))
    with pytest.raises(WrongPhase, match="through: fixed since season 1 started"):
        await choose(world, through=2)
    for name in NAMES[4:8]:
        await world.drop(name)
    with pytest.raises(PairingImpossible, match="1 of one group doesn't make finals; use 2 or more"):
        await post(world)
    assert (await see(plans.plan, **who(world))).in_the_way == {"through"}
    with pytest.raises(WrongPhase, match="group_size: fixed since season 1 started"):
        await choose(world, group_size=2)
    await choose(world, through=2)
    assert not (await see(plans.plan, **who(world))).in_the_way
    await post(world)
    await require_whole(world)
    with pytest.raises(WrongPhase, match="through: fixed"):
        await choose(world, through=3)
