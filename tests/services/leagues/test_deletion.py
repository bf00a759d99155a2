"""A league without results can be deleted with everything of it; one with results stays."""

from datetime import timedelta
from typing import Any

import pytest

from bot import steps
from bot.league.errors import NotAllowed, WrongPhase
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.base.permissions import BOT
from bot.services.delivery import delivery
from bot.services.leagues import deletion, greeting, set_up
from bot.services.people import removing
from bot.services.play import reporting
from bot.services.seasons import lifecycle, planning
from bot.services.times import own_zone
from storage.database import Database
from storage.query import column, value
from storage.rows import LeagueRow
from tests.files import do, look_into
from tests.looked_up import posted_round
from tests.services.conftest import ADMIN, CHANNEL, GUILD, MODERATOR, ORGANISER, ORGANISER_ROLE, STRANGER, World


async def delete(world: World, actor: Any = ORGANISER, **more: Any) -> LeagueRow:
    return await do(deletion.delete, db=world.db, actor=actor, now=world.now, league_id=world.league_id, **more)


async def tables(db: Database) -> list[str]:
    with look_into(db) as conn:
        rows = conn.execute_fetchall("SELECT name FROM sqlite_schema WHERE type = 'table'")
        return [row[0] for row in rows if not row[0].startswith("sqlite_")]


async def filled(db: Database) -> set[str]:
    """Return the tables that hold anything."""
    names = await tables(db)
    with look_into(db) as conn:
        return {name for name in names if value(conn, f"SELECT count(*) FROM {name}")}


async def test_a_league_in_sign_ups_is_deleted_with_everything_of_it(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Xorlof")
    out: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(removing.disqualify, db=world.db, **out, player="dok", reason="cheated")
    with pytest.raises(
        ConfirmationNeeded, match="Online HeroScape: season 1 with 2 sign-ups, 2 players' league names,"
    ) as asked:
        await delete(world, agreed="")
    await delete(world, agreed=asked.value.token)
    assert await filled(world.db) == set()


async def test_what_is_deleted_names_the_season_that_is_prepared(world: World) -> None:
    who: Any = {"actor": ORGANISER, "now": world.now, "league_id": world.league_id}
    await do(planning.prepare, db=world.db, **who, format="ohs")
    with pytest.raises(ConfirmationNeeded, match="Online HeroScape: the prepared season, its settings"):
        await delete(world, agreed="")


async def test_time_zones_of_people_who_are_in_no_other_league_go_with_it(world: World) -> None:
    cup: Any = {"channel_id": CHANNEL + 20, "organiser_role_id": ORGANISER_ROLE}
    other = await do(set_up.create, db=world.db, actor=ADMIN, now=world.now, name="Weekend Cup", **cup)
    await world.create()
    await world.sign_up("dok", "Xorlof")
    for name in ("dok", "Xorlof"):
        who: Any = {"actor": world.player(name), "now": world.now, "league_id": world.league_id}
        await do(own_zone.say, db=world.db, **who, time_zone="Europe/Berlin")
    first, world.league = world.league, other
    await world.create()
    await world.sign_up("dok")
    world.league = first
    await delete(world)
    with look_into(world.db) as conn:
        assert column(conn, "SELECT discord_id FROM availability") == (world.player("dok").user_id,)
    world.league = other
    await delete(world)
    assert await filled(world.db) == set()


async def test_a_cancelled_season_without_rounds_keeps_no_league_alive(world: World) -> None:
    await world.create()
    await world.db.write(
        lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason=None
    )
    await delete(world)
    assert await filled(world.db) == set()


async def test_a_league_whose_seasons_were_all_cancelled_is_deleted_with_what_was_played(world: World) -> None:
    await world.begin(4)
    await world.announce()
    first, second = (
        await world.db.read(posted_round, Order(actor=BOT, now=world.now, league_id=world.league_id))
    ).matches
    await world.lose(first.lower.name)
    said: Any = {"match": second.match.id, "result": "won"}
    await do(reporting.report, db=world.db, actor=world.player(second.upper.name), now=world.now, **said)
    with pytest.raises(WrongPhase, match=r"season 1 is running\. Cancel it with /season cancel"):
        await delete(world)
    await world.db.write(
        lifecycle.cancel, Order(actor=ORGANISER, now=world.now, league_id=world.league_id), reason=None
    )
    with pytest.raises(
        ConfirmationNeeded, match="the cancelled season 1 with 1 result, 4 players' league names"
    ) as asked:
        await delete(world, agreed="")
    await delete(world, agreed=asked.value.token)
    assert await filled(world.db) == set()


@pytest.mark.long
async def test_a_league_with_a_finished_season_stays_and_the_next_step_is_named(world: World) -> None:
    await world.begin(4)
    await world.play_out()
    with pytest.raises(WrongPhase, match=r"counts for ratings.*/league settings"):
        await delete(world)
    assert "rounds" in await filled(world.db)


async def test_only_organisers_delete(world: World) -> None:
    for actor in (STRANGER, MODERATOR):
        with pytest.raises(NotAllowed):
            await delete(world, actor, agreed="")


async def test_a_post_of_a_deleted_league_that_is_being_sent_is_let_go_of(world: World) -> None:
    await world.create()
    (post, *_) = await world.posts("board")
    await delete(world)
    assert await steps.load(world.db, post.id, world.now) is None
    await world.db.write(delivery.sent, post.id, now=world.now, channel_id=1, message_id=2, version=1)
    await world.db.write(delivery.failed, post.id, now=world.now, problem="closed", retry_at=None)
    assert await filled(world.db) == set()


async def test_buttons_of_a_deleted_league_never_mean_another_one(world: World) -> None:
    await delete(world)
    places = {"channel_id": CHANNEL, "moderation_channel_id": None}
    made = await do(set_up.create, db=world.db, actor=ADMIN, now=world.now, name="Another", **places)
    assert made.id > world.league_id


async def test_hello_is_said_once_until_the_bot_is_invited_again(db: Database, world: World) -> None:
    async def greets(joined: timedelta, guild_id: int = GUILD + 7) -> bool:
        return await db.write(greeting.greet, guild_id=guild_id, joined_at=world.now - joined, now=world.now)

    assert await greets(timedelta(seconds=-3)), "Discord's clock may be a little ahead"
    assert not await greets(timedelta(seconds=-3)), "not again after a reconnect or restart"
    world.later(hours=1)
    assert await greets(timedelta(0)), "but after another invitation"
    assert not await greets(timedelta(days=2), GUILD + 8), "nor long after the invitation"
    assert not await greets(timedelta(0), GUILD), "nor where a league is set up already"
    await db.write(greeting.forget, guild_id=GUILD + 7)
    assert "guilds" not in await filled(db), "a server the bot left is forgotten"
