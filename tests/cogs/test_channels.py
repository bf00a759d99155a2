"""Where a league speaks and who runs it, as Discord's own channels, threads and roles."""

from typing import Any

import discord
import pytest

from tests.cogs import slow_answers
from tests.cogs.conftest import World, text_of

DENY = discord.PermissionOverwrite(send_messages=False)


@pytest.mark.parametrize("option", ["channel", "moderation_channel"])
async def test_a_changed_channel_is_warned_of_like_a_new_one(world: World, option: str) -> None:
    await world.league()
    assert world.env.bot.user is not None
    closed = world.guild.create_text_channel("closed", overwrites={world.env.bot.user: DENY})
    answer = await world.organiser.slash(world.channel, "league settings", **{option: closed})
    assert "the bot still needs **Send Messages**" in text_of(answer)


@pytest.mark.parametrize(
    ("what", "then"),
    [
        ("moderator role", "⚠️ No moderator role: "),
        ("organiser role", "✅ Organisers: everyone with Manage Server"),
        ("moderators' channel", "⚠️ No moderators' channel: "),
    ],
)
async def test_a_role_or_channel_can_be_removed_again(world: World, what: str, then: str) -> None:
    await world.league()
    answer = text_of(await world.chief.slash(world.channel, "league settings", remove=what))
    assert any(line.startswith(then) for line in answer.splitlines())


@pytest.mark.long
@pytest.mark.parametrize("command", ["league create", "league settings"])
@pytest.mark.parametrize("option", ["moderator_role", "organiser_role"])
async def test_everyone_is_no_role_for_moderators_or_organisers(world: World, command: str, option: str) -> None:
    await world.league()
    other = world.guild.create_text_channel("other")
    given: dict[str, Any] = {"name": "Second", "channel": other} if command == "league create" else {}
    everyone = {option: world.guild.default_role}
    refused = await world.chief.slash(world.channel, command, **given, **everyone)
    assert refused.ephemeral
    assert "can't be the role" in text_of(refused)
    await world.season(players=2)
    await world.organiser.slash(world.channel, "season start")
    result = {"match": "R1 M1", "outcome": "Ada", "reason": "me"}
    assert "Only" in text_of(await world.outsider.slash(world.channel, "result set", **result))


@pytest.mark.long
async def test_commands_work_in_a_thread_of_the_leagues_channel(world: World) -> None:
    await world.league("One")
    other = world.guild.create_text_channel("other")
    await world.chief.slash(world.channel, "league create", name="Two", channel=other)
    await world.season(players=2)
    bot_channel = world.env.bot.get_channel(world.channel.id)
    await bot_channel.create_thread(name="R1 M1", type=discord.ChannelType.public_thread)
    await world.env.settle()
    (thread,) = world.channel.threads
    answer = await world.players[0].slash(thread, "drop")
    assert "off the sign-up list of season 1" in text_of(answer)


@pytest.mark.at_once
async def test_a_private_error_after_a_public_defer_stays_private(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.league()
    before = len(world.channel.history())
    slow_answers.late(monkeypatch, form=True)
    answer = await world.players[0].slash(world.channel, "time-called", game="keyforge", league="Nowhere")
    assert [bool(followup.ephemeral) for followup in answer.followups] == [True]
    assert "Nowhere" in text_of(answer)
    assert len(world.channel.history()) == before


@pytest.mark.long
async def test_a_file_is_not_even_loaded_for_someone_who_may_not_import(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unread(*_: object, **__: object) -> bytes:
        raise AssertionError("the file was loaded")

    await world.league()
    monkeypatch.setattr(discord.Attachment, "read", unread)
    await world.season(players=2)
    for command, file in (("league import", ("a.json", b"{}")), ("season maps", ("a.txt", b"1, Map"))):
        refused = await world.outsider.slash(world.channel, command, file=file)
        assert refused.ephemeral
        assert "Only" in text_of(refused)
        assert "broke on our side" not in text_of(refused)


@pytest.mark.long
async def test_a_failed_download_says_so(world: World) -> None:
    await world.league()
    cdn = world.env.backend.cdn
    cdn.get = lambda _: None  # as when Discord has lost the file
    answer = await world.organiser.slash(world.channel, "league import", file=("a.json", b"{}"))
    assert answer.ephemeral
    assert "Discord didn't give us a.json" in text_of(answer)


@pytest.mark.long
async def test_a_bot_cannot_be_entered(world: World) -> None:
    await world.league()
    await world.season(players=2)
    robot = world.guild.add_member(world.env.create_user("robot", bot=True))
    refused = await world.organiser.slash(world.channel, "player add", user=robot)
    assert refused.ephemeral
    assert "is a bot" in text_of(refused)
    assert "2 players" in text_of(await world.organiser.slash(world.channel, "season status"))


@pytest.mark.long
async def test_a_profile_without_a_player_is_ones_own(world: World) -> None:
    await world.started(players=2)
    assert "Ada" in text_of(await world.players[0].slash(world.channel, "profile"))
    stranger = await world.outsider.slash(world.channel, "profile")
    assert stranger.ephemeral
    assert "haven't played in Arena League yet" in text_of(stranger)


@pytest.mark.long
async def test_confirm_with_nothing_reported_says_so(world: World) -> None:
    await world.started(players=2)
    answer = await world.players[0].slash(world.channel, "confirm")
    assert answer.ephemeral
    assert "nothing to confirm" in text_of(answer)
