"""What a log must never hold, at the level that tells most."""

import asyncio
import logging

import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.client import LeagueBot
from bot.settings import Settings
from tests.wire.conftest import Wire, until

SECRET = "MTIzNDU2.GhIjKl.verysecretpartofit"


@pytest.mark.short
async def test_the_token_is_never_logged(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{wire.port}/api")
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(f"ws://127.0.0.1:{wire.port}/gateway/"))
    settings = Settings.from_env({"DISCORD_TOKEN": SECRET, "DATABASE": str(wire.database), "BACKUPS": "off"})
    with caplog.at_level(logging.DEBUG):
        logging.getLogger(__name__).info("the settings are %s", settings)
        bot = LeagueBot(settings, now=wire.now)
        running = asyncio.create_task(bot.start(SECRET))
        await asyncio.wait_for(wire.discord.gateway.identified.wait(), 30)
        await until(bot.is_ready)
        await wire.open_signups()
        await until(lambda: bool(wire.discord.posts))
        assert "Sign-ups are open" in str(wire.discord.posts[0])
        await bot.close()
        await running
    assert "discord.gateway" in {record.name for record in caplog.records}
    assert "verysecret" not in caplog.text
