"""Someone who turned off all they can with /notify: what they wait for, and a match to play, reaches them."""

from typing import Any

import pytest

from bot.services.base.accounts import Newcomer
from bot.services.people import notifying, rejoining, removing
from bot.services.play import clearing
from bot.services.seats import substitutes
from bot.services.signups import letting_in
from storage.tables.people.notify import How, Topic
from tests.files import do
from tests.services.conftest import ORGANISER, World


async def turn_off(world: World, name: str, *but: Topic) -> None:
    who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
    for topic in {*Topic} - {Topic.QUESTION, *but}:
        await do(notifying.choose, db=world.db, **who, topic=topic, how=How.OFF)


async def told(world: World, name: str) -> list[str]:
    """Return by which posts someone is told something now."""
    account = world.player(name).user_id
    return [made.row.kind for made in await world.announce() if account in made.mention.people]


def by_organiser(world: World) -> dict[str, Any]:
    return {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}


@pytest.mark.parametrize("accept", [True, False])
async def test_who_asked_to_join_is_told_the_answer(world: World, accept: bool) -> None:
    await world.create(approval=True)
    await world.sign_up("dok")
    await turn_off(world, "dok")
    await world.announce()
    await do(letting_in.answer, **by_organiser(world), request_id=1, accept=accept)
    assert await told(world, "dok") == ["own-place"]


@pytest.mark.parametrize("accept", [True, False])
async def test_who_asked_to_come_back_is_told_the_answer(world: World, accept: bool) -> None:
    await world.begin(6)
    await world.drop("dok")
    await turn_off(world, "dok")
    who: Any = {"actor": world.player("dok"), "now": world.now, "league_id": world.league_id}
    await do(rejoining.rejoin, db=world.db, **who)
    (asked,) = await world.posts("rejoin")
    await world.announce()
    answer: Any = {"request_id": int(asked.facts["request_id"]), "accept": accept}
    await do(rejoining.answer_rejoin, **by_organiser(world), **answer)
    assert await told(world, "dok") == ["own-place"]


async def test_who_substitutes_is_told_that_they_play(world: World) -> None:
    await world.create()
    await world.sign_up("Sam", *(f"player {number}" for number in range(6)))
    await turn_off(world, "Sam")
    await world.drop("Sam")
    await world.start()
    await world.announce()
    sam = Newcomer(discord_id=world.player("Sam").user_id or 0, wanted=None, display_name="Sam")
    await do(substitutes.substitute, **by_organiser(world), old="player 0", newcomer=sam)
    assert await told(world, "Sam") == ["own-place"]


async def test_who_is_disqualified_is_told(world: World) -> None:
    await world.begin(6)
    await turn_off(world, "dok")
    await world.announce()
    await do(removing.disqualify, **by_organiser(world), player="dok", reason="cheated")
    assert await told(world, "dok") == ["own-place"]


async def test_who_hears_of_rounds_alone_is_told_that_their_match_is_open_again(world: World) -> None:
    await world.begin(6)
    match = await world.match_of("dok")
    assert match is not None
    await world.lose(match.lower.name)
    await turn_off(world, match.upper.name, Topic.ROUND)
    await turn_off(world, match.lower.name)
    await world.announce()
    await do(clearing.clear, **by_organiser(world), match=match.match.id, reason="a mistake")
    made = {made.row.kind: made.mention.people for made in await world.announce()}
    assert made["open-again"] == (world.player(match.upper.name).user_id,)
