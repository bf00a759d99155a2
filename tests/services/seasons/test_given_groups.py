"""Groups of a round robin that an organiser gives before the start, and what a season in groups can't be."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bot.league.checking.league_file import reading
from bot.league.errors import Conflict, Invalid, NotAllowed, NotFound, WrongPhase
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.permissions import Actor
from bot.services.leagues import exporting
from bot.services.seasons import given_groups, lifecycle, planning
from bot.services.seasons.given_groups import GivenGroups
from bot.services.signups import signing_up
from bot.services.times import own_zone
from storage import rules_season
from tests.files import do, see
from tests.services.conftest import MODERATOR, NAMES, ORGANISER, World


def who(world: World, actor: Actor = ORGANISER) -> Mapping[str, Any]:
    return {"db": world.db, "actor": actor, "now": world.now, "league_id": world.league_id}


async def given(world: World, players: int, **settings: Any) -> None:
    """Open a season whose groups are given, and let players join."""
    await world.create("round-robin", grouping="given", **settings)
    await world.sign_up(*NAMES[:players])


async def choose(world: World, **settings: Any) -> None:
    await do(planning.change_settings, **who(world), settings=settings)


async def assign(world: World, *groups: Sequence[str], without: Sequence[str] = (), actor: Actor = ORGANISER) -> Any:
    by_number = {number: names for number, names in enumerate(groups, start=1) if names}
    return await do(given_groups.assign, **who(world, actor), groups=by_number, without=without)


async def listed(world: World, actor: Actor = ORGANISER) -> list[list[str]]:
    """Return who is in each group, at last who has none."""
    found: GivenGroups = await see(given_groups.listed, **who(world, actor))
    return [[row.name for row in group] for group in (*found.groups, found.without)]


async def played_in(world: World) -> list[set[str]]:
    """Return the groups of a season that has started."""
    groups: dict[int | None, set[str]] = {}
    season = (await world.status()).season
    for entrant in (await world.db.read(rules_season.load, season.id)).entrants:
        groups.setdefault(entrant.group, set()).add(entrant.name)
    return [groups[number] for number in sorted(groups, key=lambda number: number or 0)]


async def test_groups_are_given_and_played_in(world: World) -> None:
    await given(world, 7)
    await assign(world, NAMES[:3], NAMES[3:7])
    assert await listed(world) == [[*NAMES[:3]], [*NAMES[3:7]], []]
    await do(given_groups.exchange, **who(world), first="dok", second="ann")
    await world.start()
    assert await played_in(world) == [{"Ann", "Xorlof", "Zoë"}, {"Kinseth", "dok", "Bo", "Cy"}]
    for attempt in (listed(world), assign(world, NAMES[:3])):
        with pytest.raises(WrongPhase, match="has started, so its groups are fixed"):
            await attempt


async def test_who_has_no_group_at_the_start_joins_the_smallest_the_first_among_equals(world: World) -> None:
    await given(world, 9)
    await assign(world, NAMES[:2], NAMES[2:5], NAMES[5:7])
    with pytest.raises(ConfirmationNeeded, match=r"Without a group: Dee, Eve\. They join the smallest groups\."):
        await do(lifecycle.start, **who(world), agreed="")
    await world.start()
    assert await played_in(world) == [{"dok", "Xorlof", "Dee"}, {*NAMES[2:5]}, {"Bo", "Cy", "Eve"}]


async def test_a_group_whose_players_all_withdrew_leaves_no_gap(world: World) -> None:
    await given(world, 6)
    await assign(world, NAMES[:2], NAMES[2:4], NAMES[4:6])
    for name in NAMES[2:4]:
        await world.drop(name)
    await world.start()
    assert await played_in(world) == [{*NAMES[:2]}, {*NAMES[4:6]}]


async def test_a_season_without_groups_or_with_a_group_of_one_does_not_start(world: World) -> None:
    await given(world, 4)
    with pytest.raises(Conflict, match=r"No groups are set yet\. Press Groups"):
        await world.start()
    await assign(world, NAMES[:3], NAMES[3:4])
    with pytest.raises(Conflict, match="Group B has one player, and a group needs two or more"):
        await world.start()
    assert await listed(world) == [[*NAMES[:3]], [NAMES[3]], []]
    await assign(world, (), NAMES[1:2])
    await world.start()


async def test_numbers_have_no_gaps_and_each_name_comes_once(world: World) -> None:
    await given(world, 4)
    with pytest.raises(Invalid, match="There's a group C but no group B"):
        await assign(world, NAMES[:2], (), NAMES[2:4])
    with pytest.raises(Invalid, match="dok is in the list twice"):
        await assign(world, ["dok", "Xorlof"], ["DOK"])
    with pytest.raises(NotFound, match="Nobody"):
        await assign(world, ["Nobody"])
    assert await listed(world) == [[*NAMES[:4]]]
    await assign(world, NAMES[:2], NAMES[2:4])
    await assign(world, without=["dok"])
    assert await listed(world) == [["Xorlof"], [*NAMES[2:4]], ["dok"]]


async def test_groups_are_filled_in_the_order_of_time_zones(world: World) -> None:
    await given(world, 8, group_size=3)
    zones = {
        "dok": "Asia/Tokyo",
        "Xorlof": "America/New_York",
        "Zoë": "Europe/Berlin",
        "Kinseth": "America/Chicago",
        "Ann": "Europe/Paris",
        "Bo": "Asia/Seoul",
    }
    for name, zone in zones.items():
        await do(own_zone.say, **who(world, world.player(name)), time_zone=zone)
    await do(given_groups.fill, **who(world), agreed="")
    assert await listed(world) == [["Xorlof", "Kinseth", "Cy"], ["Zoë", "Ann", "Dee"], ["dok", "Bo"], []]
    with pytest.raises(ConfirmationNeeded, match="8 players already have a group"):
        await do(given_groups.fill, **who(world), agreed="")


async def test_groups_of_no_size_are_not_filled(world: World) -> None:
    await given(world, 8)
    with pytest.raises(Conflict, match="How large should groups be"):
        await do(given_groups.fill, **who(world), agreed="")


async def test_two_of_one_group_change_nothing(world: World) -> None:
    await given(world, 4)
    with pytest.raises(Conflict, match="both have no group yet"):
        await do(given_groups.exchange, **who(world), first="dok", second="Zoë")
    await assign(world, NAMES[:2], NAMES[2:4])
    with pytest.raises(Conflict, match="both are in group A"):
        await do(given_groups.exchange, **who(world), first="dok", second="Xorlof")


async def test_only_organisers_see_and_give_groups_and_only_where_they_are_given(world: World) -> None:
    await given(world, 4)
    for attempt in (listed(world, MODERATOR), assign(world, NAMES[:2], actor=MODERATOR)):
        with pytest.raises(NotAllowed):
            await attempt


async def test_drawn_groups_are_not_given(world: World) -> None:
    await world.create("round-robin", group_size=3)
    await world.sign_up(*NAMES[:4])
    with pytest.raises(WrongPhase, match="Choose Groups: by groups you give"):
        await assign(world, NAMES[:2], NAMES[2:4])


async def test_two_players_are_too_few(world: World) -> None:
    await world.create("round-robin")
    await world.sign_up(*NAMES[:2])
    with pytest.raises(Conflict, match="needs at least 3 players and has 2"):
        await world.start()


@pytest.mark.parametrize("players", [0, 1, 2, 3])
async def test_a_season_in_sign_ups_leaves_as_a_file_that_can_be_read(world: World, players: int) -> None:
    await given(world, players)
    if players:
        await assign(world, NAMES[:1])
    file = await see(exporting.export, **who(world))
    assert [entrant.group for entrant in reading.read(file.text.encode()).entrants] == [1, None, None][:players]


async def test_the_sign_up_that_would_take_more_than_fifty_rounds_is_refused(world: World) -> None:
    await world.create("round-robin", meetings=2)
    people = [f"p{number}" for number in range(26)]
    await world.sign_up(*people)
    with pytest.raises(Conflict, match=r"full: with one more player it would take 54 rounds\. Ask an organiser"):
        await world.sign_up("late")
    assert len((await world.status()).entrants) == 26
    with pytest.raises(Conflict, match=r"full: with one more .* Make the groups smaller with Group size"):
        await do(signing_up.add, **who(world), discord_id=7, display_name="late")
    await choose(world, group_size=13)
    await world.sign_up("late")


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        ({"group_size": 2}, "Group size: 2 isn't possible"),
        ({"cut": 65}, "Finals: 65 isn't possible"),
        ({"through": 0}, "Into finals: 0 isn't possible"),
        ({"tiebreaks": ["wins", "wins"]}, "Tie-breaks: wins is here twice"),
    ],
)
async def test_a_value_that_is_not_possible_is_refused_in_a_sentence(
    world: World, settings: dict[str, Any], wrong: str
) -> None:
    await world.create("round-robin")
    with pytest.raises(Invalid, match=wrong):
        await choose(world, **settings)
    assert not (await world.status()).season.settings


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        ({"cut": 1}, "one player doesn't make finals"),
        ({"cut": 4, "through": 2}, "the finals are set twice"),
        ({"through": 1}, "The first of one group doesn't make finals"),
        ({"max_players": 52}, "This takes 51 rounds, and 50 are the most"),
    ],
)
async def test_settings_that_do_not_fit_together_keep_sign_ups_closed(
    world: World, settings: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(Conflict, match=wrong):
        await world.create("round-robin", **settings)


async def test_the_first_of_one_group_cannot_be_chosen_once_sign_ups_are_open(world: World) -> None:
    await world.create("round-robin")
    with pytest.raises(Conflict, match="The first of one group doesn't make finals"):
        await choose(world, through=1)
    await choose(world, group_size=3)
    await choose(world, through=1)


@pytest.mark.long
async def test_the_best_64_of_many_groups_are_told_at_the_start(world: World) -> None:
    await world.create("round-robin", group_size=3, through=2)
    await world.sign_up(*(f"p{number:03}" for number in range(99)))
    await world.start()
    assert any("the best 64 of them go on" in text for text in await world.notices())


async def test_groups_that_were_given_count_for_nothing_once_groups_are_drawn(world: World) -> None:
    await given(world, 6)
    await assign(world, NAMES[:2], NAMES[2:6])
    await choose(world, grouping=None, group_size=3)
    await world.start()
    season = await world.db.read(rules_season.load, (await world.status()).season.id)
    assert {entrant.group for entrant in season.entrants} == {None}


async def test_groups_that_were_given_count_for_nothing_in_another_format(world: World) -> None:
    await given(world, 6)
    await assign(world, NAMES[:2], NAMES[2:6])
    await do(planning.change_settings, **who(world), format="ohs")
    await world.start()
