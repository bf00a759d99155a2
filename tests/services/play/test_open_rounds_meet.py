"""What becomes of several open matches of one person when something happens to the person."""

import json

import pytest

from bot.league.checking.verify import verify
from bot.services.base.order import Order
from bot.services.matches.group_cards import GroupPost
from bot.services.people import forgetting
from storage.tables import leagues
from tests.files import look_into
from tests.services.conftest import NAMES, ORGANISER, World
from tests.services.leagues.test_kept_apart import exported, imported
from tests.services.play.test_open_rounds import begin, lose, to_play
from tests.services.play.test_round_robin import file_of


async def test_a_groups_card_is_everyones_also_when_one_of_them_has_no_account(world: World) -> None:
    await begin(world, 5)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(forgetting.forget, order, player="dok")
    (post,) = await world.posts("group")
    card = await world.shown(post)
    assert isinstance(card, GroupPost)
    assert card.reader is None
    assert sorted(card.ping_ids) == sorted(actor.user_id for name, actor in world.players.items() if name != "dok")


@pytest.mark.parametrize("name", NAMES[:3])
async def test_a_champion_by_the_draw_stays_champion_in_a_copy_though_a_name_is_forgotten(
    world: World, name: str
) -> None:
    await begin(world, 3)
    beaten = {"dok": "Xorlof", "Xorlof": "Zoë", "Zoë": "dok"}
    for view in await to_play(world):
        await lose(world, view, view.lower.name if beaten[view.upper.name] == view.lower.name else view.upper.name)
    order = Order(actor=ORGANISER, now=world.now, league_id=world.league_id)
    await world.db.write(forgetting.forget, order, player=name)
    before, season = await file_of(world), await world.status()
    assert verify(before).agrees
    assert before.final is not None
    assert before.final.champion == season.champion
    copy = await imported(world, json.loads(await exported(world, world.league_id)))
    with look_into(world.db) as conn:
        world.league = leagues.get(conn, copy)
    assert (await file_of(world)).final == before.final
