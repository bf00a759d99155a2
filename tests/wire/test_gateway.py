"""The gateway of the loopback Discord knows which life of the bot has connected."""

import aiohttp
import pytest

from tests.wire.conftest import Wire


@pytest.mark.short
async def test_a_bot_that_died_as_it_connected_is_not_taken_for_the_next_one(wire: Wire) -> None:
    gateway = wire.discord.gateway
    address = f"http://127.0.0.1:{wire.port}/gateway/"
    async with aiohttp.ClientSession() as session, session.ws_connect(address) as dies:
        assert (await dies.receive_json())["op"] == 10
        await dies.send_json({"op": 2})
        gateway.expect()
        assert [(await dies.receive_json())["t"] for _ in "ab"] == ["READY", "GUILD_CREATE"]
    assert not gateway.identified.is_set()
    async with aiohttp.ClientSession() as session, session.ws_connect(address) as lives:
        await lives.send_json({"op": 2})
        await gateway.identified.wait()
