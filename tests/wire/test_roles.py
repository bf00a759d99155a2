"""Roles over the wire: given and taken once whatever Discord says, failed and told where organisers have to act."""

import asyncio
from typing import Any

import pytest
from aiohttp import web

from bot.client import LeagueBot
from bot.services.base.order import Order
from bot.services.base.permissions import Actor
from bot.services.leagues import set_up
from storage.rows import LeagueId
from tests.loopback.discord_server import Keep
from tests.loopback.objects import CHAMPION, GUILD, IN_SEASON, LEAGUE_CHANNEL, OWNER, text_of
from tests.wire.conftest import ANN, BEN, ORGANISER, Wire, until

EVERYONE = {(ANN[0], IN_SEASON), (BEN[0], IN_SEASON)}


async def set_roles(bot: LeagueBot, wire: Wire, **changes: int | None) -> None:
    order = Order(
        actor=Actor(user_id=OWNER, name="owner", guild_id=GUILD, manage_guild=True),
        now=wire.now(),
        league_id=LeagueId(1),
    )
    await bot.database.write(set_up.change, order, changes=changes)
    await tick(bot)


async def tick(bot: LeagueBot) -> None:
    clock: Any = bot.get_cog("Clock")
    await clock.tick()


async def signed_up(wire: Wire) -> None:
    wire.discord.people |= {who[0]: who for who in (ANN, BEN)}
    await wire.open_signups()
    await wire.story.sign_up(ANN, BEN)


@pytest.mark.short
async def test_roles_are_given_at_sign_up_and_move_to_the_champion_at_the_end(wire: Wire, bot: LeagueBot) -> None:
    wire.discord.people |= {who[0]: who for who in (ANN, BEN)}
    await wire.league()
    await set_roles(bot, wire, participant_role_id=IN_SEASON, champion_role_id=CHAMPION)
    await wire.story.open("single-elimination")
    await wire.story.sign_up(ANN, BEN)
    await tick(bot)
    await until(lambda: wire.discord.roles == EVERYONE)
    await wire.story.start()
    await wire.story.report(ANN, "lost")
    await tick(bot)
    await until(lambda: wire.discord.roles == {(BEN[0], CHAMPION)})
    assert len(wire.discord.role_requests) == len(set(wire.discord.role_requests)) == 5


@pytest.mark.parametrize("fault", ["cut", "busy", "proxy", "slow down"])
async def test_what_passes_is_waited_out(wire: Wire, bot: LeagueBot, fault: str) -> None:
    async def fails(request: web.Request, keep: Keep) -> web.Response | None:
        if "roles" not in request.path:
            return None
        wire.discord.fault = None
        if fault == "cut":
            keep()
            assert request.transport is not None
            request.transport.close()
            await asyncio.sleep(0.5)
        if fault == "proxy":
            return web.Response(status=403, text="<html>no</html>", content_type="text/html")
        if fault == "slow down":
            body = {"message": "You are being rate limited.", "retry_after": 0.1, "global": False}
            return web.json_response(body, status=429, headers={"Retry-After": "0.1", "Via": "1.1 loopback"})
        return web.json_response({"code": 0, "message": "busy"}, status=503)

    await signed_up(wire)
    wire.discord.fault = fails
    await set_roles(bot, wire, participant_role_id=IN_SEASON)
    await until(lambda: wire.discord.fault is None)

    async def again() -> None:
        while wire.discord.roles != EVERYONE:
            wire.ahead += wire.ahead.resolution * 60_000_000
            await tick(bot)
            await asyncio.sleep(0.1)

    await asyncio.wait_for(again(), 60)
    assert not [post for post in wire.discord.posts if "participant role" in text_of(post)]


async def test_a_missing_right_is_told_once_and_made_up_for(wire: Wire, bot: LeagueBot) -> None:
    async def refuses(request: web.Request, _: Keep) -> web.Response | None:
        if "roles" not in request.path:
            return None
        return web.json_response({"code": 50013, "message": "Missing Permissions"}, status=403)

    await signed_up(wire)
    wire.discord.fault = refuses
    await set_roles(bot, wire, participant_role_id=IN_SEASON)

    def told() -> list[Any]:
        return [one for one in wire.discord.messages[LEAGUE_CHANNEL] if "participant role" in text_of(one)]

    await until(lambda: len(told()) == 1)
    await tick(bot)
    assert "Manage Roles" in text_of(told()[0])
    before = len(wire.discord.role_requests)
    await wire.people.slash(ANN, "drop")
    await tick(bot)
    wire.discord.fault = None
    roles: Any = bot.get_cog("Roles")
    guild = bot.get_guild(GUILD)
    assert guild is not None
    await roles._try_again(guild)
    await until(lambda: (BEN[0], IN_SEASON) in wire.discord.roles)
    assert len(wire.discord.role_requests) > before
    assert len(told()) == 1


async def test_a_role_deleted_by_hand_and_someone_who_left(wire: Wire, bot: LeagueBot) -> None:
    await signed_up(wire)
    del wire.discord.people[BEN[0]]
    await set_roles(bot, wire, participant_role_id=IN_SEASON)
    await until(lambda: wire.discord.roles == {(ANN[0], IN_SEASON)})
    wire.discord.roles_gone.add(CHAMPION)
    await set_roles(bot, wire, participant_role_id=CHAMPION)

    def told() -> list[Any]:
        return [one for one in wire.discord.messages[LEAGUE_CHANNEL] if "participant role was deleted" in text_of(one)]

    await until(lambda: len(told()) == 1)
    await until(lambda: wire.discord.roles == set())
    await set_roles(bot, wire, participant_role_id=None)
    await tick(bot)
    assert ORGANISER[0] == OWNER
    assert len(told()) == 1
