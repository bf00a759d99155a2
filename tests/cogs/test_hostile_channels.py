"""Channels that go, close and open again; a bot that is put out of a server and asked back."""

import copy
from collections.abc import Callable

import discord
import pytest
from simcord.backend import serializers
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from tests.cogs.conftest import World, labels, message_text, text_of

SEND = discord.Permissions(send_messages=True).value


def close(world: World) -> None:
    path = f"/channels/{world.channel.id}/messages"
    world.env.inject_error("POST", path, status=403, code=50001, message="Missing Access", times=None)


def reopen(world: World) -> None:
    world.env.backend.faults.clear()


@pytest.mark.long
async def test_a_closed_channel_is_told_of_once_and_one_press_tries_all(world: World) -> None:
    await world.league()
    await world.season(players=8)
    close(world)
    await world.organiser.slash(world.back_room, "season start")
    assert len(world.posts("a post is missing", world.back_room)) == 1
    panel = await world.moderator.slash(world.back_room, "disputes")
    assert labels(panel.response).count("Try the posts again") == 1
    assert not world.open_matches()
    reopen(world)
    await world.moderator.click(panel.response, label="Try the posts again")
    assert len(world.open_matches()) == 4
    assert "Nothing" in text_of(await world.moderator.slash(world.back_room, "disputes"))


@pytest.mark.long
async def test_a_channel_that_stays_closed_is_told_of_again_after_a_try(world: World) -> None:
    await world.league()
    await world.season(players=2)
    close(world)
    await world.organiser.slash(world.back_room, "season start")
    await world.jump(minutes=5)
    panel = await world.moderator.slash(world.back_room, "disputes")
    await world.moderator.click(panel.response, label="Try the posts again")
    assert len(world.posts("a post is missing", world.back_room)) == 2


@pytest.mark.long
@pytest.mark.parametrize("moderation_channel", [True, False])
async def test_a_deleted_channel_is_replaced_and_gets_what_it_missed(world: World, moderation_channel: bool) -> None:
    await world.league()
    await world.season(players=4)
    world.env.backend.delete_channel((world.channel if moderation_channel else world.back_room).id)
    await world.env.settle()
    other = world.guild.create_text_channel("other")
    await world.organiser.slash(other, "season start")
    key = "channel" if moderation_channel else "moderation_channel"
    assert f"<#{other.id}>" in text_of(await world.organiser.slash(other, "league settings", **{key: other}))
    await world.jump(seconds=1)
    matches = world.open_matches(other if moderation_channel else world.channel)
    assert len(matches) == 2
    upper = world.sides(matches[0])[0]
    assert "Got it" in text_of(await world.report(upper, "won", matches[0]))


@pytest.mark.long
async def test_a_bot_asked_back_makes_the_posts_it_could_not(world: World) -> None:
    await world.league()
    await world.season(players=4)
    close(world)
    await world.organiser.slash(world.back_room, "season start")
    reopen(world)
    guild = world.env.bot.get_guild(world.guild.id)
    world.env.bot.dispatch("guild_join", guild)
    await world.jump(seconds=1)
    assert len(world.open_matches()) == 2


@pytest.mark.long
async def test_a_channel_opened_again_gets_what_it_missed(world: World) -> None:
    await world.league()
    await world.season(players=4)
    everyone = Overwrite(target_id=world.guild.id, type=OverwriteType.ROLE, deny=SEND)
    backend = world.env.backend
    channel = backend.get_channel(world.channel.id)
    channel.overwrites.append(everyone)
    backend.emit("CHANNEL_UPDATE", dict(serializers.channel_payload(backend, channel)))
    await world.env.settle()
    await world.organiser.slash(world.back_room, "season start")
    assert not world.open_matches()
    channel.overwrites.remove(everyone)
    backend.emit("CHANNEL_UPDATE", dict(serializers.channel_payload(backend, channel)))
    await world.jump(seconds=1)
    assert len(world.open_matches()) == 2


async def test_a_post_in_a_channel_the_league_left_is_sent_again_once_that_channel_is_deleted(world: World) -> None:
    await world.league()
    await world.season(players=1)
    other = world.guild.create_text_channel("other")
    await world.organiser.slash(world.channel, "league settings", channel=other)
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    await world.players[1].slash(other, "signup")
    assert "2 players so far" in message_text(world.post("Sign-ups are open", other))
    assert not world.posts("a post is missing", world.back_room)


@pytest.mark.long
async def test_a_changed_channel_that_was_open_all_the_time_tries_nothing_again(world: World) -> None:
    await world.league()
    await world.season(players=2)
    close(world)
    await world.organiser.slash(world.back_room, "season start")
    backend = world.env.backend
    backend.emit("CHANNEL_UPDATE", dict(serializers.channel_payload(backend, backend.get_channel(world.channel.id))))
    await world.env.settle()
    await world.jump(minutes=1)
    assert len(world.posts("a post is missing", world.back_room)) == 1


async def closed_start(world: World) -> None:
    """Start a season whose channel is closed to the bot."""
    await world.league()
    await world.season(players=4)
    close(world)
    await world.organiser.slash(world.back_room, "season start")
    assert not world.open_matches()


def guild_of(world: World) -> discord.Guild:
    guild = world.env.bot.get_guild(world.guild.id)
    assert guild is not None
    return guild


def role_with_other_rights(world: World) -> None:
    guild = guild_of(world)
    world.env.bot.dispatch("guild_role_update", _copy(guild.default_role, SEND), guild.default_role)


def role_gone(world: World) -> None:
    world.env.bot.dispatch("guild_role_delete", guild_of(world).default_role)


def bot_with_another_role(world: World) -> None:
    me = guild_of(world).me
    before = discord.Member._copy(me)
    before._roles = discord.utils.SnowflakeList([1])
    world.env.bot.dispatch("member_update", before, me)


def server_back_after_an_outage(world: World) -> None:
    world.env.bot.dispatch("guild_available", guild_of(world))


def bot_invited_again(world: World) -> None:
    world.env.bot.dispatch("guild_join", guild_of(world))


def _copy(role: discord.Role, without: int) -> discord.Role:
    other = copy.copy(role)
    other._permissions = role._permissions & ~without
    return other


CAUSES_GONE = [
    role_with_other_rights,
    role_gone,
    bot_with_another_role,
    server_back_after_an_outage,
    bot_invited_again,
]


@pytest.mark.long
@pytest.mark.parametrize("cause_gone", CAUSES_GONE)
async def test_parked_posts_come_back_by_themselves_once_each(
    world: World, cause_gone: Callable[[World], None]
) -> None:
    await closed_start(world)
    cause_gone(world)
    await world.jump(seconds=1)
    assert not world.open_matches()
    reopen(world)
    cause_gone(world)
    await world.jump(seconds=1)
    assert len(world.open_matches()) == len(world.rows()) == 2
    assert len(world.posts("a post is missing", world.back_room)) == 0
    assert len(world.posts("The missing post is there now", world.back_room)) == 1


@pytest.mark.long
async def test_a_closed_channel_is_tried_once_an_hour_and_told_of_once(world: World) -> None:
    await closed_start(world)
    tried = len(refused_posts(world))
    for _ in range(6):
        await world.jump(minutes=30)
    assert tried + 3 <= len(refused_posts(world)) <= tried + 4
    assert len(world.posts("a post is missing", world.back_room)) == 1
    reopen(world)
    await world.jump(minutes=61)
    assert len(world.open_matches()) == 2


def refused_posts(world: World) -> list[object]:
    """Return every request to post in the league's channel that the closed channel refused."""
    path = f"/channels/{world.channel.id}/messages"
    return [request for request in world.env.backend.http_requests if request.method == "POST" and path in request.path]


@pytest.mark.long
async def test_posts_that_wait_for_discord_are_told_to_who_asks(world: World) -> None:
    await world.league()
    await world.season(players=4)
    path = f"/channels/{world.channel.id}/messages"
    world.env.inject_error("POST", path, status=500, code=0, message="Oops", times=None)
    await world.organiser.slash(world.back_room, "season start")
    box = text_of(await world.moderator.slash(world.back_room, "disputes"))
    assert "Posts that are late" in box
    assert "Discord can't take it at the moment (500" in box
    status = text_of(await world.players[0].slash(world.channel, "season status"))
    assert "there yet. The bot keeps trying." in status
    reopen(world)
    await world.jump(minutes=2)
    assert "there yet" not in text_of(await world.players[0].slash(world.channel, "season status"))
