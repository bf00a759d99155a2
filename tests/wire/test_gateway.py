"""The gateway of the loopback Discord knows which life of the bot has connected."""

import aiohttp
import pytest

from tests.loopback.objects import GUILD
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


async def test_members_are_found_by_their_ids_and_by_the_beginning_of_a_name(wire: Wire) -> None:
    wire.discord.people |= {ident: (ident, name) for ident, name in ((71, "Ada"), (72, "Adele"), (73, "Bruno"))}
    address = f"http://127.0.0.1:{wire.port}/gateway/"
    asked = {"guild_id": str(GUILD), "presences": False, "nonce": "n"}
    async with aiohttp.ClientSession() as session, session.ws_connect(address) as socket:
        await socket.receive_json()
        await socket.send_json({"op": 8, "d": {**asked, "limit": 100, "user_ids": [72, 99]}})
        answer = (await socket.receive_json())["d"]
        assert [each["user"]["id"] for each in answer["members"]] == ["72"]
        assert (answer["not_found"], answer["nonce"], answer["chunk_count"]) == (["99"], "n", 1)
        await socket.send_json({"op": 8, "d": {**asked, "limit": 1, "query": "ad"}})
        assert len((await socket.receive_json())["d"]["members"]) == 1
