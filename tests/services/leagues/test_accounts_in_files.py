"""Files name people's Discord accounts: by an id, which is given at the import, or by a name, which is only shown."""

from dataclasses import replace
from typing import Any

import pytest

from bot.league.errors import Conflict, Invalid
from bot.services.leagues import taking_back
from bot.services.people import banning, forgetting
from bot.services.signups import signing_up
from bot.services.signups.recognising import ClaimsPost
from bot.services.signups.signing_up import SignedUp
from storage.query import records
from tests.files import do, look_into
from tests.services.conftest import ORGANISER, World
from tests.services.leagues.test_importing_records import brought, dump, order
from tests.services.signups.test_claims import claim, inside, join

ADA, KIM = 123456789012345678, 123456789012345679
PEOPLE = f"name,discord\nAda,{ADA}\nBruno,bruno#1\nChidi,\n"


def there(world: World) -> dict[str, Any]:
    return {"db": world.db, "actor": ORGANISER, "now": world.now, "league_id": world.league_id}


async def sign_up(world: World, account: int, name: str) -> Any:
    who: dict[str, Any] = {**there(world), "actor": replace(world.player(name), user_id=account)}
    return await do(signing_up.sign_up, **who, display_name=name)


def accounts(world: World) -> dict[str, int | None]:
    with look_into(world.db) as conn:
        return dict(records(conn, "SELECT name, discord_id FROM players ORDER BY name"))


async def test_an_account_named_by_its_id_needs_no_question(world: World) -> None:
    done = await brought(world, PEOPLE)
    assert (done.linked, done.doubles, done.nameless) == (1, (), 2)
    assert accounts(world) == {"Ada": ADA, "Bruno": None, "Chidi": None}
    await world.create()
    assert isinstance(await sign_up(world, ADA, "somebody else"), SignedUp)
    assert await inside(world) == ["Ada"]


async def test_a_name_in_the_file_is_shown_to_organisers_and_gives_nothing(world: World) -> None:
    await brought(world, PEOPLE)
    await world.create()
    await claim(world, "Bruno")
    (post,) = await world.posts("claims")
    facts = await world.shown(post)
    assert isinstance(facts, ClaimsPost)
    ((_, past, _),) = facts.rows
    assert past.proposed == "bruno#1"
    assert accounts(world)["Bruno"] is None


async def test_it_ends_what_another_account_claimed(world: World) -> None:
    await brought(world, "name\nAda\nBruno\n")
    await world.create()
    await claim(world, "Kim", "Ada")
    done = await brought(world, f"name,discord\nAda,{ADA}\n")
    assert (done.new, done.linked) == (0, 1)
    with look_into(world.db) as conn:
        assert records(conn, "SELECT 1 FROM claims WHERE answered_at IS NULL") == ()
    with pytest.raises(Invalid, match="in the league already"):
        await brought(world, f"name,discord\nAda,{ADA}\n")


async def test_an_account_that_plays_as_someone_else_is_proposed_for_a_merge_and_a_banned_one_is_nobodys(
    world: World,
) -> None:
    await world.create()
    await sign_up(world, KIM, "Kim")
    await do(banning.ban, **there(world), player=banning.Member(discord_id=ADA, name="x"), reason="cheated")
    done = await brought(world, f"name,discord\nOld Kim,{KIM}\nAda,{ADA}\n")
    assert done.linked == 0
    assert [(double.name, double.holder) for double in done.doubles] == [("Old Kim", "Kim")]
    assert accounts(world) == {"Ada": None, "Kim": KIM, "Old Kim": None}


async def test_the_import_is_taken_back_without_a_trace_unless_they_joined(world: World) -> None:
    await brought(world, "name\nChidi\nDaria\n")
    before = dump(world)
    done = await brought(world, f"name,discord\nAda,{ADA}\nBruno,bruno#1\nDaria,{KIM}\n")
    await world.db.write(taking_back.take_back, order(world), import_id=done.id)
    assert dump(world) == before
    again = await brought(world, PEOPLE)
    await world.create()
    await sign_up(world, ADA, "Ada")
    with pytest.raises(Conflict, match="Ada has a Discord account here now"):
        await world.db.write(taking_back.take_back, order(world), import_id=again.id)


async def test_forgetting_deletes_what_a_file_says_of_someones_account(world: World) -> None:
    await brought(world, PEOPLE)
    for name in ("Ada", "Bruno"):
        await do(forgetting.forget, **there(world), player=name)
    with look_into(world.db) as conn:
        assert records(conn, "SELECT * FROM imported_accounts") == ()
    await world.create()
    assert isinstance(await join(world, "Bruno"), SignedUp)
