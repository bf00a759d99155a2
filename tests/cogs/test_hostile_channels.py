"""Channels that go, close and open again; a bot that is put out of a server and asked back."""

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


async def test_a_channel_that_stays_closed_is_told_of_again_after_a_try(world: World) -> None:
    await world.league()
    await world.season(players=2)
    close(world)
    await world.organiser.slash(world.back_room, "season start")
    await world.jump(minutes=5)
    panel = await world.moderator.slash(world.back_room, "disputes")
    await world.moderator.click(panel.response, label="Try the posts again")
    assert len(world.posts("a post is missing", world.back_room)) == 2


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
