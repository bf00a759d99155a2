"""Events that discord.py can't read: before the bot is ready, as a server arrives, later, and again and again."""

import asyncio
import logging
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from discord.state import AutoShardedConnectionState

from bot import start
from bot.client import LeagueBot
from tests.loopback.objects import GUILD, LEAGUE_CHANNEL, MODERATION_CHANNEL, MODERATORS, OWNER, Json, channel, text_of
from tests.wire.conftest import Wire, until
from tests.wire.people import AUTOCOMPLETE
from tests.wire.state import State
from tests.wire.test_starting import loopback as loopback
from tests.wire.test_starting import running, settings

BROKEN: Json = {"id": str(LEAGUE_CHANNEL), "guild_id": str(GUILD), "type": 0, "name": "league", "flags": 0}
"""A channel without its position."""
EVENTS = sorted(
    name[6:].upper() for name in dir(AutoShardedConnectionState) if name.startswith("parse_") and name != "parse_ready"
)


def left_out(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if "left out an event" in record.getMessage()]


async def test_what_is_expected_of_discord_py(bot: LeagueBot) -> None:
    """Every connection calls the parsers of the one state, by the name of the event."""
    parsers = bot._connection.parsers
    assert discord.__version__ == "2.7.1"
    for shard in bot.shards.values():
        assert shard._parent.ws._discord_parsers is parsers
    assert {"READY", "RESUMED", "GUILD_CREATE", "CHANNEL_UPDATE", "INTERACTION_CREATE"} <= parsers.keys()
    assert {parse.__qualname__ for parse in parsers.values()} == {"Reading._reader.<locals>.read"}


@pytest.mark.parametrize("data", [{}, {"guild_id": str(GUILD)}, {"id": "x", "guild_id": "y"}])
async def test_no_event_however_broken_ends_the_bot(wire: Wire, bot: LeagueBot, data: Any) -> None:
    for event in EVENTS * 2:
        await wire.discord.gateway.dispatch(event, data)
    await wire.open_signups()
    await until(lambda: bool(wire.discord.messages[LEAGUE_CHANNEL]))
    assert not bot.is_closed()


async def test_a_broken_event_is_one_line_of_the_log(
    wire: Wire, bot: LeagueBot, caplog: pytest.LogCaptureFixture
) -> None:
    await wire.discord.gateway.dispatch("CHANNEL_UPDATE", {**BROKEN, "name": "secret"})
    await until(lambda: bool(left_out(caplog)))
    (line,) = left_out(caplog)
    assert f"CHANNEL_UPDATE of server {GUILD} (KeyError 'position' in " in line
    assert "secret" not in caplog.text


async def test_the_channel_of_a_broken_event_is_asked_for(wire: Wire, bot: LeagueBot) -> None:
    wire.discord.channels[LEAGUE_CHANNEL]["name"] = "renamed"
    await wire.discord.gateway.dispatch("CHANNEL_UPDATE", BROKEN)
    await until(lambda: str(bot.get_channel(LEAGUE_CHANNEL)) == "renamed")


async def test_a_post_that_waits_for_a_right_is_tried_again_when_the_event_cannot_be_read(
    wire: Wire, bot: LeagueBot
) -> None:
    async def closed(request: Any, keep: Any) -> web.Response:
        return web.json_response({"code": 50013, "message": "Missing Permissions"}, status=403)

    wire.discord.fault = closed
    await wire.open_signups()
    await until(lambda: bool(State(wire.database).value("SELECT 1 FROM outbox WHERE state = 'failed'")))
    wire.discord.fault = None
    await wire.discord.gateway.dispatch("GUILD_ROLE_UPDATE", {"guild_id": str(GUILD), "role": {"id": str(MODERATORS)}})
    await until(lambda: bool(wire.discord.messages[LEAGUE_CHANNEL]))


async def test_a_server_arrives_without_what_cannot_be_read_of_it(wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    gateway = wire.discord.gateway
    whole = gateway._guild

    def broken() -> Json:
        bad = {**channel(2003), "position": None}
        del bad["position"]
        server = whole()
        return {**server, "channels": [bad, *server["channels"]], "guild_scheduled_events": [{"id": "1"}]}

    gateway._guild = broken
    gateway.first = [("GUILD_SCHEDULED_EVENT_CREATE", {"id": "1"}), ("CHANNEL_UPDATE", BROKEN)] * 2
    bot = LeagueBot(settings(wire))
    task = asyncio.create_task(bot.start("token"))
    try:
        await until(bot.is_ready)
        await until(lambda: bot.get_channel(MODERATION_CHANNEL) is not None)
        server = bot.get_guild(GUILD)
        assert server is not None
        assert {one.id for one in server.channels} == {LEAGUE_CHANNEL, MODERATION_CHANNEL}
        assert server.me.guild_permissions.administrator
        await wire.open_signups()
        await until(lambda: bool(wire.discord.messages[LEAGUE_CHANNEL]))
    finally:
        await bot.close()
        await task
    assert len([line for line in left_out(caplog) if "CHANNEL_CREATE" in line]) == 1


async def test_who_presses_what_cannot_be_read_is_told(wire: Wire, bot: LeagueBot) -> None:
    event = {"id": "77", "token": "broken", "type": 2, "guild_id": str(GUILD), "application_id": "1"}
    await wire.discord.gateway.dispatch("INTERACTION_CREATE", event)
    await until(lambda: bool(wire.discord.answers["broken"]))
    assert "nothing was done" in text_of(wire.discord.answers["broken"][0])
    await wire.open_signups()


async def test_a_greeting_that_cannot_be_read_is_waited_out(wire: Wire) -> None:
    wire.discord.gateway.ready, pauses = {"user": {}}, list[float]()

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            wire.discord.gateway.ready = {}
            wire.discord.gateway.identified.clear()

    program = asyncio.create_task(start.run(settings(wire), pause))
    try:
        await until(lambda: len(pauses) >= 2)
        await asyncio.wait_for(wire.discord.gateway.identified.wait(), 30)
        assert not program.done()
        assert pauses[:2] == [5, 10]
    finally:
        program.cancel()
        await asyncio.gather(program, return_exceptions=True)


async def test_a_lost_connection_is_one_line_of_the_log(
    wire: Wire, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discord.backoff.ExponentialBackoff.delay", lambda _: 0.01)
    async with running(wire):
        connect = discord.gateway.DiscordWebSocket.from_client
        tries = 0

        async def fails(*given: Any, **named: Any) -> Any:
            nonlocal tries
            tries += 1
            if tries < 3:
                raise aiohttp.ClientConnectionError("no way")
            return await connect(*given, **named)

        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "from_client", fails)
        wire.discord.gateway.identified.clear()
        await wire.discord.gateway.cut(4000)
        await asyncio.wait_for(wire.discord.gateway.identified.wait(), 30)
    lines = [record for record in caplog.records if "Attempting a reconnect" in record.getMessage()]
    assert lines
    assert all(record.levelno == logging.WARNING and record.exc_info is None for record in lines)
    assert "(no way)" in lines[0].getMessage()


@pytest.mark.parametrize("code", [40060, 10062])
async def test_an_autocompletion_that_comes_too_late_is_one_line_of_the_log(
    wire: Wire, caplog: pytest.LogCaptureFixture, code: int
) -> None:
    async with running(wire):
        await until(lambda: bool(wire.discord.commands))
        await wire.open_signups()
        wire.discord.too_late = code
        typed = [{"name": "player", "type": 3, "value": "a", "focused": True}]
        data = {"id": "1", "name": "profile", "type": 1, "options": typed, "resolved": {}}
        await wire.people._act((OWNER, "owner"), AUTOCOMPLETE, data, LEAGUE_CHANNEL)
        said = "Ignoring exception in autocomplete for 'profile'"
        await until(lambda: said in caplog.text)
    (line,) = [record for record in caplog.records if said in record.getMessage()]
    assert (line.levelno, line.exc_info) == (logging.WARNING, None)
    assert str(code) in line.getMessage()
