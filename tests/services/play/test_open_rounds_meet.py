"""What becomes of several open matches of one person when something happens to the person."""

import json
import subprocess
from pathlib import Path
from random import Random

import pytest

from bot.league.checking.verify import verify
from bot.services.base.order import Order
from bot.services.matches.group_cards import GroupPost
from bot.services.people import forgetting
from storage.tables import leagues
from tests.checker.engines import CHECK, NODE, answered, difference
from tests.files import look_into
from tests.services.conftest import NAMES, ORGANISER, World
from tests.services.leagues.test_kept_apart import exported, imported
from tests.services.play.test_open_rounds import begin, lose, play, to_play
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


async def test_the_checker_verifies_the_file_of_open_rounds_at_any_time(world: World, tmp_path: Path) -> None:
    await begin(world)
    texts = [await exported(world, world.league_id)]
    for view in (await to_play(world))[3:12:2]:
        await lose(world, view)
    texts.append(await exported(world, world.league_id))
    await world.drop("dok")
    texts.append(await exported(world, world.league_id))
    await play(world, Random(3))
    texts.append(await exported(world, world.league_id))
    assert [text.count('"kind": "open"') for text in texts] == [20, 15, 12, 0]
    for number, (text, found) in enumerate(zip(texts, answered(texts), strict=True)):
        path = tmp_path / f"{number}.json"
        path.write_text(text, encoding="utf-8")
        code, lines = verified(path)
        assert code == 0, lines
        assert lines.count("as the rules say") >= 5
        assert difference(text, found) is None


def verified(path: Path) -> tuple[int, str]:
    """Let the checker verify a file, as people do; returns its exit code and what it printed."""
    done = subprocess.run([NODE, CHECK, "verify", path], capture_output=True, check=False, encoding="utf-8")
    return done.returncode, done.stdout
