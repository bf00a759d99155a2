"""Several leagues on one server: which one a person means where more than one could be meant."""

from typing import Any

import pytest

from bot import steps
from bot.league.errors import Invalid
from bot.services.base import find
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.leagues import exporting, set_up
from bot.services.matches import match_finding
from storage.rows import LeagueRow
from tests.files import change_by_hand, do, see
from tests.services.conftest import (
    ADMIN,
    CHANNEL,
    MODERATION,
    MODERATOR,
    MODERATOR_ROLE,
    NAMES,
    ORGANISER_ROLE,
    World,
    person,
)

CUP, ELSEWHERE = CHANNEL + 20, 1


async def weekend_cup(world: World, **more: Any) -> LeagueRow:
    roles = {"moderator_role_id": MODERATOR_ROLE, "organiser_role_id": ORGANISER_ROLE}
    given: Any = {"channel_id": CUP, "moderation_channel_id": MODERATION, **roles, **more}
    return await do(set_up.create, db=world.db, actor=ADMIN, now=world.now, name="Weekend Cup", **given)


async def meant(world: World, actor: Actor, channel_id: int) -> str:
    asked: Any = {"actor": actor, "now": world.now, "channel_id": channel_id, "name": None}
    return (await see(find.league_meant, db=world.db, **asked)).name


@pytest.mark.parametrize("channel_id", [MODERATION, ELSEWHERE])
async def test_a_moderator_of_two_leagues_who_plays_in_one_is_asked_which_they_mean(
    world: World, channel_id: int
) -> None:
    await weekend_cup(world)
    await world.create()
    await world.sign_up("dok")
    both = person(world.player("dok").user_id or 0, "dok", MODERATOR_ROLE)
    for actor in (both, MODERATOR):
        with pytest.raises(Invalid, match=r"Which league.*Online HeroScape, Weekend Cup"):
            await meant(world, actor, channel_id)
        assert await meant(world, actor, CUP) == "Weekend Cup"
    assert await meant(world, world.player("dok"), channel_id) == "Online HeroScape"


async def test_who_moderates_one_of_two_leagues_means_that_one(world: World) -> None:
    await weekend_cup(world, moderator_role_id=77)
    for channel_id in (MODERATION, ELSEWHERE):
        assert await meant(world, MODERATOR, channel_id) == "Online HeroScape"
        assert await meant(world, person(88, "other", 77), channel_id) == "Weekend Cup"


@pytest.mark.parametrize("settings", [{"max_players": 2}, {"approval": True}], ids=["waits", "asked to join"])
async def test_who_plays_in_one_league_and_waits_in_another_is_asked_which_they_mean(
    world: World, settings: dict[str, Any]
) -> None:
    cup = await weekend_cup(world)
    await world.create()
    await world.sign_up("dok")
    world.league, first = cup, world.league
    await world.create(**settings)
    await world.sign_up("Ann", "Bo", "dok")
    world.league = first
    assert await meant(world, world.player("Ann"), ELSEWHERE) == "Weekend Cup"
    with pytest.raises(Invalid, match="Which league"):
        await meant(world, world.player("dok"), ELSEWHERE)


async def test_times_for_an_opponent_in_two_leagues_are_for_the_match_of_the_channels_league(world: World) -> None:
    await world.begin(2)
    made = await see(exporting.export, db=world.db, actor=ADMIN, now=world.now, league_id=world.league_id)
    cup = await weekend_cup(world)
    await steps.import_file(world.db, Order(actor=ADMIN, now=world.now, league_id=cup.id), data=made.text.encode())
    one, other = (world.player(name).user_id for name in NAMES[:2])
    with change_by_hand(world.db) as conn:
        for name, account in zip(NAMES, (one, other), strict=False):
            conn.execute("UPDATE players SET discord_id = ? WHERE league_id = ? AND name = ?", (account, cup.id, name))
    found: list[int] = []
    for channel_id in (CHANNEL, CUP, ELSEWHERE):
        asked: Any = {"actor": world.player(NAMES[0]), "discord_id": other, "channel_id": channel_id}
        match = await see(match_finding.open_with, db=world.db, **asked)
        found.append((await see(match_finding.match_meant, db=world.db, actor=ADMIN, match=match)).league.id)
    assert found == [world.league_id, cup.id, world.league_id]
