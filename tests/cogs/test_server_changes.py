"""What people change on the server or in a league while a season runs: words stay private, and someone is asked."""

import discord
import pytest
from simcord.actors import MemberActor

from tests.cogs.conftest import World, message_text, text_of


async def disputed(world: World) -> tuple[MemberActor, MemberActor]:
    """Let two players report different results of the first open match; return both."""
    row = world.open_matches()[0]
    upper, lower = world.sides(row)
    await world.report(upper, "won", row)
    form = await lower.click(world.post("Is that right?"), label="Dispute")
    await lower.submit_modal(form, {"says": "won", "reason": "what the lower one said"})
    return upper, lower


@pytest.mark.long
async def test_what_was_said_stays_private_when_moderators_get_a_channel_of_their_own(world: World) -> None:
    await world.chief.slash(world.channel, "league create", name="Arena League", channel=world.channel, **world.roles)
    await world.season(players=4)
    await world.organiser.slash(world.channel, "season start")
    upper, _ = await disputed(world)
    await world.organiser.slash(world.channel, "league settings", moderation_channel=world.back_room)
    form = await upper.click(world.post("two answers"), label="Tell the moderators")
    await upper.submit_modal(form, {"text": "what the upper one said"})
    assert not world.posts("one said")


@pytest.mark.long
async def test_why_someone_sits_out_stays_private_without_the_moderators_channel(world: World) -> None:
    await world.started(players=6)
    await channel_of(world).delete()
    await world.env.settle()
    ada = world.player("Ada")
    asked = await ada.slash(world.channel, "sit-out", round=2, reason="chemotherapy")
    await ada.click(asked.response, label="Sit out")
    await world.organiser.slash(world.channel, "league settings", remove="moderators' channel")
    await world.env.settle()
    assert world.posts("sits out round 2")
    assert not world.posts("chemotherapy")


def channel_of(world: World) -> discord.TextChannel:
    found = world.env.bot.get_channel(world.back_room.id)
    assert isinstance(found, discord.TextChannel)
    return found


@pytest.mark.long
@pytest.mark.parametrize("gone", [("moderator_role",), ("moderator_role", "organiser_role")])
async def test_without_the_role_that_was_deleted_others_are_asked(world: World, gone: tuple[str, ...]) -> None:
    await world.started(players=4)
    guild = world.env.bot.get_guild(world.guild.id)
    assert guild is not None
    for one in ("moderator_role", "organiser_role"):
        role = guild.get_role(world.roles[one].id)
        assert role is not None
        await role.edit(mentionable=True)
        if one in gone:
            await role.delete()
    await world.env.settle()
    told = message_text(world.post("was deleted on this server", world.back_room))
    assert all(one.removesuffix("_role") in told for one in gone)
    await disputed(world)
    people, roles = world.pinged(world.post("Dispute: ", world.back_room))
    assert people or roles & {role.id for role in guild.roles}


@pytest.mark.long
async def test_a_role_that_was_deleted_while_the_bot_was_away_is_missed_when_it_is_back(world: World) -> None:
    await world.started(players=4)
    guild = world.env.bot.get_guild(world.guild.id)
    assert guild is not None
    world.env.bot.dispatch("guild_available", guild)
    await world.env.settle()
    assert not world.posts("was deleted on this server", world.back_room)
    guild._remove_role(world.roles["moderator_role"].id)
    for _ in range(2):
        world.env.bot.dispatch("guild_available", guild)
        await world.env.settle()
    assert len(world.posts("The role of the moderators was deleted on this server", world.back_room)) == 1


@pytest.mark.long
async def test_joining_by_direct_message_where_a_role_is_needed_says_where_to_join(world: World) -> None:
    role = world.guild.create_role("Members")
    vera = world.member("Vera", role)
    await world.league()
    await world.season(players=2)
    await vera.click(world.post("Sign-ups are open"), label="Join")
    await world.organiser.slash(world.channel, "season start")
    card = await vera.slash(world.channel, "notify")
    await vera.select(card.response, values=["direct"], custom_id="pick:fp:notify:1:news")
    await world.agreed("season cancel", "Cancel the season")
    await world.opened(join_role=role.id)
    messages = [one for one in vera.user.dm_channel.history() if "Sign-ups for season" in message_text(one)]
    assert "Press **Join** in the league's channel" in text_of(await vera.user.click(messages[-1], label="Join"))
    assert "You're in season 2" in text_of(await vera.click(world.post("Sign-ups are open"), label="Join"))


async def test_a_panel_left_open_while_its_league_is_deleted_says_that_the_season_is_gone(world: World) -> None:
    await world.league()
    panel = await world.organiser.slash(world.channel, "season create", format="ohs")
    asked = await world.organiser.slash(world.channel, "league delete")
    await world.organiser.click(asked.response, label="Delete the league")
    for label in ("All settings", "Change dates", "Open sign-ups", "Discard"):
        assert "That season is gone" in text_of(await world.organiser.click(panel.response, label=label))
