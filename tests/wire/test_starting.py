"""How the program starts and ends: what is wrong is said in words, and what can't pass is not tried again."""

import asyncio
import contextlib
import json
import os
import sqlite3
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import start
from bot.client import LeagueBot
from bot.league.errors import Invalid
from bot.league.season.names import prototypes
from bot.settings import Settings
from cogs.runtime.health import Health
from tests.files import new_database
from tests.loopback.objects import LEAGUE_CHANNEL
from tests.ports import reserved_port
from tests.wire.conftest import ROOT, Wire, until
from tests.wire.test_faults import always, server_error


@pytest.fixture(autouse=True)
def loopback(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{wire.port}/api")
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(f"ws://127.0.0.1:{wire.port}/gateway/"))


def settings(wire: Wire, **more: str) -> Settings:
    return Settings.from_env({"DISCORD_TOKEN": "token", "DATABASE": str(wire.database), "BACKUPS": "off", **more})


async def no_pause(_: float) -> None:
    """Try again at once."""


async def never(_: float) -> None:
    raise AssertionError("this is not tried again")


@asynccontextmanager
async def running(wire: Wire, **more: str) -> AsyncGenerator["asyncio.Task[int]"]:
    """Run the program's part that talks to Discord, connected."""
    task = asyncio.create_task(start.run(settings(wire, **more), no_pause))
    try:
        await asyncio.wait_for(wire.discord.gateway.identified.wait(), 30)
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def health(port: int) -> tuple[int, Any]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/") as answer:
        return answer.status, json.loads(await answer.text())


@pytest.mark.short
async def test_a_wrong_token_ends_the_program_at_once(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def login(*_: object) -> None:
        raise discord.LoginFailure("Improper token has been passed.")

    monkeypatch.setattr(LeagueBot, "login", login)
    assert await start.run(settings(wire), never) == 2
    assert "reset it in the Developer Portal" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (4004, "reset it in the Developer Portal"),
        (4011, "set SHARD_COUNT"),
        (4012, "update Fairpair"),
        (4013, "update Fairpair"),
        (4014, "update Fairpair"),
    ],
)
async def test_a_refusal_of_the_gateway_ends_the_program_in_words(
    wire: Wire, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running(wire, SHARD_COUNT="1") as program:
        await wire.discord.gateway.cut(code)
        assert await asyncio.wait_for(program, 30) == 2
    said = capsys.readouterr().err
    assert words in said.splitlines()[-1]


async def test_discord_says_how_many_connections_unless_the_settings_do(wire: Wire) -> None:
    wire.discord.shards = 2
    bot = LeagueBot(settings(wire))
    task = asyncio.create_task(bot.start("token"))
    await until(lambda: len(bot.shards) == 2)
    await bot.close()
    await task


@pytest.mark.short
async def test_a_bot_that_has_grown_asks_for_more_connections(wire: Wire) -> None:
    async with running(wire) as program:
        wire.discord.shards = 2
        wire.discord.gateway.identified.clear()
        await wire.discord.gateway.cut(4011)
        await asyncio.wait_for(wire.discord.gateway.identified.wait(), 30)
        assert not program.done()


@pytest.mark.parametrize(("lasted", "pause"), [(start.LONGEST_PAUSE, 20), (start.LONGEST_PAUSE + 1, 5)])
async def test_pauses_begin_again_after_a_connection_that_lasted(wire: Wire, lasted: int, pause: int) -> None:
    wire.discord.gateway.ready, pauses, clock = {"user": {}}, list[float](), [0.0]

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            wire.discord.gateway.ready = {}
            wire.discord.gateway.identified.clear()

    program = asyncio.create_task(start.run(settings(wire), sleep, lambda: clock[0]))
    try:
        await until(lambda: len(pauses) >= 2)
        await asyncio.wait_for(wire.discord.gateway.identified.wait(), 30)
        clock[0] += lasted
        await wire.discord.gateway.cut(4011)
        await until(lambda: len(pauses) >= 3)
        assert pauses[:3] == [5, 10, pause]
    finally:
        program.cancel()
        await asyncio.gather(program, return_exceptions=True)


@pytest.mark.short
async def test_which_letters_look_alike_is_known_before_anyone_waits_for_it(wire: Wire) -> None:
    prototypes.cache_clear()
    async with running(wire):
        assert prototypes.cache_info().currsize == 1


@pytest.mark.short
async def test_a_health_port_that_is_taken_is_said_at_once(wire: Wire) -> None:
    port = reserved_port()
    async with Health(("127.0.0.1", port)):
        with pytest.raises(Invalid, match=rf"HEALTH_PORT 127\.0\.0\.1:{port} can't be used"):
            await start.run(settings(wire, HEALTH_PORT=str(port)), never)


@pytest.mark.short
async def test_a_database_that_cannot_be_used_is_not_taken_for_the_network(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def opened(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr("storage.database.Database.open", opened)
    assert await start.run(settings(wire), never) == 1
    assert "disk I/O error" in capsys.readouterr().err


@pytest.mark.parametrize("copied", [False, True])
async def test_the_start_warns_of_a_sqlite_that_can_damage_a_file_with_litestream(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, copied: bool
) -> None:
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 46, 1))
    with contextlib.closing(sqlite3.connect(await new_database(wire.database))) as conn:
        if copied:
            conn.execute("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
    with caplog.at_level("INFO", logger="bot.start"):
        async with running(wire) as program:
            assert not program.done()  # it never refuses to start
    (record,) = (record for record in caplog.records if "WAL-reset" in record.getMessage())
    assert (record.levelname, "stop Litestream" in record.getMessage()) == (
        ("WARNING", True) if copied else ("INFO", False)
    )


async def test_the_health_address_answers_before_discord_can_be_reached(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, waiting = reserved_port(), asyncio.Event()

    async def wait(_: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Route, "BASE", "http://127.0.0.1:1/api")
    program = asyncio.create_task(start.run(settings(wire, HEALTH_PORT=str(port)), wait))
    await asyncio.wait_for(waiting.wait(), 30)
    status, found = await health(port)
    assert (status, found["well"], found["gateway"]) == (503, False, False)
    program.cancel()
    await asyncio.gather(program, return_exceptions=True)


@pytest.mark.short
async def test_the_health_address_says_what_is_wrong(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    port = reserved_port()
    bot = LeagueBot(settings(wire), now=wire.now)
    running = asyncio.create_task(bot.start("token"))
    await asyncio.wait_for(wire.discord.gateway.identified.wait(), 30)
    await until(bot.is_ready)
    async with Health(("127.0.0.1", port)) as listening:
        listening.bot = bot
        status, found = await health(port)
        assert (status, found["gateway"], found["database"]) == (200, True, True)
        always(LEAGUE_CHANNEL, server_error, wire.discord)
        await wire.open_signups()
        wire.ahead += timedelta(minutes=10)
        status, found = await health(port)
        assert status == 200
        assert found["post_seconds"] >= 600
        release = threading.Event()
        writing = asyncio.create_task(bot.database.write(lambda _: release.wait()))
        monkeypatch.setattr("cogs.runtime.health.DATABASE_SECONDS", 0.1)
        status, found = await health(port)
        assert (status, found["database"]) == (503, False)
        release.set()
        await writing
    await bot.close()
    await running


async def test_the_health_address_says_why_there_is_no_backup(wire: Wire) -> None:
    port = reserved_port()
    folder = wire.database.parent / "backups"
    folder.write_text("a file where the folder should be")
    async with running(wire, BACKUPS=str(folder), HEALTH_PORT=str(port)):
        async with asyncio.timeout(30):
            while not (found := (await health(port))[1])["backup"]:  # noqa: ASYNC110 (made elsewhere)
                await asyncio.sleep(0.1)
        assert "can't be used for backups" in found["backup"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["league.db", "league.db.lock"])
async def test_a_file_deleted_under_the_running_program_ends_it_in_words(wire: Wire, name: str) -> None:
    log = wire.database.with_name("log")
    environment = {**os.environ, "DISCORD_TOKEN": "token", "DATABASE": str(wire.database), "BACKUPS": "off"}
    command = [sys.executable, "-m", "tests.wire.run_bot", str(wire.port), "run"]
    with log.open("wb") as stderr:
        wire.process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=environment, stderr=stderr)
        await asyncio.wait_for(wire.discord.gateway.identified.wait(), 60)
        wire.database.with_name(name).unlink()
        assert await asyncio.wait_for(wire.process.wait(), 60) == 2
    said = log.read_text().splitlines()
    assert "while the bot ran, so the bot has stopped" in said[-1]
