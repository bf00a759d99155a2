"""A form can be sent before the bot hears that Discord opened it, or though it never does."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from aiohttp import web

from bot.client import LeagueBot
from tests.loopback.objects import text_of
from tests.wire.conftest import ANN, Wire
from tests.wire.state import State


async def late(request: web.Request) -> None:
    await asyncio.sleep(2)


async def lost(request: web.Request) -> None:
    assert request.transport is not None
    request.transport.close()


@pytest.mark.parametrize("confirming", [late, lost])
async def test_a_form_is_taken_before_its_opening_is_confirmed(
    wire: Wire, bot: LeagueBot, confirming: Callable[[web.Request], Awaitable[None]]
) -> None:
    await wire.start_of_two()
    await wire.noted()
    wire.discord.confirming = confirming
    form = await wire.people.find_and_press(ANN, ":report:")
    wire.discord.confirming = None
    (answer,) = await wire.people.complete(ANN, form, result="won")
    assert "won" in text_of(answer)
    assert State(wire.database).noted("result.report", ANN[0]) == 1
