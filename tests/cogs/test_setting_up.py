"""The first minutes on a server: hello, setting up, what is missing and exactly how to fix it."""

import re
from typing import Any

import discord
import pytest

from storage.query import value
from storage.tables import leagues
from tests.cogs.conftest import World, labels, message_text, text_of
from tests.files import look_into

HIDDEN = discord.PermissionOverwrite(view_channel=False)
READ = discord.PermissionOverwrite(view_channel=True)


async def check(world: World) -> str:
    return text_of(await world.organiser.slash(world.channel, "league settings"))


def bot_role(world: World) -> Any:
    return world.guild.roles[world.env.bot.user.name]


def line(answer: str, words: str) -> str:
    found = [said for said in answer.splitlines() if words in said]
    assert found, f"{words!r} is not in\n{answer}"
    return found[0]


@pytest.mark.long
async def test_hello_is_said_once_in_the_first_channel_the_bot_can_write_in(world: World) -> None:
    muted = discord.PermissionOverwrite(send_messages=False)
    for channel in (world.channel, world.back_room):
        there = world.env.bot.get_channel(channel.id)
        await there.set_permissions(there.guild.get_role(bot_role(world).id), overwrite=muted)
    open_ = world.guild.create_text_channel("open")
    world.guild.create_text_channel("later")
    await world.restart()
    await world.restart()
    hello = [post for post in open_.history() if "Hello, I'm Fairpair" in message_text(post)]
    assert len(hello) == 1
    steps = re.findall(r"^\d[.] .*", message_text(hello[0]), re.MULTILINE)
    assert "`/league create`" in steps[0]
    assert "`/league import`" in steps[1]
    assert "`/season create`" in steps[2]
    assert "`/help`" in message_text(hello[0])
    await world.env.bot.get_guild(world.guild.id).leave()
    await world.env.settle()
    with look_into(world.env.bot.database) as conn:
        assert not value(conn, "SELECT count(*) FROM guilds")


@pytest.mark.long
async def test_a_hello_that_was_cut_off_is_said_at_the_next_start(world: World) -> None:
    world.env.inject_error("POST", f"/channels/{world.channel.id}/messages", status=500, code=0, message="No")
    await world.restart()
    world.env.backend.faults.clear()
    await world.restart()
    await world.restart()
    assert len(world.posts("Hello, I'm Fairpair")) == 1


async def test_no_hello_where_a_league_is_set_up(world: World) -> None:
    await world.league()
    await world.restart()
    assert not world.posts("Hello, I'm Fairpair")


async def test_creating_a_league_tests_everything_at_once_and_asks_for_what_is_missing(world: World) -> None:
    made = await world.chief.slash(world.channel, "league create", name="Sunday League", channel=world.channel)
    told = text_of(made)
    assert "Sunday League is set up" in told
    assert "without what was said" in line(told, "No moderators' channel")
    assert f"<@{world.chief.id}> is pinged" in line(told, "No moderator role")
    assert labels(made.response) == ["Fill in what's missing", "Your own rules"]
    assert "To hide commands from players" in told
    form = await world.chief.click(made.response, label="Fill in what's missing")
    see: Any = {world.guild.default_role: HIDDEN, bot_role(world): READ, world.chief: READ}
    secret = world.guild.create_text_channel("secret", overwrites=see)
    role = world.guild.create_role("Referees", mentionable=True)
    given: dict[str, Any] = {"channel": [secret], "role": [role], "zone": "Mars"}
    refused = await world.chief.submit_modal(form, given)
    assert "isn't a time zone" in text_of(refused)
    again = await world.chief.click(refused.response, label="Edit and try again")
    done = text_of(await world.chief.submit_modal(again, {**given, "zone": "Europe/Berlin"}))
    assert "Europe/Berlin" in line(done, "time zone")
    assert "✅" in line(done, "is pinged when something waits")


async def test_the_check_says_exactly_what_to_change(world: World) -> None:
    bot, moderators = bot_role(world), world.roles["moderator_role"]
    poor = discord.PermissionOverwrite(mention_everyone=False, pin_messages=False, attach_files=False)
    channel = world.guild.create_text_channel("poor", overwrites={bot: poor})
    no_pings = discord.PermissionOverwrite(mention_everyone=False, view_channel=True)
    back_room = world.guild.create_text_channel("open", overwrites={bot: no_pings, moderators: HIDDEN})
    await world.league(channel=channel, moderation_channel=back_room)
    told = await check(world)
    assert "the bot still needs **Attach Files**" in line(told, f"⚠️ <#{channel.id}>: the bot")
    assert "the board isn't pinned" in line(told, "**Pin Messages**")
    assert "everyone can read it" in line(told, f"⚠️ <#{back_room.id}>: everyone")
    assert "add <@&" in line(told, f"⚠️ <#{back_room.id}>: <@&{moderators.id}> can't read it")
    assert "Allow anyone to @mention this role" in line(told, f"⚠️ <@&{moderators.id}>")
    await world.organiser.slash(channel, "league settings", board="off")
    assert "Pin Messages" not in await check(world)


async def test_a_league_set_up_well_has_nothing_to_change(world: World) -> None:
    readers = (bot_role(world), world.roles["moderator_role"], world.chief)
    see: Any = {world.guild.default_role: HIDDEN, **dict.fromkeys(readers, READ)}
    hidden = world.guild.create_text_channel("hidden", overwrites=see)
    await world.league(moderation_channel=hidden)
    told = await check(world)
    assert "players can't read it" in line(told, f"✅ <#{hidden.id}>")
    assert "⚠️" not in told


async def test_the_check_knows_deleted_channels_and_roles(world: World) -> None:
    await world.league()
    await world.env.bot.get_channel(world.back_room.id).delete()
    deleted = world.guild.id + 1  # while the bot was away
    await world.env.bot.database.write(leagues.change, 1, moderator_role_id=deleted)
    told = await check(world)
    assert "moderators' channel was deleted" in told
    assert "moderator role was deleted" in told


@pytest.mark.long
async def test_a_league_is_deleted_only_after_it_said_what_is_lost(world: World) -> None:
    await world.league()
    await world.season(players=2)
    asked = await world.organiser.slash(world.channel, "league delete")
    assert "season 1 with 2 sign-ups" in text_of(asked)
    assert labels(asked.response) == ["Delete the league", "Keep it"]
    old = world.post("Sign-ups are open")
    done = await world.organiser.click(asked.response, label="Delete the league")
    assert "Arena League is deleted" in text_of(done)
    await world.league("Another League")
    await world.season(players=0)
    assert "isn't on this server" in text_of(await world.players[3].click(old, label="Join"))
    assert "already" not in text_of(await world.players[0].slash(world.channel, "signup"))


async def test_a_channel_that_has_a_league_is_refused_for_another(world: World) -> None:
    await world.league()
    refused = await world.chief.slash(world.channel, "league create", name="Weekend Cup", channel=world.channel)
    assert refused.ephemeral
    assert "Arena League already uses that channel" in text_of(refused)
    assert "Weekend Cup" not in text_of(await world.players[0].slash(world.channel, "match"))
