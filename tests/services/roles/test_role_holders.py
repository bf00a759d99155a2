"""Roles: who should have them is always worked out from the league as it is, promised, and kept or failed."""

from typing import Any

import pytest

from bot import steps
from bot.services.base.confirmation import ConfirmationNeeded
from bot.services.base.order import Order
from bot.services.leagues import deletion, set_up
from bot.services.people import forgetting
from bot.services.problems import on_server
from bot.services.roles import role_holders
from bot.services.seasons import lifecycle
from storage.rows import LeagueRow
from storage.tables import held_roles
from storage.tables.held_roles import HeldRole
from storage.tables.people.memberships import Sought
from tests.files import look_into
from tests.services.conftest import ADMIN, GUILD, NAMES, ORGANISER, World

IN_SEASON, CHAMPION = 5001, 5002


async def change(world: World, **changes: int | None) -> LeagueRow:
    return await world.db.write(set_up.change, _by_organiser(world), changes=changes)


def _by_organiser(world: World) -> Order:
    return Order(actor=ORGANISER, now=world.now, league_id=world.league_id)


async def due(world: World) -> list[HeldRole]:
    await steps.tick(world.db, world.now)
    return list(await world.db.read(role_holders.due, world.now))


async def keep(world: World, server: set[tuple[int, int]]) -> None:
    """Do on a server what is promised, as the surface does."""
    for row in await due(world):
        assert await world.db.read(role_holders.to_do, row.id) == row
        if not await world.db.read(role_holders.stays, row):
            (server.add if row.wanted else server.discard)((row.discord_id, row.role_id))
        await world.db.write(role_holders.done, row, world.now)
    assert await due(world) == []


def holders(world: World, server: set[tuple[int, int]], role: int) -> set[str]:
    names = {actor.user_id: name for name, actor in world.players.items()}
    return {names[account] for account, held in server if held == role}


async def agreed(world: World, use_case: Any, **given: Any) -> None:
    token: str | None = None
    for _ in range(3):
        try:
            await world.db.write(use_case, _by_organiser(world), **given, agreed=token)
            return
        except ConfirmationNeeded as question:
            token = question.token
    raise AssertionError("it asks for ever")


@pytest.mark.long
async def test_who_is_in_the_season_has_the_role_until_they_leave_or_it_ends(world: World) -> None:
    server: set[tuple[int, int]] = set()
    await world.create(rounds=3, cut=0)
    await world.sign_up("dok", "Xorlof")
    assert await due(world) == [], "without a role nothing is promised"
    await change(world, participant_role_id=IN_SEASON, champion_role_id=CHAMPION)
    await keep(world, server)
    assert holders(world, server, IN_SEASON) == {"dok", "Xorlof"}
    await world.sign_up(*NAMES[2:6])
    await keep(world, server)
    assert holders(world, server, IN_SEASON) == set(NAMES[:6])
    await world.start()
    await agreed_drop(world, "Ann")
    await keep(world, server)
    assert holders(world, server, IN_SEASON) == set(NAMES[:6]) - {"Ann"}
    view = await world.play_out()
    assert view.season.phase == "finished"
    await keep(world, server)
    assert holders(world, server, IN_SEASON) == set()


async def agreed_drop(world: World, name: str) -> None:
    try:
        await world.drop(name)
    except ConfirmationNeeded as question:
        await world.drop(name, agreed=question.token)


async def test_nothing_is_written_about_roles_where_nothing_changed(world: World) -> None:
    await world.create()
    await world.sign_up("dok", "Xorlof")
    await change(world, participant_role_id=IN_SEASON, champion_role_id=CHAMPION)
    await keep(world, set())
    before = world.db.writes
    await steps.tick(world.db, world.now)
    assert world.db.writes == before


@pytest.mark.long
async def test_the_champion_has_the_role_until_there_is_another(world: World) -> None:
    server: set[tuple[int, int]] = set()
    await change(world, champion_role_id=CHAMPION)
    for loser, winner in (("dok", "Xorlof"), ("Xorlof", "dok")):
        await world.begin(2, "single-elimination")
        await world.lose(loser)
        await keep(world, server)
        assert holders(world, server, CHAMPION) == {winner}
    await world.begin(2, "single-elimination")
    await agreed(world, lifecycle.cancel, reason="snow")
    await keep(world, server)
    assert holders(world, server, CHAMPION) == {"dok"}, "no one has won since"
    await world.begin(4, rounds=3, advance="manual")
    await world.play_round()
    await agreed(world, lifecycle.finish, reason="snow")
    await keep(world, server)
    assert holders(world, server, CHAMPION) == {"dok"}, "no one won the season that ended early"


async def test_who_is_in_the_season_again_before_the_role_was_taken_keeps_it(world: World) -> None:
    server: set[tuple[int, int]] = set()
    await change(world, participant_role_id=IN_SEASON)
    await world.create()
    await world.sign_up("dok")
    await keep(world, server)
    await agreed_drop(world, "dok")
    assert [row.wanted for row in await due(world)] == [False]
    await world.sign_up("dok")
    await keep(world, server)
    assert holders(world, server, IN_SEASON) == {"dok"}


@pytest.mark.long
async def test_a_changed_or_removed_role_is_taken_from_everyone(world: World) -> None:
    server: set[tuple[int, int]] = set()
    await world.begin(4, rounds=3)
    await change(world, participant_role_id=IN_SEASON)
    await keep(world, server)
    await change(world, participant_role_id=CHAMPION)
    await keep(world, server)
    assert {role for _, role in server} == {CHAMPION}
    assert len(server) == 4
    await change(world, participant_role_id=None)
    await keep(world, server)
    assert server == set()
    with look_into(world.db) as conn:
        assert held_roles.of_league(conn, world.league_id) == ()


@pytest.mark.long
async def test_the_role_of_who_is_forgotten_is_taken_and_nothing_of_them_stays(world: World) -> None:
    server: set[tuple[int, int]] = set()
    await change(world, participant_role_id=IN_SEASON)
    await world.begin(4, rounds=3)
    await keep(world, server)
    await agreed(world, forgetting.forget, player="dok")
    await keep(world, server)
    assert "dok" not in holders(world, server, IN_SEASON)
    with look_into(world.db) as conn:
        accounts = {row.discord_id for row in held_roles.of_league(conn, world.league_id)}
    assert world.player("dok").user_id not in accounts


async def test_what_changed_while_it_was_done_is_done_after_it(world: World) -> None:
    server: set[tuple[int, int]] = set()
    await change(world, participant_role_id=IN_SEASON)
    await world.create()
    await world.sign_up("dok")
    [giving] = await due(world)
    await agreed_drop(world, "dok")
    [taking] = await due(world)
    assert (giving.wanted, taking.wanted) == (True, False)
    server.add((giving.discord_id, giving.role_id))
    await world.db.write(role_holders.done, giving, world.now)
    await keep(world, server)
    assert server == set()


async def test_a_refusal_is_told_once_and_everyone_is_tried_again_once_it_works(world: World) -> None:
    await change(world, participant_role_id=IN_SEASON)
    await world.begin(4, rounds=3)
    rows = await due(world)
    for row in rows:
        await world.db.write(role_holders.fail, row, "The bot can't give the participant role.", world.now)
    assert (await world.notices()).count("The bot can't give the participant role.") == 1
    found = await world.db.read(set_up.checkup, _by_organiser(world))
    assert found.no_roles == "The bot can't give the participant role."
    assert await due(world) == []
    assert await world.db.write(role_holders.try_again, guild_id=world.league.guild_id, now=world.now)
    first, *_ = await due(world)
    await world.db.write(role_holders.fail, first, "The bot can't give the participant role.", world.now)
    assert (await world.notices()).count("The bot can't give the participant role.") == 1
    world.later(hours=1, minutes=1)
    server: set[tuple[int, int]] = set()
    await keep(world, server)
    assert len(server) == 4
    assert (await world.db.read(set_up.checkup, _by_organiser(world))).no_roles == ""


async def test_a_role_is_given_after_a_clock_that_was_ahead_is_put_right(world: World) -> None:
    await change(world, participant_role_id=IN_SEASON)
    await world.create()
    world.later(days=30)
    await world.sign_up("dok")
    [row] = await due(world)
    world.later(days=-30)
    assert await due(world) == [row]
    await world.db.write(role_holders.away, row, world.now)
    assert await due(world) == []


async def test_who_is_not_on_the_server_is_tried_again_after_a_day_and_has_nothing_to_take(world: World) -> None:
    await change(world, participant_role_id=IN_SEASON)
    await world.create()
    await world.sign_up("dok")
    [row] = await due(world)
    await world.db.write(role_holders.away, row, world.now)
    assert await due(world) == []
    world.later(hours=25)
    [again] = await due(world)
    assert again.problem is None
    await agreed_drop(world, "dok")
    [taking] = await due(world)
    await world.db.write(role_holders.away, taking, world.now)
    with look_into(world.db) as conn:
        assert held_roles.of_league(conn, world.league_id) == ()


async def test_a_role_two_leagues_give_is_taken_when_neither_gives_it_any_more(world: World) -> None:
    server: set[tuple[int, int]] = set()
    made = await world.db.write(
        set_up.create, Order(actor=ADMIN, now=world.now), name="Second", channel_id=777, organiser_role_id=904
    )
    second = World(db=world.db, league=made, now=world.now, players=world.players)
    for one in (world, second):
        await change(one, participant_role_id=IN_SEASON)
        await one.create()
        await one.sign_up("dok")
    await keep(world, server)
    await agreed_drop(world, "dok")
    await keep(world, server)
    assert len(server) == 1
    await agreed_drop(second, "dok")
    await keep(world, server)
    assert server == set()


@pytest.mark.long
async def test_a_deleted_league_takes_its_roles_back_but_not_what_another_one_gives(world: World) -> None:
    server: set[tuple[int, int]] = set()
    made = await world.db.write(
        set_up.create, Order(actor=ADMIN, now=world.now), name="Second", channel_id=777, organiser_role_id=904
    )
    second = World(db=world.db, league=made, now=world.now, players=world.players)
    await change(world, participant_role_id=IN_SEASON)
    await change(second, participant_role_id=IN_SEASON)
    await world.create()
    await second.create()
    await world.sign_up("dok", "Xorlof")
    await second.sign_up("dok")
    await keep(world, server)
    with pytest.raises(ConfirmationNeeded, match=r"The roles it gave are taken back\."):
        await world.db.write(deletion.delete, _by_organiser(world), agreed="")
    await agreed(world, deletion.delete)
    assert {row.league_id for row in await due(world)} == {None}
    await keep(world, server)
    assert holders(world, server, IN_SEASON) == {"dok"}
    await agreed_drop(second, "dok")
    await keep(world, server)
    assert server == set()


@pytest.mark.long
async def test_what_a_deleted_league_cant_take_is_tried_for_some_days_and_told_no_one(world: World) -> None:
    await change(world, participant_role_id=IN_SEASON)
    await world.create()
    await world.sign_up("dok")
    await keep(world, set())
    await agreed(world, deletion.delete)
    for _ in range(role_holders.MOST_TRIES):
        [row] = await due(world)
        assert await world.db.read(role_holders.name_of, row) == "former role"
        await world.db.write(role_holders.fail, row, "The bot can't give or take the former role.", world.now)
        world.later(hours=1, minutes=1)
    [row] = await due(world)
    await world.db.write(role_holders.fail, row, "The bot can't give or take the former role.", world.now)
    world.later(hours=2)
    assert await due(world) == []
    assert await world.posts() == ()


async def test_who_left_the_server_and_is_back_gets_their_role_again(world: World) -> None:
    await change(world, participant_role_id=IN_SEASON)
    await world.begin(4, round_days=14)
    server: set[tuple[int, int]] = set()
    await keep(world, server)
    dok = world.player("dok").user_id
    assert dok is not None
    server.discard((dok, IN_SEASON))  # as Discord does
    await world.db.write(on_server.seen, Sought(guild_id=GUILD, discord_id=dok), now=world.now, present=False)
    (missing,) = await due(world)
    await world.db.write(role_holders.away, missing, world.now)
    assert await due(world) == []
    world.later(days=1)
    await keep(world, server)
    assert "dok" in holders(world, server, IN_SEASON)
