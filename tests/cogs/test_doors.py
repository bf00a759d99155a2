"""The one door for errors, the command table, the synchronisation, files in and out."""

import json
import logging
from collections.abc import Callable
from typing import Any

import discord
import pytest

from bot.client import LeagueBot
from bot.league.season.settings import SETTINGS
from bot.settings import Settings
from cogs.ui.actions import ACTIONS, ActionButton
from storage.database import Database
from tests.cogs.conftest import World, buttons_of, labels, text_of

COMMANDS = {
    "signup", "drop", "rejoin", "report", "confirm", "dispute", "match", "standings", "bracket", "why",
    "rules", "disputes", "result set", "result clear", "league create", "league settings", "league export",
    "league import", "league audit", "season create", "season start", "season status", "season settings",
    "season cancel", "round post", "round swap", "round extend",
    "player add", "player drop", "player disqualify", "player reinstate", "player rename",
    "player ban", "player apart", "player merge", "announce",
}  # fmt: skip


def leaves(world: World) -> dict[str, discord.app_commands.Command]:
    walked = world.env.bot.tree.walk_commands()
    return {command.qualified_name: command for command in walked if not hasattr(command, "commands")}


async def test_the_commands_are_those_people_are_told_of(world: World) -> None:
    found = leaves(world)
    assert set(found) >= COMMANDS
    for name, command in found.items():
        options = [option.display_name for option in command.parameters]
        assert "league" in options, name
        assert len(options) <= 25, name
        assert all(option.description not in ("", "…") for option in command.parameters), name
        assert command.default_permissions is None


@pytest.mark.long
async def test_commands_are_sent_only_when_they_changed(world: World) -> None:
    def syncs() -> int:
        return sum(entry.method == "PUT" and "commands" in entry.path for entry in world.env.http_requests)

    def asked() -> int:
        return sum(entry.method == "GET" and "commands" in entry.path for entry in world.env.http_requests)

    before, looked, ids = syncs(), asked(), dict(world.env.bot.command_ids)
    await world.restart()
    assert (syncs(), asked()) == (before, looked + 1)
    assert world.env.bot.command_ids == ids
    tree = world.env.bot.tree
    tree.remove_command("rules")
    assert await tree.sync_if_changed(None)
    assert not await tree.sync_if_changed(None)


CHANGES: dict[str, Callable[[discord.app_commands.CommandTree], tuple[Any, str, Any]]] = {
    "a right": lambda tree: (tree.get_command("league"), "default_permissions", discord.Permissions(8)),
    "where it can be used": lambda tree: (tree.allowed_contexts, "dm_channel", True),
    "how it is installed": lambda tree: (tree.allowed_installs, "guild", True),
    "words": lambda tree: (tree.get_command("rules"), "description", "Other words."),
}


@pytest.mark.parametrize("what", CHANGES)
async def test_whatever_changes_about_a_command_is_sent(
    world: World, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = world.env.bot.tree
    assert not await tree.sync_if_changed(None)
    monkeypatch.setattr(*CHANGES[what](tree))
    assert await tree.sync_if_changed(None)
    assert not await tree.sync_if_changed(None)


@pytest.mark.long
async def test_an_option_that_takes_less_or_more_is_sent(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = world.env.bot.tree
    reason = tree.get_command("dispute")._params["reason"]
    before = reason.max_value
    for most, changed in ((before, False), (20, True), (None, True), (before, True)):
        monkeypatch.setattr(reason, "max_value", most)
        assert await tree.sync_if_changed(None) is changed


async def test_a_command_of_an_older_version_is_answered_in_words(
    world: World, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.league()
    tree = world.env.bot.tree
    tree.remove_command("notify")
    answer = await world.players[0].slash(world.channel, "notify")
    assert answer.ephemeral
    assert "Reload Discord" in text_of(answer)
    monkeypatch.setattr(tree.get_command("rules")._params["season"], "required", True)
    answer = await world.players[0].slash(world.channel, "rules")
    assert "Reload Discord" in text_of(answer)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(world.env.errors) == 2


async def test_a_bug_in_a_command_is_an_apology_with_an_id(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await world.league()

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("bot.services.reads.overview.status", broken)
    with caplog.at_level(logging.ERROR):
        answer = await world.organiser.slash(world.channel, "season status")
    assert answer.ephemeral
    assert "secret" not in text_of(answer)
    incident = text_of(answer).split("`")[-2]
    record = next(record for record in caplog.records if incident in record.getMessage())
    assert record.exc_info is not None
    assert "secret detail" in str(record.exc_info[1])


@pytest.mark.long
async def test_a_bug_behind_a_button_is_explained_too(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await world.started(players=2)

    def broken(*_: object, **__: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr("bot.services.play.reporting.report", broken)
    post = world.open_matches()[0]
    answer = await world.report(world.sides(post)[0], "won", post)
    assert answer.ephemeral
    assert "broke on our side" in text_of(answer)


@pytest.mark.long
async def test_every_button_has_something_to_do(world: World) -> None:
    await world.started(players=2)
    for message in world.channel.history():
        for label in labels(message):
            assert label
        for button in buttons_of(message):
            match = ActionButton.__discord_ui_compiled_template__.fullmatch(str(button.custom_id))
            assert match is not None
            assert match["action"] in ACTIONS


@pytest.mark.long
async def test_a_season_goes_out_as_a_file_and_comes_in_as_one(world: World) -> None:
    await world.started(players=4)
    given = await world.organiser.slash(world.channel, "league export")
    assert given.ephemeral
    attachment = given.response.attachments[0]
    text = (await attachment.read()).decode()
    assert json.loads(text)["format"] == "ohs"
    other = world.guild.create_text_channel("other")
    await world.chief.slash(other, "league create", name="Copy", channel=other)
    asked = await world.chief.slash(other, "league import", file=("season.json", text.encode()))
    assert "not over: 4 players, 2 matches. People: 0 known, 4 new." in text_of(asked)
    done = await world.chief.click(asked.response, label="Import")
    assert "Imported: 1 season" in text_of(done)
    assert "Ada" in text_of(await world.outsider.slash(other, "standings"))


@pytest.mark.parametrize("blob", [b"", b"{", b"\xff\xfe", b"[]", b'{"fairpair": 2}', b'{"fairpair": 1, "x": 1}'])
async def test_a_broken_file_is_refused_by_name(world: World, blob: bytes) -> None:
    await world.league()
    answer = await world.organiser.slash(world.channel, "league import", file=("bad.json", blob))
    assert answer.ephemeral
    assert "bad.json" in text_of(answer)


async def test_the_settings_say_how_many_shards_there_are() -> None:
    sharded, plain = LeagueBot(Settings(shard_ids=(0, 1), shard_count=2)), LeagueBot(Settings())
    assert plain.intents == discord.Intents(guilds=True)
    async with sharded, plain:
        assert (sharded.shard_count, sharded.shard_ids) == (2, [0, 1])
        assert (plain.shard_count, plain.shard_ids) == (None, None)


async def test_every_number_someone_types_has_a_least_one(world: World) -> None:
    numbers = {
        f"{name} {option.display_name}": option.min_value
        for name, command in leaves(world).items()
        for option in command.parameters
        if option.type is discord.AppCommandOptionType.integer
        if not (option.choices or option.autocomplete or option.name in SETTINGS)
    }
    assert "round extend days" in numbers
    assert [option for option, least in numbers.items() if least is None] == []


@pytest.mark.long
async def test_a_start_with_nothing_to_do_writes_nothing_for_a_server(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.started(players=2)
    await world.restart()
    written: list[str] = []
    write = Database.write

    async def noted(database: Database, use_case: Any, *given: Any, **named: Any) -> Any:
        written.append(use_case.__name__)
        return await write(database, use_case, *given, **named)

    monkeypatch.setattr(Database, "write", noted)
    await world.restart()
    assert written == ["begin"], "only that a new life begins, once for all servers"
