"""The roles the bot gives, as organisers set them: checked, refused to those who couldn't give them, and given."""

from typing import Any

import discord
import pytest

from tests.cogs.conftest import World, text_of


async def ready(world: World) -> tuple[Any, Any, Any]:
    """Set up a league, and return an organiser who can give roles, and two roles below theirs."""
    await world.league()
    rights = discord.Permissions(manage_roles=True, manage_guild=True)
    giver = world.member("Gina", world.guild.create_role("Givers", permissions=rights))
    return giver, world.guild.create_role("In the season"), world.guild.create_role("Champion")


def holders(world: World, role: Any) -> set[str]:
    members = world.env.backend.get_guild(world.guild.id).members.values()
    return {str(world.env.backend.get_user(one.user_id).global_name) for one in members if role.id in one.role_ids}


async def test_nobody_lets_the_bot_give_a_role_they_could_not_give(world: World) -> None:
    giver, season, _ = await ready(world)
    for who, role in ((world.organiser, season), (world.chief, season), (giver, world.guild.roles["Givers"])):
        refused = await who.slash(world.channel, "league settings", participant_role=role)
        assert refused.ephemeral
        assert "The bot gives only roles that you could give yourself" in text_of(refused)
    everyone = await giver.slash(world.channel, "league settings", participant_role=world.guild.default_role)
    assert "everyone can't be the role" in text_of(everyone)
    assert f"<@&{role.id}>" not in text_of(await world.organiser.slash(world.channel, "league settings"))


@pytest.mark.long
async def test_roles_are_given_and_taken_on_the_server(world: World) -> None:
    giver, season, champion = await ready(world)
    done = await giver.slash(world.channel, "league settings", participant_role=season, champion_role=champion)
    assert f"✅ <@&{season.id}>: everyone in the season has it." in text_of(done)
    assert f"✅ <@&{champion.id}>: the champion has it." in text_of(done)
    await world.season(players=2, format="single-elimination")
    await world.jump(seconds=11)
    assert holders(world, season) == {"Ada", "Bruno"}
    await world.organiser.slash(world.channel, "season start")
    [match] = world.open_matches()
    winner, loser = world.sides(match)
    await world.report(loser, "lost", match)
    await world.jump(seconds=11)
    assert holders(world, season) == set()
    assert holders(world, champion) == {winner.user.global_name}
    await giver.slash(world.channel, "league settings", remove="champion role")
    await world.jump(seconds=11)
    assert holders(world, champion) == set()


@pytest.mark.long
async def test_without_manage_roles_everything_else_works_and_the_check_says_what_to_do(world: World) -> None:
    giver, season, _ = await ready(world)
    bot: Any = world.env.bot
    own = bot.get_guild(world.guild.id).me.top_role
    backend: Any = world.env.backend
    rights = discord.Permissions(own.permissions.value)
    rights.update(manage_roles=False)
    backend.edit_role(world.guild.id, own.id, {"permissions": rights.value})
    done = await giver.slash(world.channel, "league settings", participant_role=season)
    assert "the bot can't give this role." in text_of(done)
    assert "**Manage Roles**" in text_of(done)
    await world.season(players=2)
    await world.jump(seconds=11)
    assert holders(world, season) == set()
    told = world.posts("The bot can't give or take the participant role", world.back_room)
    assert len(told) == 1
    check = text_of(await world.organiser.slash(world.channel, "league settings"))
    assert f"⚠️ <@&{season.id}>: the bot can't give this role." in check


@pytest.mark.long
async def test_a_deleted_league_takes_its_roles_back(world: World) -> None:
    giver, season, _ = await ready(world)
    await giver.slash(world.channel, "league settings", participant_role=season)
    await world.season(players=2)
    await world.jump(seconds=11)
    assert holders(world, season) == {"Ada", "Bruno"}
    asked = await world.organiser.slash(world.channel, "league delete")
    assert "The roles it gave are taken back." in text_of(asked)
    await world.organiser.click(asked.response, label="Delete the league")
    await world.jump(seconds=11)
    assert holders(world, season) == set()
