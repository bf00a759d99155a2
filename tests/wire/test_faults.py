"""Discord failing in the ways it does: each post comes once, and a channel that fails holds up no other."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest
import yarl
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import start
from bot.client import LeagueBot
from bot.settings import Settings
from tests.loopback.discord_server import Discord, Keep
from tests.loopback.objects import LEAGUE_CHANNEL, MODERATION_CHANNEL
from tests.ports import reserved_port
from tests.wire.conftest import ANN, ORGANISER, Wire, until
from tests.wire.test_wire import marks

Answer = Callable[[], web.Response]


def server_error() -> web.Response:
    return web.json_response({"message": "Oops", "code": 0}, status=500)


def slow_down(seconds: float, *, everywhere: bool = False) -> web.Response:
    body = {"message": "You are being rate limited.", "retry_after": seconds, "global": everywhere}
    return web.json_response(body, status=429, headers={"Retry-After": str(seconds), "Via": "1.1 loopback"})


def cloudflare() -> web.Response:
    return web.Response(status=429, text="<html>error code: 1015</html>", headers={"Retry-After": "60"})


def always(channel: int, answer: Answer, discord: Discord) -> None:
    """Answer every message to a channel so, and take those to the others."""

    async def fault(request: web.Request, _: Keep) -> web.Response | None:
        return answer() if int(request.match_info["channel"]) == channel else None

    discord.fault = fault


async def two_leagues(wire: Wire) -> None:
    """Make two leagues with a channel each, and open the sign-ups of both, the first one's first."""
    await wire.open_signups()
    await wire.people.slash(ORGANISER, "league create", name="Other", channel=str(MODERATION_CHANNEL))
    (panel,) = await wire.people.slash(ORGANISER, "season create", format="ohs", league="Other")
    await wire.people.press(ORGANISER, panel, "Open sign-ups")


@pytest.mark.parametrize("answer", [server_error, lambda: slow_down(25), lambda: slow_down(600), cloudflare])
async def test_a_failing_channel_holds_up_no_other(wire: Wire, bot: LeagueBot, answer: Answer) -> None:
    always(LEAGUE_CHANNEL, answer, wire.discord)
    await two_leagues(wire)
    await until(lambda: len(wire.discord.messages.get(MODERATION_CHANNEL, [])) == 1)
    assert marks(wire.discord) == []


@pytest.mark.parametrize("answer", [lambda: slow_down(600), cloudflare])
async def test_a_long_limit_is_waited_out_without_a_second_request(wire: Wire, bot: LeagueBot, answer: Answer) -> None:
    always(LEAGUE_CHANNEL, answer, wire.discord)
    await wire.open_signups()
    await until(lambda: len(wire.discord.posts) == 1)
    bot.announce()
    await wire.people.slash(ANN, "signup")
    assert len(wire.discord.posts) == 1


async def test_a_limit_for_the_whole_bot_is_waited_out(wire: Wire, bot: LeagueBot) -> None:
    async def limited(_: web.Request, __: Keep) -> web.Response:
        wire.discord.fault = None
        return slow_down(0.3, everywhere=True)

    wire.discord.fault = limited
    await two_leagues(wire)
    await until(lambda: len(marks(wire.discord)) == len(wire.discord.messages.get(MODERATION_CHANNEL, [])) == 1)
    assert len(wire.discord.posts) == 3


@pytest.mark.short
async def test_a_post_accepted_with_an_error_stands_once(wire: Wire, bot: LeagueBot) -> None:
    async def kept_and_failed(_: web.Request, keep: Keep) -> web.Response:
        wire.discord.fault = None
        keep()
        return web.json_response({"message": "Bad gateway"}, status=502)

    wire.discord.fault = kept_and_failed
    await wire.open_signups()
    await until(lambda: len(wire.discord.posts) == 2)
    await wire.people.slash(ANN, "signup")
    await wire.later(timedelta(minutes=1))
    bot.announce()
    await until(lambda: "Ann" in str(wire.discord.messages[LEAGUE_CHANNEL][0]["components"]))
    assert len(marks(wire.discord)) == 1


@pytest.mark.short
async def test_parked_posts_come_back_after_a_restart(wire: Wire, bot: LeagueBot) -> None:
    def closed() -> web.Response:
        return web.json_response({"message": "Missing Access", "code": 50001}, status=403)

    always(LEAGUE_CHANNEL, closed, wire.discord)
    await wire.open_signups()
    await until(lambda: len(wire.discord.posts) == 1)
    await bot.close()
    wire.discord.fault = None
    again = LeagueBot(bot.settings, now=wire.now)
    running = asyncio.create_task(again.start("token"))
    await until(lambda: len(marks(wire.discord)) == 1)
    await again.close()
    await running


async def test_the_bot_waits_for_the_network_and_starts_when_it_comes(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{reserved_port()}/api")
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(f"ws://127.0.0.1:{wire.port}/gateway/"))
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{wire.port}/api")

    settings = Settings.from_env({"DISCORD_TOKEN": "token", "DATABASE": str(wire.database), "BACKUPS": "off"})
    running = asyncio.create_task(start.run(settings, sleep))
    await asyncio.wait_for(wire.discord.gateway.identified.wait(), 30)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert pauses == [5, 10, 20]
    waits = [record for record in caplog.records if "can't reach Discord" in record.getMessage()]
    assert len(waits) == 3
    assert not any(record.exc_info for record in waits)
