"""The doctor: one line for each thing the bot needs, exit code 1 if one is wrong, and nothing is changed by looking."""

import asyncio
import socket
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import aiohttp
import discord
import pytest
from aiohttp import web
from discord.http import Route

from bot.hosting import backing_up, doctor
from bot.hosting.discord_checks import application_of, invite_link
from bot.league.errors import Conflict
from cogs.ui.commands import names_of
from cogs.ui.rights import NEEDED
from cogs.wiring import COGS
from storage.files import lock
from storage.files.damage import DamagedFile
from tests.hosting.conftest import damage
from tests.hosting.test_starting import start
from tests.test_program import ROOT, run_process

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.abc.def"
TODAY = date(2026, 3, 4)


class Answers:
    """What Discord says on loopback."""

    def __init__(self) -> None:
        self.status = 200
        self.headers: dict[str, str] = {}
        self.known = set(names_of(COGS))
        self.permissions = discord.Permissions(**dict.fromkeys(NEEDED, True))

    async def me(self, request: web.Request) -> web.Response:
        assert request.headers.get("Authorization") in (None, f"Bot {TOKEN}")
        return web.json_response({"username": "Fairpair"}, status=self.status, headers=self.headers)

    async def commands(self, _: web.Request) -> web.Response:
        return web.json_response([{"name": name} for name in sorted(self.known)])

    async def guilds(self, _: web.Request) -> web.Response:
        return web.json_response([{"name": "Arena", "permissions": str(self.permissions.value)}])


@pytest.fixture
async def answers(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Answers]:
    answers = Answers()
    app = web.Application()
    app.add_routes([web.get("/users/@me", answers.me), web.get("/users/@me/guilds", answers.guilds)])
    app.add_routes([web.get("/applications/{application}/commands", answers.commands)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}")
    yield answers
    await runner.cleanup()


async def told(environment: dict[str, str], named: dict[str, str] | None = None) -> dict[str, str]:
    """Return each line by its subject."""
    found = [finding async for finding in doctor.findings(environment, named or {}, TODAY)]
    return {finding.subject: finding.line() for finding in found}


def of(database: Path, **more: str) -> dict[str, str]:
    return {"DISCORD_TOKEN": TOKEN, "DATABASE": str(database), **more}


def wrong(lines: dict[str, str]) -> set[str]:
    return {subject for subject, line in lines.items() if line.startswith("WRONG")}


async def test_everything_is_well(database: Path, answers: Answers) -> None:
    lines = await told(of(database))
    assert wrong(lines) == set()
    assert list(lines) == [
        "versions",
        "fonts",
        "settings",
        "database",
        "SQLite",
        "running",
        "disk",
        "backups",
        "clock",
        "Discord",
        "rights",
        "roles",
        "commands",
        "invite link",
    ]
    assert "newest season 3 of L7" in lines["database"]
    assert "as Fairpair" in lines["Discord"]


@pytest.mark.parametrize("status", [401, 503])
async def test_a_token_that_is_refused_is_wrong(database: Path, answers: Answers, status: int) -> None:
    answers.status = status
    lines = await told(of(database))
    assert wrong(lines) == {"Discord"}
    assert ("reset it" if status == 401 else "try again later") in lines["Discord"]


def lose(database: Path) -> None:
    """Move a database away and leave its log."""
    database.rename(database.with_name("elsewhere.db"))
    database.with_name("league.db-wal").write_bytes(b"words")


async def test_what_refuses_a_start_is_told(database: Path, answers: Answers) -> None:
    with closing(sqlite3.connect(database)) as conn:
        conn.execute("INSERT INTO arrivals VALUES (900, '/elsewhere/league.db')")
        conn.commit()
    with pytest.raises(Conflict) as refused:
        await start(database)
    assert str(refused.value) in (await told(of(database)))["database"]
    lose(database)
    with pytest.raises(DamagedFile) as lost:
        await start(database)
    lines = await told(of(database))
    assert wrong(lines) == {"database"}
    assert str(lost.value) in lines["database"]


async def test_a_clock_that_is_wrong_is_told(database: Path, answers: Answers) -> None:
    answers.headers["Date"] = f"{datetime.now(UTC) - timedelta(minutes=5):%a, %d %b %Y %H:%M:%S} GMT"
    lines = await told(of(database))
    assert wrong(lines) == {"clock"}
    assert "seconds away from Discord's" in lines["clock"]


async def test_a_missing_right_is_named_with_its_server(database: Path, answers: Answers) -> None:
    answers.permissions.update(attach_files=False)
    lines = await told(of(database))
    assert wrong(lines) == {"rights"}
    assert "Arena (Attach Files)" in lines["rights"]


async def test_without_a_token_discord_is_only_reached(database: Path, answers: Answers) -> None:
    answers.status = 401
    lines = await told({"DATABASE": str(database)})
    assert wrong(lines) == set()
    assert lines["Discord"].startswith("-")


async def test_without_a_network_the_rest_is_told(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", "http://127.0.0.1:9")
    lines = await told(of(database))
    assert wrong(lines) == {"Discord"}
    assert "check the network" in lines["Discord"]


async def test_a_discord_that_does_not_answer_is_told(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setattr("bot.hosting.discord_checks.PATIENCE", aiohttp.ClientTimeout(total=0.1))
        assert "can't be reached (no answer)" in (await told(of(database)))["Discord"]


async def test_backups_elsewhere_are_told_of_what_the_service_may_write(
    database: Path, answers: Answers, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    assert "ReadWritePaths" in (await told(of(database, BACKUPS=str(elsewhere))))["backups"]
    assert "ReadWritePaths" not in (await told(of(database)))["backups"]


async def test_what_is_wrong_with_the_database_is_told_with_the_way_back(database: Path, answers: Answers) -> None:
    damage(database)
    assert "is damaged (" in (await told(of(database)))["database"]
    with closing(sqlite3.connect(database.with_name("newer.db"))) as conn:
        conn.execute("PRAGMA application_id = 0x46507231")
        conn.execute("PRAGMA user_version = 99")
    assert "update Fairpair" in (await told(of(database.with_name("newer.db"))))["database"]


@pytest.mark.long
async def test_old_damaged_or_missing_backups_are_told(database: Path, answers: Answers) -> None:
    folder = database.parent / "backups"
    assert (await told(of(database)))["backups"].startswith("-")
    await asyncio.to_thread(backing_up.back_up, database, folder, TODAY - timedelta(days=3))
    assert "is 3 days old" in (await told(of(database)))["backups"]
    await asyncio.to_thread(backing_up.back_up, database, folder, TODAY)
    assert (await told(of(database)))["backups"].startswith("ok")
    newest = backing_up.newest(database, folder)
    assert newest is not None
    damage(newest)
    assert f"{newest} is damaged" in (await told(of(database)))["backups"]
    assert (await told(of(database, BACKUPS="off")))["backups"].startswith("-")


async def test_settings_are_looked_at_first(database: Path, answers: Answers) -> None:
    assert "LOG_LEVL" in (await told(of(database), {"LOG_LEVL": "DEBUG"}))["settings"]
    assert "isn't shaped like a bot token" in (await told(of(database, DISCORD_TOKEN="abc")))["settings"]
    lines = await told(of(database, LOG_LEVEL="loud"))
    assert (wrong(lines), list(lines)) == ({"settings"}, ["versions", "fonts", "settings"])


async def test_who_holds_the_database_is_told(database: Path, answers: Answers) -> None:
    with lock.held(database, "a bot"):
        assert "a bot (process" in (await told(of(database)))["running"]


def test_the_invite_link_asks_for_what_is_used_and_nothing_else() -> None:
    application = application_of(TOKEN)
    assert application == 123456789012345678
    asked = parse_qs(urlsplit(invite_link(application)).query)
    assert asked["scope"] == ["bot applications.commands"]
    given = {name for name, allowed in discord.Permissions(int(asked["permissions"][0])) if allowed}
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    asked_for = page.partition("| permission |")[2].partition("\n\n")[0]
    assert given == {name for name, _ in discord.Permissions.all() if f"**{named(name)}**" in asked_for}


def named(right: str) -> str:
    """Return what Discord calls a right."""
    return {"read_messages": "View Channel"}.get(right, right.replace("_", " ").title().replace(" In ", " in "))


@pytest.mark.long
def test_the_program_exits_with_1_where_something_is_wrong(tmp_path: Path) -> None:
    done = run_process("doctor", cwd=tmp_path, env={"LOG_LEVEL": "loud"})
    assert (done.returncode, done.stderr) == (1, "")
    assert "WRONG settings: LOG_LEVEL must be" in done.stdout
    assert list(tmp_path.iterdir()) == []


async def test_a_database_of_0_1_is_wrong_in_one_sentence(database: Path, answers: Answers) -> None:
    with closing(sqlite3.connect(database)) as conn:
        conn.executescript("DROP TABLE threads; DROP TABLE arrivals")
    line = (await told(of(database)))["database"]
    assert line.startswith("WRONG")
    assert "Fairpair 0.1 made it" in line


@pytest.mark.long
async def test_commands_that_discord_lacks_are_named(answers: Answers, tmp_path: Path) -> None:
    await start(tmp_path / "league.db")
    assert "all are on Discord" in (await told(of(tmp_path / "league.db")))["commands"]
    answers.known -= {"report", "league"}
    line = (await told(of(tmp_path / "league.db")))["commands"]
    assert "Discord lacks league, report: start the bot" in line
