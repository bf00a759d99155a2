"""A place for each match: its thread is made once, shows the match to both players, and ends with it."""

from typing import Any

import discord
from simcord.builders import ChannelHandle

from tests.cogs.conftest import World, labels, message_text

THREAD_LINE = 18
"""Discord's type of the line it writes into a channel about a new thread."""


def threads(world: World) -> list[ChannelHandle]:
    return world.channel.threads


def thread_of(world: World, name: str) -> ChannelHandle:
    return next(thread for thread in threads(world) if name in str(thread.name))


def stored(world: World, thread: ChannelHandle) -> Any:
    return world.env.backend.get_channel(thread.id)


def lines(world: World) -> list[Any]:
    """Return the lines Discord wrote into the channel about new threads."""
    posts = world.env.backend.messages[world.channel.id].values()
    return [post for post in posts if post.type == THREAD_LINE]


async def test_each_match_has_a_thread_that_opens_with_its_card(world: World) -> None:
    await world.started(players=4, match_places="threads")
    rows = world.open_matches()
    assert sorted(str(thread.name) for thread in threads(world)) == sorted(f"Round 1: {row.pairing}" for row in rows)
    for row in rows:
        (card,) = thread_of(world, row.pairing).history()
        assert row.pairing in message_text(card)
        assert "Ends" in message_text(card)
        assert labels(card) == ["Report", "Propose times", "Details", "Why this pairing?"]
        assert {user.id for user in card.mentions} == {player.id for player in world.sides(row)}
        assert card.flags.suppress_notifications
    assert lines(world) == []


def allow(world: World, **rights: bool) -> None:
    """Change what the bot may do in the server."""
    guild, bot = world.env.backend.get_guild(world.guild.id), world.env.backend.bot_user.id
    role = next(guild.roles[role_id] for role_id in guild.members[bot].role_ids)
    changed = discord.Permissions(role.permissions)
    changed.update(**rights)
    world.env.backend.edit_role(guild.id, role.id, {"permissions": changed.value})


async def test_a_private_thread_is_open_to_its_two_players_alone(world: World) -> None:
    allow(world, create_private_threads=True)
    await world.started(players=4, match_places="private")
    for row in world.open_matches():
        thread = thread_of(world, row.pairing)
        assert set(stored(world, thread).thread_members) - {world.env.backend.bot_user.id} == {
            player.id for player in world.sides(row)
        }
        assert len(thread.history(viewer=world.sides(row)[0])) == 1
    assert lines(world) == []
