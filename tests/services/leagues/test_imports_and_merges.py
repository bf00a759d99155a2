"""Imports and merges one after the other: which has to be taken back first, and that no way back is lost."""

import pytest

from bot.league.errors import Conflict
from bot.services.leagues import taking_back
from tests.files import change_by_hand
from tests.services.conftest import World
from tests.services.leagues.test_importing_records import brought, order
from tests.services.people.test_merging import A, B, C, back, dump, merge, seasons

PEOPLE = "player\n{}\n{}\n"


async def import_back(world: World, import_id: int) -> None:
    await world.db.write(taking_back.take_back, order(world), import_id=import_id)


@pytest.mark.long
@pytest.mark.parametrize("pair", [("Newbie", A), (A, "Newbie"), ("Early", "Newbie"), ("Newbie", "Early")])
async def test_an_imported_person_who_was_merged_keeps_the_import_until_the_merge_is_taken_back(
    world: World, pair: tuple[str, str]
) -> None:
    await seasons(world, [A, C])
    await brought(world, PEOPLE.format("Early", "Bird"))
    before = dump(world)
    done = await brought(world, PEOPLE.format("Newbie", "Other One"))
    imported = dump(world)
    merged = await merge(world, *pair)
    with pytest.raises(Conflict, match=f"because {pair[1]} was merged with someone else since"):
        await import_back(world, done.id)
    await back(world, merged)
    assert dump(world) == imported
    await import_back(world, done.id)
    assert dump(world) == before


async def test_a_merge_that_rests_on_what_is_gone_says_so(world: World) -> None:
    await seasons(world, [A, C])
    await brought(world, PEOPLE.format("Newbie", "Other One"))
    merged = await merge(world, "Newbie", A)
    gone = '["deleted", "aliases", {}, {"league_id": 1, "name": "x", "player_id": 1, "import_id": 99}]'
    with change_by_hand(world.db) as conn:
        conn.execute("UPDATE merges SET moved = json_insert(moved, '$[#]', json(?))", (gone,))
    before = dump(world)
    with pytest.raises(Conflict, match=f"The merge into {A} can't be taken back any more, because what it moved was"):
        await back(world, merged)
    assert dump(world) == before


@pytest.mark.long
async def test_a_merge_is_taken_back_after_an_import_of_others_was(world: World) -> None:
    await brought(world, "season,player,opponent,winner\n5,Zed,Yan,Zed\n")
    await seasons(world, [A, C], [B, C])
    before = dump(world)
    done = await brought(world, "season,player,opponent,winner\n1,Uno,Due,Uno\n")
    merged = await merge(world, A, B)
    await import_back(world, done.id)
    await back(world, merged)
    assert dump(world) == before
