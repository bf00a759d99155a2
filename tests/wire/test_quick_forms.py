"""A form can be sent before the bot hears that Discord opened it, or though it never does."""

import asyncio

import pytest
from aiohttp import web

from bot.client import LeagueBot
from tests.loopback.objects import text_of
from tests.wire.conftest import ANN, Wire
from tests.wire.state import State


@pytest.mark.parametrize("lost", [False, True], ids=["late", "lost"])
async def test_a_form_is_taken_before_its_opening_is_confirmed(wire: Wire, bot: LeagueBot, lost: bool) -> None:
    taken = asyncio.Event()

    async def confirm(request: web.Request) -> None:
        wire.discord.confirming = None
        if lost:
            assert request.transport is not None
            request.transport.close()
        else:
            await taken.wait()

    await wire.start_of_two()
    await wire.noted()
    wire.discord.confirming = confirm
    form = await wire.people.find_and_press(ANN, ":report:")
    (answer,) = await wire.people.complete(ANN, form, result="won")
    taken.set()
    assert "won" in text_of(answer)
    assert State(wire.database).noted("result.report", ANN[0]) == 1
