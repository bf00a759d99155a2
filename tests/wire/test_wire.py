"""What only the wire shows: rate limits, nonces, cut connections, and a process killed at the wrong moment."""

import asyncio
import re
from datetime import timedelta

import pytest
from aiohttp import web

from bot.client import LeagueBot
from tests.loopback.discord_server import Discord, Keep
from tests.loopback.objects import LEAGUE_CHANNEL, buttons
from tests.wire.conftest import ANN, BEN, Wire, until


def marks(discord: Discord) -> list[int]:
    """Return the invisible ids of the posts in the league's channel."""
    posts = discord.messages.get(LEAGUE_CHANNEL, [])
    return [message["components"][-1]["id"] for message in posts if message["components"]]


@pytest.mark.short
async def test_a_post_carries_a_nonce_and_no_visible_key(wire: Wire, bot: LeagueBot) -> None:
    await wire.open_signups()
    await until(lambda: len(marks(wire.discord)) == 1)
    body = wire.discord.posts[0]
    assert re.fullmatch("[0-9a-f]{25}", body["nonce"])
    assert "signup:" not in str(body["components"])
    assert body["enforce_nonce"] is True


async def test_a_rate_limit_is_waited_out(wire: Wire, bot: LeagueBot) -> None:
    async def limited(_: web.Request, __: Keep) -> web.Response:
        wire.discord.fault = None
        body = {"message": "You are being rate limited.", "retry_after": 0.2, "global": False}
        return web.json_response(body, status=429, headers={"Retry-After": "0.2", "Via": "1.1 loopback"})

    wire.discord.fault = limited
    await wire.open_signups()
    await until(lambda: len(marks(wire.discord)) == 1)
    assert len(wire.discord.posts) == 2


async def test_a_connection_cut_after_the_post_does_not_double_it(wire: Wire, bot: LeagueBot) -> None:
    async def kept_and_cut(request: web.Request, keep: Keep) -> None:
        wire.discord.fault = None
        keep()
        wire.discord.forget_nonces()
        assert request.transport is not None
        request.transport.close()
        await asyncio.sleep(1)

    wire.discord.fault = kept_and_cut
    await wire.open_signups()
    await until(lambda: len(wire.discord.posts) == 1)
    await wire.later(timedelta(minutes=5))
    bot.announce()
    await wire.people.slash(ANN, "signup")
    await until(lambda: "Ann" in str(wire.discord.messages[LEAGUE_CHANNEL][0]["components"]))
    assert len(marks(wire.discord)) == 1


@pytest.mark.short
async def test_the_bot_goes_on_after_the_gateway_was_cut(wire: Wire, bot: LeagueBot) -> None:
    await wire.open_signups()
    await wire.discord.gateway.cut()
    await asyncio.wait_for(wire.discord.gateway.identified.wait(), 30)
    assert wire.discord.gateway.resumed == 1
    answers = await wire.people.slash(ANN, "signup")
    assert "Ann" in str(answers)


async def test_a_process_killed_while_posting_posts_once(wire: Wire) -> None:
    killed = asyncio.Event()

    async def killed_before_the_answer(_: web.Request, keep: Keep) -> None:
        wire.discord.fault = None
        keep()
        wire.discord.forget_nonces()
        killed.set()
        await asyncio.sleep(30)

    await wire.start_process()
    wire.discord.fault = killed_before_the_answer
    await wire.open_signups()
    await asyncio.wait_for(killed.wait(), 20)
    await wire.kill_process()

    await wire.start_process()
    await wire.people.slash(ANN, "signup")
    await until(lambda: "Ann" in str(wire.discord.messages[LEAGUE_CHANNEL][0]["components"]))
    assert len(marks(wire.discord)) == 1


async def test_a_process_killed_before_posting_posts_after_its_restart(wire: Wire) -> None:
    asked = asyncio.Event()

    async def never_kept(_: web.Request, __: Keep) -> None:
        wire.discord.fault = None
        asked.set()
        await asyncio.sleep(30)

    await wire.start_process()
    wire.discord.fault = never_kept
    await wire.open_signups()
    await asyncio.wait_for(asked.wait(), 20)
    await wire.kill_process()
    assert marks(wire.discord) == []

    await wire.start_process()
    await until(lambda: len(marks(wire.discord)) == 1)


async def test_a_result_survives_a_kill_and_old_buttons_work_after_it(wire: Wire) -> None:
    await wire.start_process()
    await wire.start_of_two()
    await until(lambda: any("Report" in buttons(m) for m in wire.discord.messages[LEAGUE_CHANNEL]))
    card = next(m for m in wire.discord.messages[LEAGUE_CHANNEL] if "Report" in buttons(m))
    await wire.people.slash(ANN, "report", result="won")
    await until(lambda: "Answer" in buttons(card))
    await wire.kill_process()

    await wire.start_process()
    (asked,) = await wire.people.press(BEN, card, "Answer")
    await wire.people.press(BEN, asked, "Confirm")
    await until(lambda: "Round 2" in str(wire.discord.messages[LEAGUE_CHANNEL]))
    assert len(marks(wire.discord)) == len(set(marks(wire.discord)))


async def test_a_question_that_was_cut_off_and_answered_before_the_bot_looked_for_it_is_deleted(
    wire: Wire, bot: LeagueBot
) -> None:
    async def kept_and_cut(request: web.Request, keep: Keep) -> None:
        if request.method == "POST":
            wire.discord.fault = None
            keep()
            assert request.transport is not None
            request.transport.close()
            await asyncio.sleep(1)

    def asked() -> bool:
        return "Is that right?" in str(wire.discord.messages[LEAGUE_CHANNEL])

    await wire.start_of_two()
    await until(lambda: any("Report" in buttons(m) for m in wire.discord.messages[LEAGUE_CHANNEL]))
    wire.discord.fault = kept_and_cut
    await wire.people.slash(ANN, "report", result="won")
    await until(asked)
    await wire.noted()
    await wire.people.slash(BEN, "confirm")
    await wire.later(timedelta(minutes=5))
    bot.announce()
    await until(lambda: not asked())
